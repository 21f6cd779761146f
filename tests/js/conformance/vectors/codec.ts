// Every conversion of an ID, in both directions: text, bytes, integer and fields.
import assert from "node:assert/strict";
import type { AnyFormat, Id } from "../../support/any-format.ts";
import { readerOf } from "../../support/reading.ts";
import { bytes, hex, type Item, pick } from "./data.ts";
import { refused } from "./script.ts";

/** Checks an ID against an item: its text, bytes, time and other fields. */
export function checkCodec(
  format: AnyFormat,
  item: Item,
  id: Id,
  text: string,
  fields: Readonly<Record<string, number>>,
): void {
  assert.equal(item.deviation, null);
  const { timestamp, ticks } = pick(item, "timestamp", "ticks");
  const digits = item.hex;
  const integer = BigInt(`0x${digits}`);
  assert.equal(format.parse(text), id, "parse(text)");
  assert.equal(format.parse(id), id, "parse(id)");
  assert.equal(format.isValid(text), true, "isValid");
  assert.equal(format.format(id), text, "format");
  const big = format.toBytes(id);
  assert.equal(hex(big), digits, "toBytes");
  // The bytes do not share their buffer, and are a Buffer, which database clients accept as bytes.
  assert.ok(Buffer.isBuffer(big) && big.buffer.byteLength === big.length, "a Buffer");
  assert.equal(format.fromBytes(bytes(digits)), id, "fromBytes");
  assert.equal(format.toBigInt(id), integer, "toBigInt");
  assert.equal(format.fromBigInt(integer), id, "fromBigInt");

  const time = new Date(timestamp);
  const inspection = format.inspect(id);
  assert.deepEqual({ ...inspection }, { timestamp, time, ticks, ...fields }, "inspect");
  for (const instant of [{ ticks }, { timestamp }, { time }, { time: timestamp }, inspection]) {
    assert.equal(format.compose({ ...instant, ...fields }), id, `compose from ${Object.keys(instant)}`);
  }
  assert.equal(format.with(id, fields), id, "with");

  const { min, max } = format.range(timestamp, timestamp + format.layout.tickMs) as { min: Id; max: Id };
  assert.ok((format.compare(min, id) as number) <= 0 && (format.compare(id, max) as number) <= 0, "range");
  assert.equal(format.compare(id, id), 0, "compare");

  const reader = readerOf(format);
  for (const one of [id, text]) {
    assert.equal(reader.isValid(one), true, "isValid of graupel/read");
    assert.equal(reader.parse(one), id, "parse of graupel/read");
    assert.equal(reader.timestamp(one), timestamp, "timestamp of graupel/read");
    assert.deepEqual({ ...reader.inspect(one) }, { ...inspection }, "inspect of graupel/read");
  }
  assert.deepEqual(
    reader.range(timestamp, timestamp + format.layout.tickMs),
    { min, max },
    "range of graupel/read",
  );
}

/**
 * The fields without the time, from a list of values from high to low or from the columns with
 * their names.
 */
export function fieldsOf(format: AnyFormat, values: Item | readonly number[]): Record<string, number> {
  const names = format.layout.fields.slice(1).map(({ name }) => name);
  if (!Array.isArray(values)) return pick(values as Item, ...names);
  return Object.fromEntries(names.map((name, index) => [name, values[index]]));
}

/**
 * A negative integer of the reference is not an ID in any form. `longest` is the maximum number of
 * digits of an ID.
 */
export function checkNegative(format: AnyFormat, item: Item, text: string, longest: number): void {
  assert.notEqual(item.deviation, null);
  const id = BigInt(item.integer);
  const reader = readerOf(format);
  for (const call of [() => format.parse(id), () => format.fromBigInt(id), () => reader.parse(id)]) {
    refused(call, "RANGE");
  }
  for (const { parse } of [format, reader]) {
    refused(() => parse(text), text.length > longest ? "LENGTH" : "CHARACTER");
  }
  refused(() => format.fromBytes(bytes(item.hex)), "OVERFLOW");
}
