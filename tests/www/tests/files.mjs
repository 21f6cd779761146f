// The files of the built site as `npm run site` serves them: links, heads and search results. Most
// of these tests need no browser, so they run once.

import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { tsImport } from "tsx/esm/api";
import { site } from "../../../www/build.mjs";
import { serveSite } from "../../../www/serve.mjs";
import { pages as formats } from "../../../www/site/docs/pages.mjs";
import { PREVIEW } from "../../../www/site/preview.mjs";
import { test } from "../lib/test.mjs";

/** The HTML of all pages, by path. */
const readPages = () =>
  new Map(
    readdirSync(site, { recursive: true })
      .filter((name) => name.endsWith(".html"))
      .map((name) => [name.split(sep).join("/"), readFileSync(join(site, name), "utf8")]),
  );

const valuesOf = (html, attribute) =>
  [...html.matchAll(new RegExp(` ${attribute}="([^"]*)"`, "g"))].map(([, value]) =>
    value.replaceAll("&amp;", "&"),
  );

/** The target of a page's link: its file and its fragment. Undefined for other sites. */
function placeOf(address, page) {
  if (/^(?:https?|mailto):/.test(address)) return undefined;
  const { pathname, hash } = new URL(address, `http://site/${page}`);
  const path = decodeURIComponent(pathname).slice(1);
  const file = path === "" || path.endsWith("/") ? `${path}index.html` : path;
  return { file, id: decodeURIComponent(hash.slice(1)) };
}

test("links: each leads to a file and to an id in it; ids are there once; every document is reached", async () => {
  const pages = readPages();
  const ids = new Map([...pages].map(([page, html]) => [page, valuesOf(html, "id")]));
  const dead = [];
  const leadsTo = new Map();
  let inner = 0;
  for (const [page, html] of pages) {
    const own = ids.get(page);
    deepEqual(
      own.filter((id, i) => own.indexOf(id) !== i),
      [],
      page,
    );
    // The pages' policy would block inline styles.
    equal(valuesOf(html, "style").length, 0, page);
    equal(html.match(/<h1\b/g)?.length, 1, page);
    const links = ["href", "src", "data-index"]
      .flatMap((name) => valuesOf(html, name))
      .map((address) => [address, placeOf(address, page)])
      .filter(([, place]) => place !== undefined);
    inner += links.length;
    for (const [address, { file, id }] of links) {
      if (!existsSync(join(site, file))) dead.push(`${page}: ${address}: no such file`);
      else if (id !== "" && !ids.get(file)?.includes(id)) dead.push(`${page}: ${address}: no such id`);
    }
    leadsTo.set(page, new Set(links.map(([, { file }]) => file)));
  }
  deepEqual(dead, []);
  ok(pages.size > 90 && inner > 5000, `only ${pages.size} pages, ${inner} links`);
  const documents = [...pages.keys()].filter((page) => page.startsWith("docs/"));
  const reached = new Set(["docs/index.html"]);
  for (const page of reached)
    for (const file of leadsTo.get(page)) if (documents.includes(file)) reached.add(file);
  deepEqual(
    documents.filter((page) => !reached.has(page)),
    [],
  );
});

const contentOf = (html, name) =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)">`).exec(html)?.[1];

test("head: every page has a title of its own, a description, and a preview", async () => {
  const titles = new Map();
  for (const [page, html] of readPages()) {
    const title = /<title>([^<]+)<\/title>/.exec(html)?.[1];
    ok(title !== undefined, page);
    const same = titles.get(title);
    // Reference pages of two exports may have the same title.
    ok(same === undefined || page.startsWith("docs/reference/"), `${page} and ${same}: ${title}`);
    titles.set(title, page);
    const description = contentOf(html, "description");
    const { length } = description.replace(/&\w+;/g, "_");
    ok(length >= 10 && length <= 170, `${page}: ${description}`);
    ok(!/[`{}]|<!--|undefined/.test(title + description), `${page}: ${title}, ${description}`);
    deepEqual([contentOf(html, "og:title"), contentOf(html, "og:description")], [title, description], page);
    equal(contentOf(html, "twitter:card"), "summary_large_image", page);
    const image = new URL(contentOf(html, "og:image"), `http://site/${page}`).pathname;
    const bytes = readFileSync(join(site, image));
    equal(bytes.toString("latin1", 1, 4), "PNG", image);
    deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [PREVIEW.width, PREVIEW.height], image);
  }
});

test("search: each query leads to its page", async () => {
  const { find, useIndex } = await tsImport("../../../www/src/search/find.ts", import.meta.url);
  await useIndex(readFileSync(join(site, "search.json"), "utf8"));
  const queries = JSON.parse(readFileSync(new URL("../queries.json", import.meta.url), "utf8"));
  const missed = [];
  for (const [among, wanted] of Object.entries(queries)) {
    const count = ["the very first", "among the first two", "among the first three"].indexOf(among) + 1;
    for (const [query, pattern] of Object.entries(wanted)) {
      const first = find(query).found.slice(0, count);
      if (!first.some(({ path }) => new RegExp(pattern, "i").test(path)))
        missed.push(`${query}: ${first.map(({ path }) => path).join(", ")}`);
    }
  }
  deepEqual(missed, []);
  // A word that no page contains is reported. The search still finds pages for the other words.
  deepEqual(find("workers with zzyzx").unknown, ["zzyzx"]);
  ok(find("workers with zzyzx").found.length > 0);
  deepEqual(find("kubernetes for workers").unknown, []);
  // The name of a format leads to its page.
  for (const page of Object.keys(formats)) equal(find(page).found[0]?.path, `docs/formats/${page}/`);
});

test("host: `npm run site` serves the site as a host does", async (person) => {
  // The browser also reports missing files.
  person.expect(/404|another origin/);
  const host = await serveSite(site, 0);
  try {
    const { address } = host;
    const folder = await fetch(`${address}docs/formats/sno`, { redirect: "manual" });
    equal(folder.status, 301);
    equal(new URL(folder.headers.get("location"), address).pathname, "/docs/formats/sno/");
    const page = await fetch(`${address}docs/formats/sno/`);
    deepEqual([page.status, page.headers.get("content-encoding")], [200, "gzip"]);
    match(await page.text(), /<h1 id="sno">/);
    equal(await (await fetch(`${address}robots.txt`)).text(), "User-agent: *\nAllow: /\n");
    const manifest = await fetch(`${address}manifest.webmanifest`);
    match(manifest.headers.get("content-type"), /^application\/manifest\+json/);
    for (const path of ["nothing", "docs/nothing/", "assets/nothing.js", "docs/../../package.json"])
      equal((await fetch(address + path)).status, 404, path);
    const { port } = new URL(address);
    await rejects(serveSite(site, Number(port)), new RegExp(`port ${port} is taken`));

    // From any depth, the page for missing files links back to the site. Its styles and script are
    // loaded too, so the search opens.
    await person.driver.goto(`${address}docs/formats/nothing/`);
    await person.find({ role: "heading", name: "Page not found" });
    equal(await person.evaluate(() => getComputedStyle(document.querySelector(".top")).display), "grid");
    await person.click({ role: "button", name: /^Search/ });
    await person.find("#site-query");
    await person.press("Escape");
    await person.click({ role: "link", name: "Look inside an ID" });
    await person.find({ role: "heading", name: "Look inside an ID" });
    equal(await person.evaluate(() => location.pathname), "/");
    // Leave the page, which may still be loading a file.
    await person.driver.goto("about:blank");
  } finally {
    await host.close();
  }
});
