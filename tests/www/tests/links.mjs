// Every link of every page leads to a file of the site, and every fragment to an id. This reads the files: no browser is needed.

import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { site } from "../../../www/build.mjs";
import { linksOf } from "../../../www/site/docs/links.mjs";
import { fromRoot } from "../../../xtask/lib/process.mjs";
import { test } from "../lib/test.mjs";

/** One of the browsers is enough for what needs none. */
const ONCE = { only: ["Chromium"] };

const ORIGIN = "http://site";

/** The HTML of all pages, by their paths. */
function readPages() {
  const names = readdirSync(site, { recursive: true }).filter((name) => name.endsWith(".html"));
  return new Map(names.map((name) => [name.split(sep).join("/"), readFileSync(join(site, name), "utf8")]));
}

const valuesOf = (html, attribute) =>
  [...html.matchAll(new RegExp(` ${attribute}="([^"]*)"`, "g"))].map(([, value]) =>
    value.replaceAll("&amp;", "&"),
  );

/** The file of an address, and its fragment. */
function placeOf(address, page) {
  const { pathname, hash } = new URL(address, `${ORIGIN}/${page}`);
  const path = decodeURIComponent(pathname).slice(1);
  return {
    file: path === "" || path.endsWith("/") ? `${path}index.html` : path,
    id: decodeURIComponent(hash.slice(1)),
  };
}

test("links: each leads to a file, and to an id that is in it", ONCE, async () => {
  const pages = readPages();
  const ids = new Map([...pages].map(([page, html]) => [page, new Set(valuesOf(html, "id"))]));
  const dead = [];
  let inner = 0;
  for (const [page, html] of pages) {
    for (const address of ["href", "src", "data-index"].flatMap((name) => valuesOf(html, name))) {
      if (/^(?:https?|mailto):/.test(address)) continue;
      inner++;
      const { file, id } = placeOf(address, page);
      if (!existsSync(join(site, file))) dead.push(`${page}: ${address}: no such file`);
      else if (id !== "" && !ids.get(file)?.has(id)) dead.push(`${page}: ${address}: no such id`);
    }
  }
  deepEqual(dead, []);
  ok(pages.size > 90, `only ${pages.size} pages`);
  ok(inner > 5000, `only ${inner} links`);
});

test("links: every page of the documentation is reached from its list of pages", ONCE, async () => {
  const pages = readPages();
  const reached = new Set(["docs/index.html"]);
  for (const page of reached) {
    for (const address of valuesOf(pages.get(page), "href")) {
      if (/^https?:/.test(address)) continue;
      const { file } = placeOf(address, page);
      if (file.startsWith("docs/") && pages.has(file)) reached.add(file);
    }
  }
  const all = [...pages.keys()].filter((page) => page.startsWith("docs/"));
  deepEqual(
    all.filter((page) => !reached.has(page)),
    [],
  );
});

test("pages: each id is there once, and no element has a style of its own", ONCE, async () => {
  for (const [page, html] of readPages()) {
    const ids = valuesOf(html, "id");
    deepEqual(
      ids.filter((id, i) => ids.indexOf(id) !== i),
      [],
      page,
    );
    // The policy of the pages would ignore it.
    equal(valuesOf(html, "style").length, 0, page);
    equal(html.match(/<h1\b/g)?.length, 1, page);
  }
});

test("links: one to a file without a page fails the build, with the file and the link", ONCE, async () => {
  const page = { file: fromRoot("docs", "architecture.md"), path: "docs/architecture" };
  const readme = { file: fromRoot("README.md"), path: "docs/guide" };
  const links = linksOf(page, new Map([[readme.file, readme]]), new Map());
  equal(links.link("../README.md#limits").href, "../guide/#limits");
  equal(links.link("../xtask/build.mjs").source, "xtask/build.mjs");
  throws(() => links.link("../CHANGELOG.md"), /docs\/architecture\.md.*\.\.\/CHANGELOG\.md.*no page/);
  throws(() => links.link("nothing.mjs"), /docs\/architecture\.md.*nothing\.mjs.*no such file/);
  throws(() => links.image("https://example.org/a.png"), /no images of other sites/);
});
