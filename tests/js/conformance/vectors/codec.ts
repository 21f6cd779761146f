// Every conversion of an ID, in both directions: text, bytes, integer, fields.
import assert from "node:assert/strict";
import { bytes, hex } from "./data.ts";

/** The part of a format that reads and writes IDs. Fields are checked by value, so their types are left open. */
export interface Codec<Id> {
  parse(x: unknown): Id;
  isValid(x: unknown): boolean;
  format(id: Id): string;
  toBytes(id: Id): Uint8Array;
  fromBytes(data: Uint8Array): Id;
  toBigInt(id: Id): bigint;
  fromBigInt(integer: bigint): Id;
  inspect(id: Id): object;
  compose(fields: never): Id;
  with(id: Id, changes: never): Id;
  range(from: number, to: number): { readonly min: Id; readonly max: Id };
  compare(a: Id, b: Id): -1 | 0 | 1;
  readonly layout: { readonly tickMs: number };
}

/** What a vector says about an ID. */
export interface Facts<Id> {
  readonly id: Id;
  readonly text: string;
  readonly hex: string;
  readonly timestamp: number;
  readonly ticks: number;
  /** Every field except the time. */
  readonly fields: Readonly<Record<string, number>>;
}

/** Asserts all of it. */
export function checkCodec<Id>(format: Codec<Id>, facts: Facts<Id>): void {
  const { id, text, timestamp, ticks, fields } = facts;
  const integer = BigInt(`0x${facts.hex}`);
  assert.equal(format.parse(text), id, "parse(text)");
  assert.equal(format.parse(id), id, "parse(id)");
  assert.equal(format.isValid(text), true, "isValid");
  assert.equal(format.format(id), text, "format");
  assert.equal(hex(format.toBytes(id)), facts.hex, "toBytes");
  assert.equal(format.fromBytes(bytes(facts.hex)), id, "fromBytes");
  assert.equal(format.toBigInt(id), integer, "toBigInt");
  assert.equal(format.fromBigInt(integer), id, "fromBigInt");

  const time = new Date(timestamp);
  const inspection = format.inspect(id);
  assert.deepEqual({ ...inspection }, { timestamp, time, ticks, ...fields }, "inspect");
  for (const instant of [{ ticks }, { timestamp }, { time }, { time: timestamp }, inspection]) {
    assert.equal(
      format.compose({ ...instant, ...fields } as never),
      id,
      `compose from ${Object.keys(instant)}`,
    );
  }
  assert.equal(format.with(id, fields as never), id, "with");

  const { min, max } = format.range(timestamp, timestamp + format.layout.tickMs);
  assert.ok(format.compare(min, id) <= 0 && format.compare(id, max) <= 0, "range");
  assert.equal(format.compare(id, id), 0, "compare");
}
