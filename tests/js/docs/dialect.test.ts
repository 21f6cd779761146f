/**
 * What a dialect takes. The files that name one are few; Sonyflake is the example, as it has an entry of others, a tick and a page of its
 * own. Data (JSON) and prose (Markdown) name formats by nature, and comments may.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { test } from "node:test";
import { facts } from "graupel/facts";
import { root } from "../support/places.ts";

/** In two parts, so that this file does not name it. */
const NAME = new RegExp(["sony", "flake"].join(""), "i");

const LEFT_OUT = ["node_modules", "generated", "target"].map((name) => `${sep}${name}${sep}`);
const CODE = /\.(rs|[cm]?[jt]sx?)$/;

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");

/** The files of code in a room. */
const filesOf = (room: string): string[] =>
  readdirSync(join(root, room), { recursive: true, encoding: "utf8" })
    .map((path) => join(room, path))
    .filter((path) => CODE.test(path) && !LEFT_OUT.some((part) => path.includes(part)))
    .map((path) => path.split(sep).join("/"))
    .sort();

/** Those that name it in their code. */
const naming = (room: string): string[] =>
  filesOf(room).filter((path) => NAME.test(withoutComments(readFileSync(join(root, path), "utf8"))));

/** A name of a format, or the export itself, in a comparison or as the key of a decision. */
const NAMES = Object.keys(facts).join("|");
const EXPORTS = Object.values(facts)
  .map((one) => one.export)
  .join("|");
const DECIDES = new RegExp(
  [
    `(?:[!=]==?|\\bcase|\\b(?:startsWith|endsWith|includes|indexOf)\\()\\s*["'](?:${NAMES})["']`,
    `["'](?:${NAMES})["']\\s*(?:[!=]==?)`,
    `[!=]==?\\s*(?:${EXPORTS})\\b(?:\\.name)?|\\b(?:${EXPORTS})(?:\\.name)?\\s*[!=]==?`,
    `\\bfacts(?:\\.|\\[")(?:${NAMES})\\b`,
  ].join("|"),
);

test("nothing decides by a format's name but formats themselves: what is known of the IDs of services is data", () => {
  const free = ["js/formats/", "js/generated/"];
  const deciding = ["js", "xtask", "www/src"]
    .flatMap((room) => filesOf(room))
    .filter((path) => !free.some((start) => path.startsWith(start)))
    .filter((path) => DECIDES.test(withoutComments(readFileSync(join(root, path), "utf8"))));
  assert.deepEqual(deciding, []);
  for (const text of [
    'name === "sno"',
    'case "discord":',
    'name.startsWith("nanoflake")',
    "x !== sno.name",
  ]) {
    assert.match(text, DECIDES);
  }
});

test("a dialect is named by its row, its place among the formats, its export, and what its IDs look like", () => {
  assert.deepEqual(
    [...naming("src"), ...naming("js"), ...naming("xtask"), ...naming("bench")],
    ["src/formats/mod.rs", "src/formats/snowflake.rs", "js/formats/snowflake.ts", "js/habits.ts"],
  );
});

test("beside them, by sentences of the site and its finder, and by tests that are about it", () => {
  assert.deepEqual(
    [...naming("www"), ...naming("tests")],
    [
      "www/src/choose/collisions.tsx",
      "www/src/find/context.ts",
      "www/src/look/beginning.tsx",
      "tests/js/package/samples/refused.ts",
      "tests/js/www/corpus/family.ts",
      "tests/js/www/corpus/logs.ts",
      "tests/js/www/corpus/services.ts",
      "tests/js/www/encodings.test.ts",
      "tests/js/www/find.test.ts",
      "tests/www/tests/clock.mjs",
      "tests/www/tests/documents.mjs",
    ],
  );
});
