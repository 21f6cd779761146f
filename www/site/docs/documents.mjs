// Builds the documentation: a page for each Markdown file, the list of all pages, and the search
// index.

import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { contents, LISTS, overview } from "./contents.mjs";
import { linksOf } from "./links.mjs";
import { escapeHtml, render } from "./markdown.mjs";
import { clock, pictures } from "./pictures.mjs";
import { plainText } from "./plain-text.mjs";
import { writeIndex } from "./search.mjs";
import { API, readSources } from "./sources.mjs";

/** Placeholders for the drawn layouts and for the clock, until the text around them is HTML. */
const LAYOUTS = "%layouts%";
const CLOCK = "%clock%";

/**
 * Prepares the text of a format's page, whose tables are between markers. The drawn layouts replace
 * the first table, and the clock goes before the others.
 */
function prepared({ text }) {
  return text
    .replace(/<!-- layout -->[\s\S]*?<!-- \/layout -->\n/, `${LAYOUTS}\n`)
    .replace("<!-- policies -->", `${CLOCK}\n`)
    .replace("<!-- /policies -->", "");
}

function written(page, pages, copies) {
  const { html, headings } = render(prepared(page), linksOf(page, pages, copies));
  const shown = html
    .replace(`<p>${LAYOUTS}</p>\n`, () => pictures(page.place))
    .replace(`<p>${CLOCK}</p>\n`, () => clock(page.place));
  return { ...page, html: shown, headings };
}

/** The frame's addresses are relative to the site's root. Adapts them to a page in a folder. */
export const lowered = (frame, up) =>
  frame
    .replaceAll(/(src|href)="(?:\.\/)?(?!\.|#|https?:)([^"]*)"/g, (_, name, path) => `${name}="${up}${path}"`)
    .replace('content="preview/', `content="${up}preview/`);

const titleOf = ({ path, title }) => (path === "docs" ? "Documentation of graupel" : `${title} · graupel`);

/**
 * The longest description that search engines show in full, and the shortest useful one, in
 * characters.
 */
const LONGEST = 155;
const SHORTEST = 40;

/** A page's description: the start of its first paragraph, cut between words. */
function descriptionOf({ html, title, group }) {
  const [, paragraph = ""] = /<p>([\s\S]*?)<\/p>/.exec(html) ?? [];
  const first = plainText(paragraph);
  const where = group === API ? "reference" : "documentation";
  const text = first.length < SHORTEST ? `${title}, in the ${where} of graupel. ${first}`.trim() : first;
  return text.length <= LONGEST ? text : `${text.slice(0, text.lastIndexOf(" ", LONGEST))} …`;
}

/** The name of a page's preview picture. All pages of the reference share one. */
const previewOf = ({ path, group }) => (group === API ? "reference" : path.replaceAll("/", "-"));

/**
 * Writes the documentation. `document.html` is the frame as Vite wrote it. Resolves to a summary in
 * words.
 */
export async function writeDocuments(site) {
  const frame = readFileSync(join(site, "document.html"), "utf8");
  const groups = readSources();
  const all = groups.flatMap(({ pages }) => pages);
  const pages = new Map(all.map((page) => [page.file, page]));
  const copies = new Map();
  const documents = all.map((page) => written(page, pages, copies));
  const index = writeIndex(
    site,
    documents.filter(({ group }) => !groups.find(({ name }) => name === group).inner),
  );
  for (const one of LISTS) {
    const group = one.inner ? one.title : "";
    documents.push({ ...one, html: overview(groups, one), headings: [], group });
  }

  for (const page of documents) {
    const { path, html, headings, group } = page;
    const up = "../".repeat(path.split("/").length);
    const open = pages.get(all.find((page) => page.path === path)?.file) ?? { path, group };
    const text = lowered(frame, up)
      .replaceAll("<!--title-->", () => escapeHtml(titleOf(page)))
      .replaceAll("<!--description-->", () => escapeHtml(descriptionOf(page)))
      .replace("<!--preview-->", () => previewOf(page))
      .replace("<!--contents-->", () => contents(groups, open, headings))
      .replace("<!--content-->", () => html)
      .replace('class="prose"', `class="prose${group === API ? " reference" : ""}"`);
    mkdirSync(join(site, path), { recursive: true });
    writeFileSync(join(site, path, "index.html"), text);
  }
  for (const [file, place] of copies) {
    mkdirSync(dirname(join(site, place)), { recursive: true });
    cpSync(file, join(site, place));
  }
  return `${documents.length} pages of documentation, an index of ${index}`;
}
