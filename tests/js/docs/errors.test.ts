// www/docs/errors.md: every code has a section, under the anchor to which messages link, and every
// section has a code.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { CODES } from "../support/codes.ts";
import { root } from "../support/places.ts";

const page = readFileSync(join(root, "www/docs/errors.md"), "utf8");
const [introduction = "", ...sections] = page.split(/^## /m).map((section) => section.trim());
const titled = new Map(sections.map((section) => [section.split("\n")[0] ?? "", section]));

test("every code has a section of its own, with its cause and its remedy", () => {
  const [first, ...titles] = titled.keys();
  assert.equal(first, "What an error has");
  assert.deepEqual(titles.sort(), CODES);
  for (const code of titles) {
    assert.match(
      titled.get(code) ?? "",
      /^\*\*Cause\.\*\* \S[\s\S]*^\*\*Remedy\.\*\*|^\| message \| remedy \|/m,
      code,
    );
  }
});

test("the table at the top leads to every code", () => {
  const links = [...introduction.matchAll(/\[`(\w+)`\]\(#(\w+)\)/g)];
  for (const [, code, anchor] of links) assert.equal(anchor, code?.toLowerCase());
  assert.deepEqual([...new Set(links.map(([, code]) => code))].sort(), CODES);
});
