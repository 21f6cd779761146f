/**
 * The API reference that typedoc generates from the comments in js/. Every export must be in it and
 * have a description.
 */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { entriesOf, packageDirectory, root } from "../support/places.ts";
import { run, tool } from "../support/user-project.ts";

const typedoc = [...tool("typedoc", "bin", "typedoc"), "--pretty", "false"];
const settings = JSON.parse(readFileSync(join(root, "typedoc.json"), "utf8"));
const entryPoints: readonly string[] = settings.entryPoints;

const place = mkdtempSync(join(tmpdir(), "graupel-reference-"));
after(() => rmSync(place, { recursive: true, force: true }));

test("every entry of the package is an entry of the reference, under the name that it is imported by", () => {
  // graupel/pure and its entries have the same declarations.
  const imported = [...entriesOf(packageDirectory).keys()].filter((name) => !/^graupel\/pure\b/.test(name));
  const named = entryPoints.map((file) => {
    return / \* @module (\S+)\n/.exec(readFileSync(join(root, file), "utf8"))?.[1];
  });
  assert.deepEqual(named.sort(), imported.sort());
});

test("every export, member and link is documented", async () => {
  const { code, stdout, stderr } = await run([...typedoc, "--out", place], root);
  assert.equal(stderr.trim(), "");
  assert.doesNotMatch(stdout, /warning|error/i);
  assert.equal(code, 0);
});
