// The table of rooms in docs/architecture.md. Every file in js/ is in a room and imports only what
// the room may import. No file is too long, and no other room names a dialect.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { test } from "node:test";
import { root } from "../support/places.ts";
import { output } from "../support/user-project.ts";

const page = readFileSync(join(root, "docs", "architecture.md"), "utf8");
const [, table = ""] = /\| room \| holds \| may import \|\n.*\n([\s\S]*?)\n\n/.exec(page) ?? [];

interface Row {
  /** Files and folders, without `js/` and file extensions. */
  readonly paths: readonly string[];
  /** What the row may import, as written: names of rooms, some with a remark. */
  readonly may: readonly string[];
}
const rows: Row[] = table.split("\n").flatMap((line) => {
  const [, names = "", , may = ""] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
  const paths = [...names.matchAll(/`(.+?)`/g)].map(([, path = ""]) => path.replace(/^js\/|\/$|\.ts$/g, ""));
  return names.startsWith("`js/") ? [{ paths, may: may.split(/, (?:and )?(?![^(]*\))/) }] : [];
});

/** The row of a room, or of a file in a room. */
const rowOf = (path: string) =>
  rows.find(({ paths }) => paths.some((one) => path === one || path.startsWith(`${one}/`)));

/** Whether a file may import another. `typeOnly` is true for type imports. */
function allowed(file: string, other: string, typeOnly: boolean, row = rowOf(file)): boolean {
  if (row === undefined) return false;
  if (row.paths.some((one) => other === one || other.startsWith(`${one}/`))) return true;
  return row.may.some((words) => {
    const [, above] = /^what (.+) may import$/.exec(words) ?? [];
    if (above !== undefined) return allowed(file, other, typeOnly, rowOf(above));
    const [, room = "", remark = ""] = /^(\S+)(?: \((.+)\))?$/.exec(words) ?? assert.fail(words);
    // "- (`likeliest.ts`: formats)" means that only this file may import formats.
    const [, only, its = ""] = /^`(.+)\.ts`: (.+)$/.exec(remark) ?? [];
    const target = only === undefined ? room : basename(file) === only ? its : "-";
    if (other !== target && !other.startsWith(`${target}/`)) return false;
    if (remark === "its types") return typeOnly;
    return !/ alone$/.test(remark) || remark === `\`${basename(other)}.ts\` alone`;
  });
}

const js = join(root, "js");
const sources = (readdirSync(js, { recursive: true }) as string[])
  .filter((name) => /(?<!\.d)\.ts$/.test(name))
  .map((name) => name.replace(/\.ts$/, ""));

test("every file is in a room", () => {
  assert.ok(rows.length > 10 && sources.length > 100);
  assert.deepEqual(
    sources.filter((file) => rowOf(file) === undefined),
    [],
  );
});

test("no source has 400 lines or more", async () => {
  const listed = await output(["git", "ls-files", "*.rs", "*.ts", "*.tsx", "*.mjs"], root);
  const linesOf = (file: string) => readFileSync(join(root, file), "utf8").split("\n").length - 1;
  assert.deepEqual(
    listed
      .trim()
      .split("\n")
      .filter((file) => linesOf(file) >= 400),
    [],
  );
});

test("only its row, its entry and the habits of its IDs name a dialect", async () => {
  // Comments are left out.
  const named = ["git", "grep", "-ilE", "^[^*/]*sonyflake"];
  const listed = await output([...named, "--", "src", "js", "xtask", "bench"], root);
  assert.deepEqual(
    listed
      .trim()
      .split("\n")
      .filter((file) => /\.(?:rs|[cm]?[jt]sx?)$/.test(file)),
    ["js/formats/snowflake.ts", "js/habits.ts", "src/formats/mod.rs", "src/formats/snowflake.rs"],
  );
});

test("imports run one way, as the table says", () => {
  const wrong: string[] = [];
  for (const file of sources) {
    const text = readFileSync(join(js, `${file}.ts`), "utf8");
    for (const [, what = "", path = ""] of text.matchAll(
      /^(?:import|export) (?:([^;"]*?)from )?"(\.[^"]+)\.js";/gm,
    )) {
      const other = relative(js, join(js, dirname(file), path));
      const typeOnly = what.startsWith("type ") || !/[{,]\s*(?!type )\w/.test(what);
      if (!allowed(file, other, typeOnly)) wrong.push(`${file} imports ${other}`);
    }
  }
  assert.deepEqual(wrong, []);
});
