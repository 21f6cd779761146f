/** Formats with public texts as IDs: every verb, generators and errors. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type AnyFormat, type AnyId, sno, twitter } from "graupel";
import { decode, encode } from "graupel/encode";
import { crockford32Lower } from "graupel/encodings";
import { scalar } from "graupel/graphql";
import { idPath } from "graupel/mongoose";
import { prefixed } from "graupel/prefixed";
import { jsonSchema } from "graupel/schema";
import { sealed } from "graupel/sealed";
import { sql } from "graupel/sql";
import { type Texts, textFormat } from "graupel/text-format";
import { codec } from "graupel/zod";
import { z } from "zod";
import { named } from "../support/layouts.ts";

const KEY = new Uint8Array(16).fill(7);

/** Ways to write the IDs of a format. */
const TEXTS: Readonly<Record<string, (format: AnyFormat) => Texts<AnyId>>> = {
  prefixed: (format) => prefixed(format, "usr_"),
  sealed: (format) => sealed(format, { a_: KEY }),
  "two functions": (format) => ({
    parse: (text: string) => decode(format, text.slice(4), crockford32Lower),
    format: (id: AnyId) => `usr_${encode(format, id, crockford32Lower)}`,
  }),
};

for (const [way, textsOf] of Object.entries(TEXTS)) {
  for (const { name, format } of named()) {
    test(`${name}, ${way}: every verb accepts and returns the texts`, () => {
      const texts = textFormat(format as AnyFormat, textsOf(format as AnyFormat));
      const plain = format as AnyFormat;
      const { min, max } = plain.range();
      for (const id of [min, max]) {
        const integer = plain.toBigInt(id);
        const text = texts.fromBigInt(integer) as string;
        assert.equal(typeof text, "string");
        assert.notEqual(text, plain.format(id));
        assert.equal(texts.parse(text), text);
        assert.equal(texts.format(text), text);
        assert.equal(texts.isValid(text), true);
        assert.equal(texts.toBigInt(text), integer);
        assert.deepEqual(texts.toBytes(text), plain.toBytes(id));
        assert.equal(texts.fromBytes(plain.toBytes(id)), text);
        assert.deepEqual(texts.inspect(text), plain.inspect(id));
        assert.equal(texts.timestamp(text), plain.timestamp(id));
        assert.equal(texts.compose(plain.inspect(id)), text);
        assert.equal(texts.with(text, {}), text);
        assert.deepEqual(texts["~standard"].validate(text), { value: text });
        for (const bad of [id, plain.format(id), "", "usr_", `${text} `, undefined, null, 5]) {
          assert.equal(texts.isValid(bad), false);
          assert.throws(() => texts.parse(bad), { name: "GraupelError" });
          assert.throws(() => texts.toBigInt(bad as never), { name: "GraupelError" });
          assert.equal("issues" in texts["~standard"].validate(bad), true);
        }
      }
      const range = texts.range();
      assert.deepEqual(
        [texts.toBigInt(range.min), texts.toBigInt(range.max)],
        [min, max].map(plain.toBigInt),
      );
      assert.equal(texts.compare(range.min, range.max), -1);
      assert.equal(texts.text, texts);
      assert.equal(texts.valueType, "string");
      assert.equal(texts.columnType, plain.columnType);
    });
  }
}

test("generators return the texts from every method", async () => {
  const users = textFormat(twitter, prefixed(twitter, "usr_"));
  const ids = users.generator({ datacenterId: 1, workerId: 9, isolated: true });
  const single = [ids.next(), ids.nextText(), await ids.nextAsync()];
  const many = [...single, ...ids.nextMany(3), ...ids.nextManyText(2)];
  for (const id of many) assert.deepEqual([id.slice(0, 4), users.inspect(id).workerId], ["usr_", 9]);
  assert.deepEqual(many, [...new Set(many)]);
  assert.equal(users.timestamp(ids.at(Date.UTC(2020, 0, 1))), Date.UTC(2020, 0, 1));
  assert.equal("nextTyped" in ids, false);
  const restored = twitter.generator({ snapshot: ids.snapshot(), isolated: true });
  assert.equal(ids.stats().issued, restored.stats().issued + 9);

  const logs = textFormat(sno, prefixed(sno, "log_"));
  assert.equal(logs.inspect(logs.generator({ isolated: true }).next(3 as never)).metabyte, 3);
});

test("SQL, GraphQL, Zod and Mongoose accept them; JSON Schema rejects them", () => {
  const users = textFormat(twitter, prefixed(twitter, "usr_"));
  const from = Date.UTC(2025, 0, 1);
  assert.equal(sql(users, "postgres").min(from), sql(twitter, "postgres").min(from));
  const text = "usr_1585841080431321088";
  assert.equal(scalar(users, "UserID").parseValue(text), text);
  assert.equal(z.decode(codec(users), text), text);
  assert.deepEqual(z.toJSONSchema(codec(users), { target: "draft-7" }).pattern, undefined);
  assert.throws(() => jsonSchema(users), { code: "TYPE", field: "format" });
  assert.equal(idPath(users).set(text), 1585841080431321088n);
});

test("invalid and ambiguous texts are rejected", () => {
  for (const texts of [
    undefined,
    null,
    {},
    "usr_",
    { parse: () => 1n },
    { parse: 1, format: 2 },
    { seal: String },
  ])
    assert.throws(() => textFormat(twitter, texts as never), { code: "TYPE", field: "texts" });
  // Such a text could also be an integer of the database.
  const sealedAlone = textFormat(twitter, sealed(twitter, KEY));
  assert.throws(() => sealedAlone.fromBigInt(5n), { code: "TYPE", field: "texts" });
  // Here, an ID has two texts.
  const parse = (text: unknown) => BigInt(String(text).slice(4));
  const lax = { parse, format: (id: bigint) => `usr_${id}` };
  const users = textFormat(twitter, lax);
  assert.equal(users.toBigInt("usr_5"), 5n);
  for (const bad of ["ord_5", "usr_05", "usr_ 5"]) {
    assert.throws(() => users.toBigInt(bad), { code: "NOT_CANONICAL", field: "id", value: bad });
  }
});
