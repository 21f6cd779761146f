// The index of the search: one entry for each section of each page, made here and loaded by the page when somebody searches.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import MiniSearch from "minisearch";
import { INDEX, OPTIONS } from "../../src/search/options.mjs";
import { plainText } from "./plain-text.mjs";
import { API, FORMATS } from "./sources.mjs";

/** A guide answers more questions than the reference of an export. */
const WEIGHTS = { Tools: 2, [FORMATS]: 1.4, [API]: 0.1 };

/** The pages that are tools, below the site's root. */
const TOOLS = ["", "make/", "range/", "choose/"];

/** The heading, the description and the keywords of a tool. The keywords are other names for it. */
function tool(site, path) {
  const html = readFileSync(join(site, path, "index.html"), "utf8");
  const textOf = (pattern) => plainText(pattern.exec(html)[1]);
  const body = textOf(/<meta name="description" content="(.*)">/);
  const also = textOf(/<meta name="keywords" content="(.*)">/);
  return { path: path || "./", page: textOf(/<h1[^>]*>(.*)<\/h1>/), section: "", body, also, group: "Tools" };
}

/** The rows of a part's tables that have an id: members, in the reference. */
const rowsOf = (part) =>
  [...part.matchAll(/<tr id="([^"]+)">\s*<td[^>]*>([\s\S]*?)<\/td>([\s\S]*?)<\/tr>/g)].map(
    ([, id, name, rest]) => ({
      id,
      text: plainText(name).replace(/\(.*|\?$/, ""),
      body: plainText(rest),
    }),
  );

/**
 * Only code of one or two lines is in the index, such as a command, because the text around a
 * longer example says what it does.
 */
const MOST_CODE = 100;
const withoutCode = (html) =>
  html.replaceAll(/<pre[^>]*>[\s\S]*?<\/pre>/g, (code) => (plainText(code).length > MOST_CODE ? " " : code));

/**
 * The sections of a page: the text below a heading of the first three levels, up to the next one;
 * and its members.
 */
function sectionsOf({ path, title, line, also, html, headings, group }) {
  const starts = headings
    .filter(({ level }) => level <= 3)
    .map((heading) => ({ ...heading, at: html.indexOf(`<h${heading.level} id="${heading.id}">`) }));
  const sections = starts.flatMap(({ level, id, text, at }, i) => {
    const part = html.slice(at, starts[i + 1]?.at);
    const members = rowsOf(part);
    const own = plainText(withoutCode(part.slice(part.indexOf("</h")).replace(/^<\/h\d>/, "")));
    const first = { id: level === 1 ? "" : id, text: level === 1 ? "" : text, body: own };
    return members.length > 0 ? members : [first];
  });
  return sections.map(({ id, text, body }) => {
    const first = id === "";
    return {
      path: path + (first ? "/" : `/#${id}`),
      page: title,
      section: text,
      // In the reference, the first sentence describes an export; the rest would be half of the
      // index.
      body: group === API ? (/^.*?[.:](?= |$)/.exec(body)?.[0] ?? body) : body,
      group,
      line: first ? line : "",
      also: first ? also : "",
    };
  });
}

/** What a member inherits is found once. */
function withoutCopies(sections) {
  const seen = new Set();
  return sections.filter(({ group, section, body }) => {
    const key = `${section} ${body}`;
    return group !== API || (!seen.has(key) && seen.add(key));
  });
}

/** Writes the index of pages. Returns what it holds, in words. */
export function writeIndex(site, documents) {
  const search = new MiniSearch(OPTIONS);
  const sections = withoutCopies(documents.flatMap(sectionsOf));
  const all = [...TOOLS.map((path) => tool(site, path)), ...sections];
  search.addAll(all.map((one, id) => ({ ...one, weight: WEIGHTS[one.group] ?? 1, id })));
  const text = JSON.stringify(search);
  writeFileSync(join(site, INDEX), text);
  return `${all.length} sections (${(gzipSync(text).length / 1000).toFixed(1)} kB with gzip)`;
}
