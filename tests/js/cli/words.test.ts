/**
 * The command line and the site describe a format in words that are listed by its name. Every
 * format and every option must have them.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SAID } from "../../../www/src/lib/said.ts";
import { ROWS } from "../support/formats.ts";
import { facts, make, NAMES } from "../support/make.ts";
import { root } from "../support/places.ts";

interface Words {
  readonly title: string;
  readonly about: string;
  readonly declaration?: object;
  readonly options?: object;
  readonly call?: number;
  readonly id?: string;
}

const read = (file: string) => JSON.parse(readFileSync(join(root, "js", "cli", file), "utf8"));
const words: {
  readonly formats: Readonly<Record<string, Words>>;
  readonly options: Readonly<Record<string, { readonly about?: string }>>;
  readonly pages: Readonly<Record<string, string>>;
} = read("words.json");
const palette: { readonly kinds: object; readonly roles: Readonly<Record<string, string>> } =
  read("palette.json");

/** The formats that are not a layout of another format. */
const own = NAMES.filter((name) => Object.keys(facts[name].given).length === 0);

test("every format has a title, a sentence, and an example that generates", () => {
  assert.deepEqual(Object.keys(words.formats), own);
  for (const name of own) {
    const { title, about, declaration, options, call } = words.formats[name] as Words;
    assert.ok(title !== "" && about !== "", name);
    const format = make(name, facts[name].declared ? { epoch: Date.UTC(2024, 0, 1), ...declaration } : {});
    const generator = options === undefined ? format : format.generator(options);
    const id = (generator as { next(call?: number): string }).next(call);
    assert.ok(format.isValid(id), name);
  }
});

test("every option that can be typed is explained, and nothing else is", () => {
  const kinds = ["number", "duration", "time", "word", "fields", "field"];
  const options = NAMES.flatMap((name) => {
    const { declaration, options, fields } = facts[name];
    const calls = (fields ?? []).filter(({ role }) => role === "call");
    return [...[...declaration, ...options].filter(({ kind }) => kinds.includes(kind)), ...calls];
  });
  const wordless = options.filter((option) => words.options[option.name]?.about === undefined);
  // A policy needs no explanation beyond its words, and `notBefore` is for programs.
  assert.deepEqual([...new Set(wordless.map(({ name }) => name))].sort(), [
    "clockBackwards",
    "notBefore",
    "sequenceFull",
  ]);
  const names = new Set([...options.map(({ name }) => name), "radix"]);
  assert.deepEqual(
    Object.keys(words.options).filter((name) => !names.has(name)),
    [],
  );
});

test("every dialect has an ID of its service", () => {
  for (const name of own) {
    const { entry, declared } = facts[name];
    const { id } = words.formats[name] as Words;
    assert.equal(id !== undefined, entry === "graupel/snowflake" && !declared, name);
    if (id !== undefined) assert.ok(make(name).isValid(id), name);
  }
});

test("every format is on a page, and every page has its line in the index", () => {
  const written = readdirSync(join(root, "www", "docs", "formats")).map((file) => file.replace(".md", ""));
  assert.deepEqual(Object.keys(words.pages).sort(), written.sort());
  for (const { page } of ROWS) assert.ok(Object.hasOwn(words.pages, page), page);
});

test("the site: every option that it offers is labelled", () => {
  const has = (name: string) =>
    NAMES.every((one) => facts[one].options.some((option) => option.name === name));
  const kinds = ["number", "time", "word", "fields", "field"];
  const offered = own.flatMap((name) => {
    const { declaration, options, fields } = facts[name];
    const fixed = (fields ?? []).filter(({ role }) => role === "fixed").map((field) => field.name);
    const others = options.filter(({ name }) => !has(name) && !fixed.includes(name));
    return [...declaration, ...others].filter(({ kind }) => kinds.includes(kind));
  });
  for (const option of offered) assert.ok(SAID[option.name]?.(option).label, option.name);
  assert.deepEqual([...new Set(offered.map(({ name }) => name))].sort(), Object.keys(SAID).sort());
});

test("every role has a kind, and a name has one role in all formats", () => {
  const roles = new Map<string, string>();
  for (const name of NAMES) {
    for (const field of facts[name].fields ?? []) {
      assert.equal(roles.get(field.name) ?? field.role, field.role, `${name}: ${field.name}`);
      roles.set(field.name, field.role);
    }
  }
  for (const role of roles.values()) {
    assert.ok(Object.hasOwn(palette.kinds, palette.roles[role] as string), role);
  }
  assert.ok(roles.size > 10);
});
