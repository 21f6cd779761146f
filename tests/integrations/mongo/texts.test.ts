/** Documents whose IDs are texts, such as prefixed ones, while MongoDB has integers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { deserialize, serialize } from "bson";
import { type AnyFormat, snowflakeSI, twitter } from "graupel";
import { idPath } from "graupel/mongoose";
import { prefixed } from "graupel/prefixed";
import { sealed } from "graupel/sealed";
import { textFormat } from "graupel/text-format";
import mongoose, { Schema } from "mongoose";
import { isRefused, ODD } from "../support/rows.ts";

// biome-ignore lint/suspicious/noExplicitAny: the documents of each format
type Any = any;

const numbers = snowflakeSI({ epoch: Date.UTC(2024, 0, 1) });

/** Formats, their first ID, and the code of the error for "01". */
const FORMATS: Readonly<Record<string, readonly [AnyFormat, first: bigint, code: string]>> = {
  Decimal: [twitter.text, ODD, "NOT_CANONICAL"],
  Prefixed: [textFormat(twitter, prefixed(twitter, "usr_")), ODD, "CHARACTER"],
  Sealed: [textFormat(twitter, sealed(twitter, { usr_: new Uint8Array(32).fill(7) })), ODD, "CHARACTER"],
  Numbers: [textFormat(numbers, prefixed(numbers, "usr_")), 1n << 40n, "CHARACTER"],
};

/** A document with IDs in every place. */
const row = (a: unknown, b: unknown) => ({
  ...{ _id: a, friend: b, friends: [a, b] },
  ...{ map: { it: b }, nested: { on: b }, parts: [{ on: b }] },
});
const where = (a: unknown, b: unknown) => ({
  ...{ _id: { $in: [a, b] }, friend: { $gte: a, $lte: b } },
  ...{ friends: b, "parts.on": { $ne: b } },
});

const stored = (document: object, options: object = { useBigInt64: true }): Any =>
  deserialize(serialize(document), options);

for (const [name, [format, first, code]] of Object.entries(FORMATS)) {
  const path = () => ({ ...idPath(format), ref: name }) as Any;
  const [a, b] = [first, first + 1n].map(format.fromBigInt) as [string, string];
  const paths = {
    ...{ _id: idPath(format, { next: () => a }), friend: path(), friends: [path()] },
    ...{ map: { type: Map, of: path() }, nested: { on: path() }, parts: [{ _id: false, on: path() }] },
  };
  const Person = mongoose.model(name, new Schema(paths)) as Any;
  const [one, other] = [a, b].map((id) =>
    name === "Numbers" ? Number(format.toBigInt(id)) : format.toBigInt(id),
  );

  test(`${name}: documents and JSON have the texts, and MongoDB the integers`, async () => {
    assert.equal(new Person()._id, a);
    const made = new Person(row(a, b));
    const bson = stored(made);
    assert.deepEqual(bson, row(one, other));
    for (const document of [made, Person.hydrate(bson), Person.hydrate(stored(made, {}))]) {
      await document.validate();
      const { _id, friend, friends, map, nested, parts } = document;
      assert.deepEqual([_id, friend, map.get("it"), nested.on, parts[0].on], [a, b, b, b, b]);
      assert.deepEqual(JSON.parse(JSON.stringify(document)), row(a, b));
      // The page names arrays among the places with integers.
      assert.deepEqual([...friends], [one, other]);
      document.friend = b;
      assert.equal(document.isModified("friend"), document === made);
    }
    const linked = new Person({ friend: made, friends: [made] });
    const { friend, friends } = stored(linked);
    assert.deepEqual([linked.friend._id, friend, friends], [a, one, [one]]);
  });

  test(`${name}: conditions accept the texts, and reject others`, async () => {
    assert.deepEqual(Person.find(where(a, b)).cast(Person), where(one, other));
    for (const [wrong, refusal] of [
      [5, "TYPE"],
      ["01", code],
    ] as const) {
      assert.throws(() => Person.find({ friend: wrong }).cast(Person), isRefused(refusal));
      const { errors } = await new Person({ friend: wrong }).validate().catch((error: Any) => error);
      assert.ok(isRefused(refusal)(errors.friend.reason));
    }
  });
}
