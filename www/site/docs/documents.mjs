// The documentation: each Markdown file as a page of the site, the list of them all, and the index of the search.

import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { contents, overview } from "./contents.mjs";
import { linksOf } from "./links.mjs";
import { escapeHtml, render } from "./markdown.mjs";
import { clock, pictures } from "./pictures.mjs";
import { writeIndex } from "./search.mjs";
import { readSources } from "./sources.mjs";

/** Stands for the clock until the text around it is HTML. */
const CLOCK = "%clock%";

/** A format's page has tables between markers: the drawn layout takes the place of the first, the clock comes before the others. */
function prepared({ text }) {
  return text
    .replace(/<!-- layout -->[\s\S]*?<!-- \/layout -->\n/, "")
    .replace("<!-- policies -->", `${CLOCK}\n`)
    .replace("<!-- /policies -->", "");
}

function written(page, pages, copies) {
  const { html, headings } = render(prepared(page), linksOf(page, pages, copies));
  const shown = html
    .replace("</p>\n", (end) => `${end}${pictures(page.place)}`)
    .replace(`<p>${CLOCK}</p>\n`, () => clock(page.place));
  return { ...page, html: shown, headings };
}

/** The frame has addresses from the site's root; a page is some folders below. */
const lowered = (frame, up) =>
  frame.replaceAll(
    /(src|href)="(?:\.\/)?(?!\.|#|https?:)([^"]*)"/g,
    (_, name, path) => `${name}="${up}${path}"`,
  );

/** Writes the documentation. `document.html` is the frame, as Vite has left it. Resolves to what was done, in words. */
export async function writeDocuments(site) {
  const frame = readFileSync(join(site, "document.html"), "utf8");
  const groups = readSources();
  const all = groups.flatMap(({ pages }) => pages);
  const pages = new Map(all.map((page) => [page.file, page]));
  const copies = new Map();
  const documents = all.map((page) => written(page, pages, copies));
  const index = writeIndex(site, documents);
  documents.push({ path: "docs", title: "Documentation", html: overview(groups), headings: [], group: "" });

  for (const { path, title, html, headings, group } of documents) {
    const up = "../".repeat(path.split("/").length);
    const open = pages.get(all.find((page) => page.path === path)?.file) ?? { path, group };
    const text = lowered(frame, up)
      .replace("<!--title-->", () =>
        escapeHtml(path === "docs" ? "Documentation of graupel" : `${title} · graupel`),
      )
      .replace("<!--description-->", () => escapeHtml(`The documentation of graupel: ${title}`))
      .replace("<!--contents-->", () => contents(groups, open, headings, up, index.path))
      .replace("<!--content-->", () => html);
    mkdirSync(join(site, path), { recursive: true });
    writeFileSync(join(site, path, "index.html"), text);
  }
  for (const [file, place] of copies) {
    mkdirSync(dirname(join(site, place)), { recursive: true });
    cpSync(file, join(site, place));
  }
  return `${documents.length} pages of documentation, an index of ${index.words}`;
}
