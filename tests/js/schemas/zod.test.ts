/** The codec of Zod: every format's IDs both ways, and refusals as issues. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { runInNewContext } from "node:vm";
import { discord, GraupelError, twitter } from "graupel";
import { codec } from "graupel/zod";
import { z } from "zod";
import * as mini from "zod/mini";
import { named, snowflakeSIs } from "../support/layouts.ts";

/** Of a busy millisecond: rounding changes it. */
const ID = 1585841080431321657n;
const TEXT = `${ID}`;

/** What the issues of a result say. */
const told = ({ error }: { readonly error?: z.ZodError | undefined }) =>
  error?.issues.map((issue) => [
    issue.path.join("."),
    issue.code,
    (issue as { params?: { code?: string } }).params?.code,
  ]);

describe("codec", () => {
  test("a refusal is an issue, with its path and its code, among those of others", () => {
    const order = z.object({ id: codec(twitter), only: z.array(codec(twitter)), note: z.string().max(1) });
    const result = order.safeParse({ id: "01", only: [TEXT, "", "9999999999999999999", "x"], note: "long" });
    assert.deepEqual(told(result), [
      ["id", "custom", "NOT_CANONICAL"],
      ["only.1", "custom", "LENGTH"],
      ["only.2", "custom", "OVERFLOW"],
      ["only.3", "custom", "CHARACTER"],
      ["note", "too_big", undefined],
    ]);
    assert.match(result.error?.issues[0]?.message ?? "", / \[NOT_CANONICAL\]$/);
  });

  test("another type is refused by Zod before", () => {
    for (const other of [undefined, null, 1, ID, {}, [], [TEXT], new String(TEXT), Symbol()]) {
      assert.deepEqual(told(codec(twitter).safeParse(other)), [["", "invalid_type", undefined]]);
    }
  });

  test("`z.coerce` makes text of a rounded number before the codec sees it", () => {
    const coerced = z.coerce.string().pipe(codec(twitter));
    assert.notEqual(coerced.parse(Number(ID)), ID);
    assert.equal(coerced.parse(TEXT), ID);
    assert.equal(codec(twitter).safeParse(Number(ID)).success, false);
  });

  test("what is no ID is not written", () => {
    for (const [id, code] of [
      [-1n, "RANGE"],
      [1n << 63n, "OVERFLOW"],
    ] as const) {
      const { success, error } = z.safeEncode(codec(twitter), id);
      assert.equal(success, false);
      assert.deepEqual(told({ error }), [["", "custom", code]]);
    }
    assert.deepEqual(told(z.safeEncode(codec(twitter), TEXT as never)), [["", "invalid_type", undefined]]);
  });

  test("parts of other schemas: optional, nullable, default, union, record, pipe, refine, async", async () => {
    const id = codec(twitter);
    assert.deepEqual(z.object({ id: id.optional() }).parse({}), {});
    assert.equal(id.nullable().parse(null), null);
    assert.equal(id.default(ID).parse(undefined), ID);
    assert.equal(z.union([z.literal("me"), id]).parse("me"), "me");
    assert.equal(z.union([z.literal("me"), id]).parse(TEXT), ID);
    assert.deepEqual(z.record(z.string(), id).parse({ a: TEXT }), { a: ID });
    assert.equal(id.refine((x) => x > ID).safeParse(TEXT).success, false);
    assert.equal(await id.parseAsync(TEXT), ID);
  });

  test("zod/mini takes it", () => {
    const message = mini.object({ id: codec(discord) });
    assert.deepEqual(mini.decode(message, { id: TEXT }), { id: ID });
    assert.deepEqual(mini.encode(message, { id: ID }), { id: TEXT });
    assert.equal(mini.safeParse(message, { id: "x" }).success, false);
  });

  test("its JSON Schema is that of text, on both sides, however it is wrapped", () => {
    for (const { format } of [...named(), ...snowflakeSIs().slice(-1)]) {
      for (const one of [format, format.text] as never[]) {
        const ids = codec(one) as z.ZodType;
        const wrapped = z.object({
          plain: ids,
          refined: ids.refine(() => true),
          said: ids.describe("an ID"),
          list: z.array(ids.optional()),
        });
        for (const settings of [
          {},
          { io: "input" },
          { target: "draft-7" },
          { io: "input", reused: "ref" },
        ] as const) {
          const { pattern, type } = z.toJSONSchema(ids, settings);
          assert.equal(type, "string");
          const matches = new RegExp(pattern as string, "u");
          for (const id of Object.values(format.range()) as never[]) {
            assert.match(format.format(id), matches);
            assert.match(
              format.format(id).toUpperCase(),
              format.isValid(format.format(id).toUpperCase()) ? matches : /./,
            );
          }
          for (const bad of ["", " 1", "-1", "1.5", "x".repeat(30), "1".repeat(30)])
            assert.doesNotMatch(bad, matches);
        }
        const { properties } = z.toJSONSchema(wrapped) as {
          properties: Record<string, { pattern?: string; items?: { pattern?: string } }>;
        };
        const { pattern } = z.toJSONSchema(ids);
        assert.deepEqual(
          [
            properties.plain?.pattern,
            properties.refined?.pattern,
            properties.said?.pattern,
            properties.list?.items?.pattern,
          ],
          [pattern, pattern, pattern, pattern],
        );
      }
    }
  });

  test("what is no format is refused at once", () => {
    for (const other of [undefined, null, {}, "twitter", z.string(), runInNewContext("({})")]) {
      assert.throws(
        () => codec(other as never),
        (error) => GraupelError.is(error) && error.code === "TYPE",
      );
    }
  });
});
