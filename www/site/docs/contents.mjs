// The contents beside each page, and the page that lists all pages.

import { relativeTo } from "./links.mjs";
import { escapeHtml } from "./markdown.mjs";

/** Whether a page is shown when another one is open: of the reference, the entries and what belongs to the open one. */
const isShown = (page, open) => page.group !== "Reference" || page.entry || page.module === open.module;

function item(page, open, headings) {
  const here = page === open;
  const inner = page.group === "Reference" && !page.entry ? ' class="inner"' : "";
  const link = `<a href="${relativeTo(open.path, page.path)}"${here ? ' aria-current="page"' : ""}>${escapeHtml(page.name)}</a>`;
  if (!here) return `<li${inner}>${link}</li>`;
  const sections = headings
    .filter(({ level }) => level === 2)
    .map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`);
  return `<li${inner}>${link}${sections.length > 1 ? `<ul class="sections">${sections.join("")}</ul>` : ""}</li>`;
}

function list(groups, open, headings) {
  const parts = groups.map(({ name, pages }) => {
    const items = pages.filter((page) => isShown(page, open)).map((page) => item(page, open, headings));
    return `<h2>${name}</h2><ul>${items.join("")}</ul>`;
  });
  const all = `<a href="${relativeTo(open.path, "docs")}"${open.path === "docs" ? ' aria-current="page"' : ""}>All pages</a>`;
  return `<p>${all}</p>${parts.join("")}`;
}

/**
 * The search box, and the list of pages: beside the text where there is room, else folded up. Each screen shows one of the two
 * lists, so that it is right before any script has run. `root`: the way to the site's root. `index`: the search's, from there.
 */
export function contents(groups, open, headings, root, index) {
  const pages = list(groups, open, headings);
  return `<search class="search"><form id="site-search" data-index="${root}${index}" data-root="${root}">
<label for="site-query"><span>Search <kbd aria-hidden="true">/</kbd></span></label>
<input id="site-query" type="search" autocomplete="off" spellcheck="false" aria-keyshortcuts="/" aria-describedby="site-found">
<p id="site-found" class="visually-hidden" role="status"></p>
<ol id="site-results" hidden></ol>
</form></search>
<nav class="wide" aria-label="Documentation">${pages}</nav>
<details class="narrow"><summary>All pages, and the sections of this one</summary><nav aria-label="Documentation">${pages}</nav></details>`;
}

const lineOf = ({ path, name, line }, from) =>
  `<dt><a href="${relativeTo(from, path)}">${escapeHtml(name)}</a></dt><dd>${escapeHtml(line)}</dd>`;

/** What the entries of the reference are: the first sentence of their own pages, without the name that it begins with. */
const firstSentence = (text) =>
  (/^# .*\n+([^#\n][\s\S]*?)\.(?:\s|$)/m.exec(text)?.[1] ?? "")
    .replace(/^[\w-]+: /, "")
    .replaceAll(/\n/g, " ")
    .replaceAll("`", "");

/** The text of docs/ itself. */
export function overview(groups) {
  const parts = groups.map(({ name, pages }) => {
    const shown = pages
      .filter(({ entry }) => entry !== false)
      .map((page) => ({ ...page, line: page.line || firstSentence(page.text) }));
    return `<h2>${name}</h2>\n<dl class="pages">${shown.map((page) => lineOf(page, "docs")).join("\n")}</dl>`;
  });
  return `<h1>Documentation</h1>\n${parts.join("\n")}`;
}
