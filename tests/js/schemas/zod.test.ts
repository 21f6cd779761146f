/** The Zod codec: IDs of every format in both directions, and errors as issues. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { discord, twitter } from "graupel";
import { codec } from "graupel/zod";
import { z } from "zod";
import * as mini from "zod/mini";

/** From a busy millisecond, so that rounding changes it. */
const ID = 1585841080431321657n;
const TEXT = `${ID}`;

/** The messages of a result's issues. */
const told = ({ error }: { readonly error?: z.ZodError | undefined }) =>
  error?.issues.map((issue) => [
    issue.path.join("."),
    issue.code,
    (issue as { params?: { code?: string } }).params?.code,
  ]);

describe("codec", () => {
  test("an invalid ID is an issue with its path and code", () => {
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

  test("Zod itself rejects other types", () => {
    for (const other of [undefined, null, 1, ID, {}, [], [TEXT], new String(TEXT), Symbol()]) {
      assert.deepEqual(told(codec(twitter).safeParse(other)), [["", "invalid_type", undefined]]);
    }
  });

  test("an invalid ID is not encoded", () => {
    const codeOf = (id: bigint) => told(z.safeEncode(codec(twitter), id));
    assert.deepEqual(codeOf(-1n), [["", "custom", "RANGE"]]);
    assert.deepEqual(codeOf(1n << 63n), [["", "custom", "OVERFLOW"]]);
    assert.deepEqual(told(z.safeEncode(codec(twitter), TEXT as never)), [["", "invalid_type", undefined]]);
  });

  test("zod/mini accepts the codec", () => {
    const message = mini.object({ id: codec(discord) });
    assert.deepEqual(mini.decode(message, { id: TEXT }), { id: ID });
    assert.deepEqual(mini.encode(message, { id: ID }), { id: TEXT });
    assert.equal(mini.safeParse(message, { id: "x" }).success, false);
  });

  test("its JSON Schema is that of the text, on both sides, also inside other schemas", () => {
    const id = codec(twitter);
    const { pattern, type } = z.toJSONSchema(id);
    assert.equal(type, "string");
    for (const settings of [{ io: "input" }, { target: "draft-7" }, { io: "input", reused: "ref" }] as const)
      assert.equal(z.toJSONSchema(id, settings).pattern, pattern);
    const refined = id.refine(() => true);
    const wrapped = z.object({ id, refined, said: id.describe("an ID"), list: z.array(id.optional()) });
    const { properties = {} } = z.toJSONSchema(wrapped);
    const found = Object.values(properties) as { pattern?: string; items?: { pattern?: string } }[];
    const patterns = found.map(({ pattern, items }) => pattern ?? items?.pattern);
    assert.deepEqual(patterns, [pattern, pattern, pattern, pattern]);
  });
});
