// The recorded tables in www/docs/duel.md: graupel repeats nothing, and the tables match the
// current packages, versions and ways.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { root } from "../support/places.ts";

const page = readFileSync(join(root, "www/docs/duel.md"), "utf8");
const { dependencies } = JSON.parse(readFileSync(join(root, "bench", "package.json"), "utf8"));

/** The rows of a section's table as cells, without the header. */
function rowsOf(section: string): string[][] {
  const [, text = ""] = new RegExp(`<!-- ${section} -->\\n([\\s\\S]*?)<!-- /${section} -->`).exec(page) ?? [];
  const rows = text.split("\n").filter((line) => line.startsWith("|"));
  return rows.map((row) => row.split("|").slice(1, -1)).map((cells) => cells.map((cell) => cell.trim()));
}

/** The number of duplicates in a cell; -1 for a story that does not apply to the package. */
const countOf = (cell = "") => (cell === "-" ? -1 : Number(/\d[\d,]*/.exec(cell)?.[0].replaceAll(",", "")));

test("the whole table has the versions of package.json; graupel's own duplicates are by chance, and marked", () => {
  const [head = [], , ...rows] = rowsOf("duel");
  const disorder = head.indexOf("out of order");
  const own = rows.filter(([name]) => name?.startsWith("graupel "));
  assert.ok(own.length >= 11 && rows.length >= 21 && disorder > 0);
  for (const [name = "", ...cells] of own) {
    const repeated = cells.filter(
      (cell, i) => i + 1 !== disorder && countOf(cell) > 0 && !cell.endsWith(" *"),
    );
    assert.deepEqual(repeated, [], name);
  }
  for (const [name = ""] of rows.filter((row) => !own.includes(row))) {
    const [, dependency = "", version] = /^(\S+) (\S+)$/.exec(name) ?? [];
    assert.equal(version, dependencies[dependency], name);
  }
});

test("the story that the README tells: graupel repeats nothing in it, nor in the short table", () => {
  const [short, told] = ["duel-short", "duel-told"].map((section) =>
    rowsOf(section).slice(2),
  ) as string[][][];
  assert.deepEqual(
    told?.map(([name]) => name),
    short?.map(([name]) => name),
  );
  for (const [name = "", ...cells] of [
    ...(short ?? []),
    ...(told ?? []).map(([name, , cell]) => [name, cell]),
  ]) {
    if (name.startsWith("graupel "))
      assert.ok(
        cells.every((cell) => countOf(cell) <= 0),
        `${name}: ${cells}`,
      );
  }
});

test("the table of the numbering has each way and each story; a lease of graupel alone has no duplicate", async () => {
  const load = (name: string) => import(pathToFileURL(join(root, "bench/duel", name)).href);
  const { ways } = (await load("numbering/ways.mjs")) as { ways: readonly { name: string; how: string }[] };
  const { numbering } = await load("stories.mjs");
  const [head, , ...rows] = rowsOf("duel-numbering");
  assert.deepEqual(
    head?.slice(2),
    numbering.stories.map(({ column }: { column: string }) => column),
  );
  const plain = rows.map(([name = "", how, ...cells]) => ({ name: name.replaceAll("**", ""), how, cells }));
  assert.deepEqual(
    plain.map(({ name, how }) => [name, how]),
    ways.map(({ name, how }) => [name, how]),
  );
  for (const { name, cells } of plain) {
    const counts = cells.map(countOf);
    const isSound = counts.every((count) => count === 0);
    assert.ok(
      counts.every((count) => count >= 0) && isSound === (name === "graupel lease"),
      `${name}: ${counts}`,
    );
  }
});
