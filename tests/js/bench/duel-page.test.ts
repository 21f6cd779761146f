// The tables of www/docs/duel.md: the short one adds up the whole one, and all are of the packages and ways that are there.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { root } from "../support/places.ts";

const page = readFileSync(join(root, "www/docs/duel.md"), "utf8");
const { dependencies } = JSON.parse(readFileSync(join(root, "bench", "package.json"), "utf8"));

/** A section's table: the cells of each row, by the head's words, by the row's first cell. */
function tableOf(section: string): Map<string, Map<string, string>> {
  const [, text = ""] = new RegExp(`<!-- ${section} -->\\n([\\s\\S]*?)<!-- /${section} -->`).exec(page) ?? [];
  const [head = [], , ...rows] = text
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim()),
    );
  return new Map(
    rows.map(([name = "", ...cells]) => [name, new Map(cells.map((cell, i) => [head[i + 1] ?? "", cell]))]),
  );
}

/** How many duplicates a cell says; -1 for a story in which the package has no part. */
const countOf = (cell = "") => (cell === "-" ? -1 : Number(/\d[\d,]*/.exec(cell)?.[0].replaceAll(",", "")));

const short = tableOf("duel-short");
const whole = tableOf("duel");

/** What the short table's columns add up. */
const ADDED: Record<string, readonly string[]> = {
  "clock set back": ["back 1 ms", "back 30 ms", "back 1 s", "back 1 h"],
  "generator per call": ["generator per call"],
  "started together": ["started together"],
  "killed and restarted": ["killed and restarted"],
  "full speed": ["tight loop"],
};

/** The row of a package in the whole table, where its version follows its name. */
const rowOf = (name: string) =>
  whole.get(name) ?? [...whole].find(([other]) => other.startsWith(`${name} `))?.[1] ?? assert.fail(name);

test("the short table adds up the whole one", () => {
  assert.equal(short.size, 8);
  for (const [name, cells] of short) {
    assert.deepEqual([...cells.keys()], Object.keys(ADDED));
    for (const [column, cell] of cells) {
      const parts = (ADDED[column] ?? []).map((part) => countOf(rowOf(name).get(part)));
      const sum = parts.reduce((a, b) => a + b, 0);
      assert.equal(countOf(cell), sum, `${name}, ${column}`);
    }
  }
});

test("the story that the README tells: the same packages as in the short table, and graupel repeats nothing", () => {
  const told = tableOf("duel-told");
  assert.deepEqual([...told.keys()], [...short.keys()]);
  for (const [name, cells] of told) {
    assert.ok(countOf(cells.get("IDs")) > 50_000, name);
    const repeated = countOf(cells.get("repeated"));
    assert.ok(repeated <= countOf(rowOf(name).get("back 30 ms")), name);
    if (name.startsWith("graupel ")) assert.equal(repeated, 0, name);
  }
});

test("the whole table has the versions of package.json; graupel's own duplicates are by chance, and marked", () => {
  const [own, others] = [true, false].map((isOurs) =>
    [...whole].filter(([name]) => name.startsWith("graupel ") === isOurs),
  ) as [[string, Map<string, string>][], [string, Map<string, string>][]];
  assert.ok(own.length >= 11 && others.length >= 10);
  for (const [name] of others) {
    const [, dependency = "", version] = /^(\S+) (\S+)$/.exec(name) ?? [];
    assert.equal(version, dependencies[dependency], name);
  }
  for (const [name, cells] of own)
    for (const [column, cell] of cells)
      assert.ok(
        column === "out of order" || countOf(cell) <= 0 || cell.endsWith(" *"),
        `${name}, ${column}: ${cell}`,
      );
});

test("the table of the numbering has each way and each story; a lease of graupel alone has no duplicate", async () => {
  const load = (name: string) => import(pathToFileURL(join(root, "bench/duel", name)).href);
  const { ways } = (await load("numbering/ways.mjs")) as { ways: readonly { name: string; how: string }[] };
  const { numbering } = await load("stories.mjs");
  const columns = (numbering.stories as readonly { column: string }[]).map(({ column }) => column);
  const table = [...tableOf("duel-numbering")].map(
    ([name, cells]) => [name.replaceAll("**", ""), cells] as const,
  );
  assert.deepEqual(
    table.map(([name, cells]) => [name, cells.get("")]),
    ways.map(({ name, how }) => [name, how]),
  );
  for (const [name, cells] of table) {
    assert.deepEqual([...cells.keys()], ["", ...columns]);
    const counts = columns.map((column) => countOf(cells.get(column)));
    assert.ok(
      counts.every((count) => count >= 0) && counts.some((count) => count > 0) === (name !== "graupel lease"),
      `${name}: ${counts}`,
    );
  }
  assert.ok(page.includes(`nodejs-snowflake ${dependencies["nodejs-snowflake"]}. `));
});
