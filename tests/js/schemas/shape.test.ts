/**
 * Schemas of objects and lists of IDs: the accepted values, the issues, and that inherited
 * properties do not count.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { runInNewContext } from "node:vm";
import { prefixed } from "graupel/prefixed";
import { twitter as pureTwitter } from "graupel/pure/snowflake";
import { jsonSchema, list, optional, shape, standard } from "graupel/schema";
import { sno } from "graupel/sno";
import { discord, twitter } from "graupel/snowflake";
import { snowflakeSI } from "graupel/snowflake-si";
import { z } from "zod";
import { named, snowflakeSIs } from "../support/layouts.ts";

/** From a busy millisecond, so that rounding changes them. */
const A = 1585841080431321657n;
const B = 1585841080431321659n;

type Anything = {
  readonly value?: unknown;
  readonly issues?: readonly { message: string; path?: readonly unknown[] }[];
};
const run = (schema: { readonly "~standard": { validate(value: unknown): unknown } }, value: unknown) =>
  schema["~standard"].validate(value) as Anything;
/** The paths and codes of the issues. */
const told = (result: Anything) =>
  result.issues?.map(({ message, path }) => [path?.join("."), /\[(\w+)\]$/.exec(message)?.[1]]);

describe("shape", () => {
  test("returns each ID in its format's type, to the last digit", () => {
    const orders = snowflakeSI({ epoch: Date.UTC(2024, 0, 1) });
    const pure = pureTwitter;
    const all = shape({
      user: twitter,
      text: twitter.text,
      order: orders,
      log: sno,
      pure,
      public: prefixed(discord, "d_"),
    });
    const [user, log, order] = [`${A}`, "brpk4q72xwf2m63l", 259050700800769];
    assert.deepEqual(run(all, { user, text: user, order: `${order}`, log, pure: user, public: `d_${A}` }), {
      value: { user: A, text: user, order, log, pure: A, public: A },
    });
  });

  for (const { name: label, format } of named()) {
    test(`${label}: a key has the format's result`, () => {
      const ids = shape({ id: format as never });
      const { max } = format.range();
      assert.deepEqual(run(ids, { id: format.format(max) }), { value: { id: max } });
      assert.deepEqual(run(ids, { id: max }), { value: { id: max } });
      const texts = ["", " ", "00", "\ud800", "1".repeat(99_999)];
      for (const bad of [...texts, undefined, null, -1, 2 ** 60, {}, [], [format.format(max)]]) {
        const { issues } = run(format, bad);
        assert.deepEqual(run(ids, { id: bad }).issues, [{ message: issues?.[0]?.message, path: ["id"] }]);
      }
    });
  }

  test("reports every issue with its path and code", () => {
    const inner = shape({ f: list(sno) });
    const query = shape({ a: twitter, b: twitter, c: optional(twitter), d: list(twitter), e: inner });
    const ids = ["brpk4q72xwf2m63l", 1n, "brpk4q72xwf2m63L"];
    assert.deepEqual(told(run(query, { a: "01", c: "", d: ["1", "2x"], e: { f: ids } })), [
      ["a", "NOT_CANONICAL"],
      ["b", "TYPE"],
      ["c", "LENGTH"],
      ["d.1", "CHARACTER"],
      ["e.f.1", "TYPE"],
      ["e.f.2", "CHARACTER"],
    ]);
    assert.deepEqual(told(run(query, { a: "1", b: "1", d: "1", e: [] })), [["e", "TYPE"]]);
  });

  test("leaves out other keys, and missing optional ones", () => {
    const query = shape({ id: twitter, parent: optional(twitter) });
    const { value } = run(query, { id: `${A}`, host: "localhost", parent: undefined });
    assert.deepEqual(value, { id: A });
    assert.equal(Object.hasOwn(value as object, "parent"), false);
    assert.deepEqual(run(query, { id: `${A}`, parent: `${B}` }), { value: { id: A, parent: B } });
    assert.deepEqual(run(shape({}), { id: 1 }), { value: {} });
  });

  test("inherited properties are ignored, and names of Object's prototype are ordinary keys", () => {
    const parts = { constructor: twitter, toString: optional(twitter), ["__proto__"]: optional(twitter) };
    const odd = shape(parts);
    assert.deepEqual(told(run(odd, {})), [["constructor", "TYPE"]]);
    assert.deepEqual(told(run(shape({ id: twitter }), Object.create({ id: `${A}` }))), [["id", "TYPE"]]);
    const { value } = run(odd, JSON.parse(`{"constructor":"${A}","__proto__":"${B}"}`));
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    assert.deepEqual(Object.entries(value as object), [
      ["constructor", A],
      ["__proto__", B],
    ]);
    const bare = Object.assign(Object.create(null), { id: `${A}` });
    assert.deepEqual(run(shape({ id: twitter }), Object.freeze(bare)), { value: { id: A } });
    assert.deepEqual(run(shape({ id: twitter }), runInNewContext(`({ id: "${A}" })`)), { value: { id: A } });
    try {
      Object.defineProperty(Object.prototype, "parent", { value: "1", configurable: true });
      assert.deepEqual(run(shape({ parent: optional(twitter) }), {}), { value: {} });
    } finally {
      Reflect.deleteProperty(Object.prototype, "parent");
    }
  });

  test("a value that is not an object is one issue without a path", () => {
    for (const bad of [undefined, null, "", 1, 1n, true, [], [{ id: "1" }], () => 1, Symbol("id")]) {
      assert.deepEqual(run(shape({ id: twitter }), bad), {
        issues: [{ message: "value: expected an object [TYPE]" }],
      });
    }
  });

  test("a later change of the declaration has no effect", () => {
    const parts: Record<string, typeof twitter> = { id: twitter };
    const ids = shape(parts);
    parts.other = twitter;
    assert.deepEqual(run(ids, { id: `${A}` }), { value: { id: A } });
  });

  test("schemas of other libraries are accepted, unless they return a promise", () => {
    const tags = z.object({ first: z.string() }).optional();
    const body = shape({ id: twitter, name: z.string().min(2), tags });
    assert.deepEqual(run(body, { id: `${A}`, name: "Ada" }), { value: { id: A, name: "Ada" } });
    const { issues } = run(body, { id: `${A}`, name: "A", tags: {} });
    const paths = issues?.map(({ path }) => path);
    assert.deepEqual(paths, [["name"], ["tags", "first"]]);
    const later = shape({ id: z.string().refine(async () => false) });
    assert.throws(() => run(later, { id: "x" }), { name: "GraupelError", code: "TYPE" });
  });

  test("an invalid declaration is rejected at once", () => {
    for (const bad of [undefined, null])
      assert.throws(() => shape(bad as never), { name: "GraupelError", code: "TYPE" });
  });
});

describe("Standard JSON Schema", () => {
  const OPTIONS = { target: "draft-2020-12" } as const;
  type Describing = { "~standard": { jsonSchema: Record<"input" | "output", (options: never) => object> } };
  const of = ({ "~standard": { jsonSchema } }: Describing) => {
    assert.deepEqual(jsonSchema.output(OPTIONS as never), jsonSchema.input(OPTIONS as never));
    return jsonSchema.input(OPTIONS as never);
  };

  for (const { name: label, format } of [...named(), ...snowflakeSIs().slice(-1)]) {
    test(`${label}: equals jsonSchema`, () => {
      for (const one of [format, format.text] as never[]) {
        const { max } = (one as typeof format).range();
        assert.deepEqual(of(standard(one)), jsonSchema(one));
        assert.deepEqual(run(standard(one), max), { value: max });
        assert.ok(run(standard(one), "").issues);
      }
    });
  }

  test("objects, lists, optional parts and schemas of other libraries", () => {
    const body = shape({
      ...{ id: twitter, parent: optional(twitter.text), ids: list(sno), inner: shape({ log: sno }) },
      ...{ note: z.string().min(2), tag: prefixed(twitter, "t_") },
    });
    const [id, log] = [jsonSchema(twitter), jsonSchema(sno)];
    const { properties, ...rest } = of(body) as { properties: Record<string, object> };
    assert.deepEqual(rest, { type: "object", required: ["id", "ids", "inner", "note", "tag"] });
    const { note, ...ours } = properties;
    assert.deepEqual(ours, {
      id,
      parent: id,
      ids: { type: "array", items: log },
      inner: { type: "object", properties: { log }, required: ["log"] },
      tag: {},
    });
    assert.equal((note as { minLength: number }).minLength, 2);
  });
});

describe("list", () => {
  const ids = list(twitter);

  test("accepts an array, or one value as a list of one", () => {
    assert.deepEqual(run(ids, [`${A}`, B]), { value: [A, B] });
    assert.deepEqual(run(ids, `${A}`), { value: [A] });
    assert.deepEqual(run(ids, []), { value: [] });
    assert.deepEqual(run(ids, runInNewContext(`["${A}"]`)), { value: [A] });
  });

  test("stops after 100 issues, also in nested lists", () => {
    let asked = 0;
    const validate = (value: unknown) => {
      asked++;
      return twitter["~standard"].validate(value);
    };
    const counted = { "~standard": { version: 1 as const, validate } };
    const wrong = new Array(50_000).fill("x");
    const { issues } = run(shape({ ids: list(counted) }), { ids: wrong });
    assert.deepEqual([issues?.length, issues?.at(-1)?.path, asked], [100, ["ids", 99], 100]);
    asked = 0;
    const late = run(list(counted), [...new Array(50_000).fill("1"), ...wrong]);
    assert.deepEqual([late.issues?.length, late.issues?.[0]?.path, asked], [100, [50_000], 50_100]);
    const deep = run(list(list(list(twitter))), new Array(200).fill(new Array(200).fill(wrong)));
    assert.equal(deep.issues?.length, 100);
    const fat = list(list(shape({ a: list(twitter), b: list(twitter) })));
    const most = run(fat, [new Array(200).fill({ a: wrong, b: wrong.slice(0, 30) })]);
    assert.ok((most.issues?.length as number) < 300, `${most.issues?.length} issues`);
    assert.equal(run(list(twitter), new Array(50_000).fill("1")).issues, undefined);
  });

  test("holes and missing values are rejected", () => {
    // biome-ignore lint/suspicious/noSparseArray: the test needs a hole
    assert.deepEqual(told(run(ids, ["1", , "2"])), [["1", "TYPE"]]);
    assert.deepEqual(told(run(ids, undefined)), [["0", "TYPE"]]);
    assert.deepEqual(run(optional(ids), undefined), { value: undefined });
    assert.deepEqual(told(run(shape({ id: ids }), {})), [["id.0", "TYPE"]]);
  });
});
