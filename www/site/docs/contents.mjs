// The contents beside each page, and the pages that list all pages.

import { relativeTo } from "./links.mjs";
import { escapeHtml } from "./markdown.mjs";
import { API } from "./sources.mjs";

/**
 * Whether the contents list a page while another page is open. Of the reference, they list the
 * entries and the pages that belong to the open one.
 */
const isShown = (page, open) => page.group !== API || page.entry || page.module === open.module;

function item(page, open, headings) {
  const here = page === open;
  const inner = page.group === API && !page.entry ? ' class="inner"' : "";
  const link = `<a href="${relativeTo(open.path, page.path)}"${here ? ' aria-current="page"' : ""}>${escapeHtml(page.name)}</a>`;
  if (!here) return `<li${inner}>${link}</li>`;
  const sections = headings
    .filter(({ level }) => level === 2)
    .map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`);
  return `<li${inner}>${link}${sections.length > 1 ? `<ul class="sections">${sections.join("")}</ul>` : ""}</li>`;
}

/** The pages that list other pages: one for the documentation, one for contributors. */
export const LISTS = [
  { path: "docs", title: "Documentation", inner: false },
  { path: "docs/contributors", title: "For contributors", inner: true },
];

function list(groups, open, headings) {
  const inner = groups.some(({ inner, name }) => inner && name === open.group);
  const parts = groups
    .filter((group) => group.inner === inner)
    .map(({ name, pages }) => {
      const items = pages.filter((page) => isShown(page, open)).map((page) => item(page, open, headings));
      const isOpen = name === open.group || (open.path === "docs" && name === groups[0].name);
      return `<details${isOpen ? " open" : ""}><summary>${name}</summary><ul>${items.join("")}</ul></details>`;
    });
  const all = `<a href="${relativeTo(open.path, "docs")}"${open.path === "docs" ? ' aria-current="page"' : ""}>All pages</a>`;
  return `<p>${all}</p>${parts.join("")}`;
}

/**
 * The list of pages: beside the text on a wide screen, folded up on a narrow one. The HTML contains
 * both, and each screen shows one of them, so the page looks right before any script has run.
 */
export function contents(groups, open, headings) {
  const pages = list(groups, open, headings);
  return `<nav class="wide" aria-label="Documentation">${pages}</nav>
<details class="narrow"><summary>All pages, and the sections of this page</summary><nav aria-label="Documentation">${pages}</nav></details>`;
}

const lineOf = ({ path, name, line }, from) =>
  `<dt><a href="${relativeTo(from, path)}">${escapeHtml(name)}</a></dt><dd>${escapeHtml(line)}</dd>`;

/**
 * The descriptions of the reference's entries: the first sentence of each entry's page, without the
 * name at its beginning.
 */
const firstSentence = (text) =>
  (/^# .*\n+([^#\n][\s\S]*?)\.(?:\s|$)/m.exec(text)?.[1] ?? "")
    .replace(/^[\w-]+: /, "")
    .replaceAll(/\n/g, " ")
    .replaceAll("`", "");

/** Returns the text of a page that lists other pages. */
export function overview(groups, { path, title, inner }) {
  const parts = groups
    .filter((group) => group.inner === inner)
    .map(({ name, pages }) => {
      const shown = pages
        .filter(({ entry }) => entry !== false)
        .map((page) => ({ ...page, line: page.line || firstSentence(page.text) }));
      const heading = name === title ? "" : `<h2>${name}</h2>\n`;
      return `${heading}<dl class="pages">${shown.map((page) => lineOf(page, path)).join("\n")}</dl>`;
    });
  return `<h1>${title}</h1>\n${parts.join("\n")}`;
}
