/**
 * Every entry treats a copy of a format like the format itself, however it was copied; and a format
 * can be written as JSON.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type AnyFormat, GraupelError, twitter } from "graupel";
import { mysqlId, pgId, sqliteId } from "graupel/drizzle";
import { decode, encode } from "graupel/encode";
import { facts } from "graupel/facts";
import { scalar } from "graupel/graphql";
import { idPlugin } from "graupel/kysely";
import { idPath } from "graupel/mongoose";
import { prefixed } from "graupel/prefixed";
import { idExtension } from "graupel/prisma";
import { jsonSchema, list, optional, shape, standard } from "graupel/schema";
import { sealed } from "graupel/sealed";
import { idAttribute } from "graupel/sequelize";
import { sql } from "graupel/sql";
import { textFormat } from "graupel/text-format";
import { idColumn } from "graupel/typeorm";
import { codec } from "graupel/zod";
import { z } from "zod";
import { named, others, snowflakeSIs } from "../support/layouts.ts";
import { MADE_UP } from "../support/made-up.ts";

/** Copies everything, as libraries do that merge options and expect no cycle. */
function deeply(value: unknown): never {
  if (typeof value !== "object" || value === null) return value as never;
  if (Array.isArray(value)) return value.map(deeply) as never;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, deeply(one)])) as never;
}

/** Copies all properties, also hidden ones, but only in plain objects, as MobX does. */
function plainly(value: unknown): never {
  const prototype = typeof value === "object" && value !== null && Object.getPrototypeOf(value);
  if (prototype !== Object.prototype) return value as never;
  const names = Object.getOwnPropertyNames(value);
  return Object.fromEntries(
    names.map((name) => [name, plainly(Reflect.get(value as object, name))]),
  ) as never;
}

/** Wraps every object in a proxy, as Vue's `reactive` does. */
const reactive = (object: object): object =>
  new Proxy(object, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      return typeof value === "object" && Object.isExtensible(value) ? reactive(value as object) : value;
    },
  });

const COPIES: Readonly<Record<string, (format: object) => object>> = {
  itself: (format) => format,
  proxy: (format) => new Proxy(format, {}),
  reactive,
  spread: (format) => ({ ...format, label: "x" }),
  derived: (format) => Object.create(format),
  assigned: (format) => Object.assign(Object.create(null), format),
  deep: deeply,
  plain: plainly,
  frozen: (format) => Object.freeze({ ...format }),
};

const values = (object: object) =>
  JSON.stringify(object, (_, value) =>
    typeof value === "function" ? `${value.name}` : typeof value === "bigint" ? `${value}n` : value,
  );

// No code knows formats by their names, so a new format works everywhere.
const madeUp = Object.entries(MADE_UP).map(([name, format]) => ({ name, format }));

for (const { name: label, format: natural } of [
  ...named(),
  ...snowflakeSIs().slice(-1),
  ...others(),
  ...madeUp,
]) {
  for (const one of [natural, natural.text]) {
    const format = one as never as typeof natural & AnyFormat;
    const { valueType, columnType, name } = format;
    test(`${label}, IDs of the type ${valueType}`, () => {
      const [min, max] = Object.values(format.range()) as [never, never];
      const text = format.format(max);
      assert.ok(typeof max === valueType && typeof min === valueType);
      assert.equal(columnType, (natural as never as AnyFormat).valueType);
      const known = facts[name as keyof typeof facts] as (typeof facts)["sno"] | undefined;
      // The facts do not know the ID type of a declaration.
      if (known?.fields) assert.equal(columnType, known.id.type);
      for (const [way, copy] of Object.entries(COPIES)) {
        const like = copy(format) as never;
        assert.equal(z.decode(codec(like), text), max, way);
        assert.equal(z.encode(codec(like), max), text, way);
        // Input from outside is always text.
        assert.equal(codec(like).safeParse(max).success, typeof max === "string", way);
        const pattern = new RegExp((z.toJSONSchema(codec(like)) as { pattern: string }).pattern, "u");
        // Every text of an ID matches. Texts that are twice as long, or have other characters, do
        // not.
        const texts = [text, format.format(min), text.toUpperCase()];
        for (const one of texts.filter((one) => codec(like).safeParse(one).success))
          assert.match(one, pattern, way);
        const others = ["", `-${text}`, `${text}${text}`, " 1", "1.5", "x".repeat(30), "1".repeat(30)];
        for (const one of others) assert.doesNotMatch(one, pattern, way);
        assert.deepEqual(jsonSchema(like), jsonSchema(format), way);
        assert.equal(scalar(like, "A").parseValue(text), max, way);
        assert.equal(scalar(like, "A").serialize(max), text, way);
        assert.deepEqual(shape({ ids: list(like) })["~standard"].validate({ ids: [text] }), {
          value: { ids: [max] },
        });
        for (const encoding of ["base62", "base58", "crockford32", "hex"] as const)
          assert.equal(decode(like, encode(like, max, encoding), encoding), max, way);
        assert.equal(prefixed(like, "a_").parse(`a_${text}`), max, way);
        const seal = sealed(like, new Uint8Array(16).fill(1));
        assert.equal(seal.open(seal.seal(max)), max, way);
        const from = Date.UTC(2032, 0, 1);
        assert.equal(sql(like, "postgres").min(from), sql(format, "postgres").min(from), way);
        assert.equal(values(pgId(like)()), values(pgId(format)()), way);
        if (columnType !== valueType && format.format(format.fromBigInt(10n) as never) !== "10") {
          assert.throws(() => idColumn(like), { code: "TYPE" }, way);
        } else {
          assert.equal(values(idColumn(like)), values(idColumn(format)), way);
          assert.equal(idColumn(like).transformer.from(idColumn(like).transformer.to(max)), max, way);
        }
        assert.equal(values(idAttribute(like)), values(idAttribute(format)), way);
        // A text in another base can look like a decimal one.
        if (columnType !== "string" && valueType === "string" && ![0, 10].includes(format.layout.base))
          assert.throws(() => idPath(like), { code: "TYPE" }, way);
        else assert.equal(values(idPath(like)), values(idPath(format)), way);
      }
    });

    test(`${label} as JSON, IDs of the type ${valueType}`, () => {
      const { layout, epoch } = format;
      const read = JSON.parse(JSON.stringify({ format, copy: { ...format } }));
      assert.deepEqual(read.format, { name, epoch, layout });
      assert.deepEqual(read.copy, read.format);
    });
  }
}

test("a core that does not start is an error of the server", () => {
  const parse = () => {
    throw new GraupelError("CORE", "no WebAssembly");
  };
  const broken = { ...twitter, parse } as typeof twitter;
  assert.throws(() => codec(broken).safeParse("1"), { name: "GraupelError", code: "CORE" });
  assert.throws(() => scalar(broken, "A").parseValue("1"), { name: "GraupelError", code: "CORE" });
});

test("every entry rejects an invalid format at once", () => {
  const texts = prefixed(twitter, "a_") as never;
  const entries: readonly ((format: never) => unknown)[] = [
    ...[mysqlId, pgId, sqliteId, idPath, idAttribute, idColumn, jsonSchema, standard, codec, list, optional],
    ...[(id: never) => idPlugin({ t: { id } }), (id: never) => idExtension({ T: { id } })],
    ...[(id: never) => shape({ id }), (format: never) => scalar(format, "A")],
    ...[(format: never) => sql(format, "mysql"), (format: never) => prefixed(format, "a_")],
    ...[(format: never) => sealed(format, new Uint8Array(16)), (format: never) => textFormat(format, texts)],
    ...[(format: never) => encode(format, 1n as never, "hex"), (format: never) => decode(format, "1", "hex")],
  ];
  for (const entry of entries)
    for (const bad of [undefined, null, {}, "twitter", 0, { "~standard": {} }, { parse: () => 1n }])
      assert.throws(() => entry(bad as never), { name: "GraupelError", code: "TYPE" }, `${entry}`);
});
