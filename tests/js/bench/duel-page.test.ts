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

test("the versions are those that package.json names", () => {
  const names = [...whole.keys()].filter((name) => !name.startsWith("graupel "));
  assert.ok(names.length >= 10);
  for (const name of names) {
    const [, dependency = "", version] = /^(\S+) (\S+)$/.exec(name) ?? [];
    assert.equal(version, dependencies[dependency], name);
  }
});

test("graupel's own duplicates are by chance, and marked", () => {
  const rows = [...whole].filter(([name]) => name.startsWith("graupel "));
  assert.ok(rows.length >= 11);
  for (const [name, cells] of rows) {
    for (const [column, cell] of cells) {
      if (column === "out of order") continue;
      assert.ok(countOf(cell) <= 0 || cell.endsWith(" *"), `${name}, ${column}: ${cell}`);
    }
  }
});

test("the table of the numbering has each way and each story, and no duplicate of graupel", async () => {
  const load = (name: string) => import(pathToFileURL(join(root, "bench/duel", name)).href);
  const { ways } = (await load("numbering/ways.mjs")) as { ways: readonly { name: string; how: string }[] };
  const { numbering } = (await load("stories.mjs")) as {
    numbering: { stories: readonly { column: string }[] };
  };
  const table = tableOf("duel-numbering");
  const plain = new Map([...table].map(([name, cells]) => [name.replaceAll("**", ""), cells]));
  assert.deepEqual(
    [...plain.keys()],
    ways.map(({ name }) => name),
  );
  const columns = numbering.stories.map(({ column }) => column);
  for (const { name, how } of ways) {
    const cells = plain.get(name) ?? assert.fail(name);
    assert.deepEqual([...cells.keys()], ["", ...columns]);
    assert.equal(cells.get(""), how);
    for (const column of columns) {
      const count = countOf(cells.get(column));
      assert.ok(name === "graupel lease" ? count === 0 : count >= 0, `${name}, ${column}`);
    }
    const sum = columns.reduce((total, column) => total + countOf(cells.get(column)), 0);
    assert.equal(sum > 0, name !== "graupel lease", `${name}: ${sum} duplicates`);
  }
  assert.ok(page.includes(`nodejs-snowflake ${dependencies["nodejs-snowflake"]}. `));
});
