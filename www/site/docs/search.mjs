// Builds the search index, with one entry for each section of each page. A page loads it when a
// reader starts to search.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import MiniSearch from "minisearch";
import { INDEX, OPTIONS } from "../../src/search/options.mjs";
import { plainText } from "./plain-text.mjs";
import { API, FORMATS } from "./sources.mjs";

/** The weights of results: a guide answers more questions than the reference of an export. */
const WEIGHTS = { Tools: 2, [FORMATS]: 1.4, [API]: 0.1 };

/** The paths of the pages that are tools, relative to the site's root. */
const TOOLS = ["", "make/", "range/", "choose/"];

/**
 * The heading, the description and the keywords of a tool. The keywords are other names for the
 * tool.
 */
function tool(site, path) {
  const html = readFileSync(join(site, path, "index.html"), "utf8");
  const textOf = (pattern) => plainText(pattern.exec(html)[1]);
  const body = textOf(/<meta name="description" content="(.*)">/);
  const also = textOf(/<meta name="keywords" content="(.*)">/);
  return { path: path || "./", page: textOf(/<h1[^>]*>(.*)<\/h1>/), section: "", body, also, group: "Tools" };
}

/** The table rows of a section that have an ID. In the reference, these are members. */
const rowsOf = (part) =>
  [...part.matchAll(/<tr id="([^"]+)">\s*<td[^>]*>([\s\S]*?)<\/td>([\s\S]*?)<\/tr>/g)].map(
    ([, id, name, rest]) => ({
      id,
      text: plainText(name).replace(/\(.*|\?$/, ""),
      body: plainText(rest),
    }),
  );

/**
 * The index contains code of one or two lines, such as a command, but no longer examples, because
 * the text around an example describes it.
 */
const MOST_CODE = 100;
const withoutCode = (html) =>
  html.replaceAll(/<pre[^>]*>[\s\S]*?<\/pre>/g, (code) => (plainText(code).length > MOST_CODE ? " " : code));

/**
 * The sections of a page, and its members. A section is the text below a heading of the first three
 * levels, up to the next such heading.
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
      // The first sentence describes an export. The rest of the reference would be half of the
      // index.
      body: group === API ? (/^.*?[.:](?= |$)/.exec(body)?.[0] ?? body) : body,
      group,
      line: first ? line : "",
      also: first ? also : "",
    };
  });
}

/** Lists an inherited member only once. */
function withoutCopies(sections) {
  const seen = new Set();
  return sections.filter(({ group, section, body }) => {
    const key = `${section} ${body}`;
    return group !== API || (!seen.has(key) && seen.add(key));
  });
}

/** Writes the index of pages. Returns a summary in words. */
export function writeIndex(site, documents) {
  const search = new MiniSearch(OPTIONS);
  const sections = withoutCopies(documents.flatMap(sectionsOf));
  const all = [...TOOLS.map((path) => tool(site, path)), ...sections];
  search.addAll(all.map((one, id) => ({ ...one, weight: WEIGHTS[one.group] ?? 1, id })));
  const text = JSON.stringify(search);
  writeFileSync(join(site, INDEX), text);
  return `${all.length} sections (${(gzipSync(text).length / 1000).toFixed(1)} kB with gzip)`;
}
