// The index of the search: one entry for each section of each page, made here and loaded by the page when somebody searches.

import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import MiniSearch from "minisearch";
import { OPTIONS } from "../../src/docs/search/terms.mjs";

const ENTITIES = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&amp;": "&" };
const plain = (html) =>
  html
    .replaceAll(/<(?:svg|figure)\b[\s\S]*?<\/(?:svg|figure)>/g, " ")
    .replaceAll(/<\/?(?:code|a|strong|em|span)\b[^>]*>/g, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity])
    .replaceAll(/\s+/g, " ")
    .trim();

/** The sections of a page: what stands below a heading of the first three levels, up to the next one. */
function sectionsOf({ path, title, html, headings }) {
  const starts = headings
    .filter(({ level }) => level <= 3)
    .map((heading) => ({ ...heading, at: html.indexOf(`<h${heading.level} id="${heading.id}">`) }));
  return starts.map(({ level, id, text, at }, i) => {
    const part = html.slice(at, starts[i + 1]?.at);
    const body = plain(part.slice(part.indexOf("</h")).replace(/^<\/h\d>/, ""));
    return {
      path: path + (level === 1 ? "/" : `/#${id}`),
      page: title,
      section: level === 1 ? "" : text,
      body,
    };
  });
}

/** Writes the index. `path`: where it is, from the site's root. `words`: its size. */
export function writeIndex(site, documents) {
  const search = new MiniSearch(OPTIONS);
  // What a member inherits is found where it is from.
  const sections = documents.flatMap(sectionsOf).filter(({ body }) => !body.includes("Inherited from"));
  search.addAll(sections.map((section, id) => ({ ...section, id })));
  const text = JSON.stringify(search);
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 8);
  const path = `assets/search-${hash}.json`;
  mkdirSync(dirname(join(site, path)), { recursive: true });
  writeFileSync(join(site, path), text);
  const kB = (gzipSync(text).length / 1000).toFixed(1);
  return { path, words: `${sections.length} sections (${kB} kB with gzip)` };
}
