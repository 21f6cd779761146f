// The figures that the README and the comparison quote are those of the pages that the duel, the bench and the hosts' run have written.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../support/places.ts";

const read = (file: string): string => readFileSync(join(root, file), "utf8");

/** The cells of the first row of a page that begins with a name, without the marks for bold text. */
function row(page: string, name: string): readonly string[] {
  const line = read(page)
    .split("\n")
    .map((line) => line.replaceAll("**", ""))
    .find((line) => line.startsWith(`| ${name} `));
  assert.ok(line !== undefined, `${page} has no row ${name}`);
  return line.split("|").map((cell) => cell.trim());
}

/** What a pattern's groups match in a text, whose line breaks count as spaces. */
function quoted(text: string, pattern: RegExp): readonly string[] {
  const found = pattern.exec(text.replaceAll(/\s+/g, " "));
  assert.ok(found !== null, `no match for ${pattern}`);
  return found.slice(1);
}

const setBack = (name: string) => row("www/docs/duel.md", name)[2]?.split(" ")[0];
const eachCall = (name: string) => row("www/docs/duel.md", name)[3];
const ns = (name: string) => row("www/docs/speed.md", name)[2];

test("README: duplicates", () => {
  const figures = quoted(
    read("README.md"),
    /`nodejs-snowflake` repeats ([\d,]+) IDs, `@sapphire\/snowflake` ([\d,]*\d)/,
  );
  assert.deepEqual(figures, [setBack("nodejs-snowflake"), setBack("@sapphire/snowflake")]);
  assert.deepEqual([setBack("graupel twitter"), setBack("graupel sno")], ["0", "0"]);
});

test("README: nanoseconds", () => {
  const sentence =
    /A 64-bit ID takes (\d+ ns), while these two take (\d+) and (\d+ ns); a sno takes (\d+ ns), while `ulid` takes (\d+ ns)/;
  const [key, first, second, sno, ulid] = quoted(read("README.md"), sentence);
  assert.deepEqual([key, sno, ulid], [ns("graupel twitter"), ns("graupel sno"), ns("ulid")]);
  assert.deepEqual([`${first} ns`, second], [ns("nodejs-snowflake"), ns("@sapphire/snowflake")]);
});

test("comparison: duplicates", () => {
  const names = ["@sapphire/snowflake", "nodejs-snowflake"];
  assert.deepEqual(
    row("www/docs/why.md", "duplicates when the clock is set back")?.slice(6, 8),
    names.map(setBack),
  );
  assert.deepEqual(
    row("www/docs/why.md", "duplicates with a new generator")?.slice(6, 8),
    names.map(eachCall),
  );
});
