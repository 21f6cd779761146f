// What other programs read of a page: its title, its description, and the picture that a chat shows of a link.

import { deepEqual, equal, ok } from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { site } from "../../../www/build.mjs";
import { addressesOf } from "../../../www/site/address.mjs";
import { PREVIEW } from "../../../www/site/preview.mjs";
import { test } from "../lib/test.mjs";

const ONCE = { only: ["Chromium"] };

/** The HTML of all pages, by their paths. */
const readPages = () =>
  readdirSync(site, { recursive: true })
    .filter((name) => name.endsWith(".html"))
    .map((name) => [name.split(sep).join("/"), readFileSync(join(site, name), "utf8")]);

const contentOf = (html, name) =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)">`).exec(html)?.[1];

test("head: every page has a title of its own, a description, and a preview", ONCE, async () => {
  const titles = new Map();
  for (const [page, html] of readPages()) {
    const title = /<title>([^<]+)<\/title>/.exec(html)?.[1];
    ok(title !== undefined, page);
    const same = titles.get(title);
    // Two exports may have one name: `sno` and `Sno` have not.
    ok(same === undefined || page.startsWith("docs/reference/"), `${page} and ${same}: ${title}`);
    titles.set(title, page);
    const description = contentOf(html, "description");
    ok(description.length >= 10 && description.length <= 170, `${page}: ${description}`);
    ok(!/[`{}]|<!--|undefined/.test(title + description), `${page}: ${title}, ${description}`);
    deepEqual([contentOf(html, "og:title"), contentOf(html, "og:description")], [title, description], page);
    equal(contentOf(html, "twitter:card"), "summary_large_image", page);
    const image = new URL(contentOf(html, "og:image"), `http://site/${page}`).pathname;
    const bytes = readFileSync(join(site, image));
    equal(bytes.toString("latin1", 1, 4), "PNG", image);
    deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [PREVIEW.width, PREVIEW.height], image);
  }
  return `${titles.size} titles`;
});

test("head: package.json decides where the site and its source are", ONCE, async () => {
  const name = "graupel";
  const none = { install: "npm install graupel", source: undefined, site: undefined, path: "/" };
  deepEqual(addressesOf({ name }), none);
  for (const homepage of [
    "https://example.org/ids",
    "https://example.org/ids/",
    "https://example.org/ids/#readme",
  ])
    deepEqual(addressesOf({ name, homepage }), { ...none, site: "https://example.org/ids/", path: "/ids/" });
  const page = "https://github.com/example/ids";
  for (const url of ["github:example/ids", "example/ids", `git+${page}.git`, page]) {
    equal(addressesOf({ name, repository: url }).source, page);
    equal(addressesOf({ name, repository: { type: "git", url } }).source, page);
  }
});
