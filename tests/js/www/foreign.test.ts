/**
 * IDs of other families, compared with the examples in their specifications and with the output of
 * other packages.
 */
import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";
import { ObjectId } from "bson";
import { decodeTime, ulid } from "ulid";
import { parse, v1, v4, v6, v7, version } from "uuid";
import { type ForeignReading, findIn } from "../../../www/src/find/find.ts";
import examples from "./foreign.json" with { type: "json" };

const now = Date.UTC(2026, 11, 1);

function read(text: string): ForeignReading {
  const [found] = findIn(text, undefined, now);
  const reading = found?.readings.find(({ kind }) => kind === "foreign");
  ok(reading?.kind === "foreign", `${text} is not found`);
  return reading;
}

/** The fields of a reading, by name. */
const valuesOf = (reading: ForeignReading) =>
  Object.fromEntries(reading.values.map(({ name, value }) => [name, value]));

/** Checks that the fields of a reading match its layout and fill its width. */
function isWhole({ layout, integer, width, values }: ForeignReading): void {
  equal(
    layout.fields.reduce((sum, { bits }) => sum + bits, 0),
    width,
  );
  ok(integer < 1n << BigInt(width));
  deepEqual(
    values.map(({ name }) => name),
    layout.fields.map(({ name }) => name),
  );
  equal(new Set(values.map(({ name }) => name)).size, values.length);
}

/** From the specifications and the packages' documentation: the text, its title and its fields. */
type Example = readonly [text: string, title: string, fields?: Readonly<Record<string, string>>];

test("the examples of specifications and documents, field by field", () => {
  for (const [text, title, fields] of examples as unknown as readonly Example[]) {
    const reading = read(text);
    equal(reading.title, title, text);
    if (!/^(Nil|Max)/.test(title)) isWhole(reading);
    if (fields !== undefined) deepEqual(valuesOf(reading), fields, text);
  }
  // These examples of RFC 9562 share one time.
  for (const text of ["C232AB00-9414-11EC-B3C8-9F6BDECED846", "1EC9414C-232A-6B00-B3C8-9F6BDECED846"])
    equal(read(text).timestamp, Date.UTC(2022, 1, 22, 19, 22, 22), text);
});

test("UUIDs: as the package uuid makes them, with and without hyphens", () => {
  const msecs = Date.UTC(2025, 4, 17, 3, 2, 1) + 789;
  for (const [text, timestamp] of [
    [v1({ msecs }), msecs],
    [v4(), undefined],
    [v6({ msecs }), msecs],
    [v7({ msecs }), msecs],
  ] as const) {
    for (const written of [text, text.replaceAll("-", "")]) {
      const reading = read(written);
      isWhole(reading);
      equal(reading.key, `uuid-v${version(text)}`);
      equal(reading.timestamp, timestamp);
      equal(reading.text, text);
      equal(reading.integer, BigInt(`0x${Buffer.from(parse(text)).toString("hex")}`));
    }
  }
});

test("ULIDs: the example of the specification, and those of the package ulid", () => {
  equal(read("01ARZ3NDEKTSV4RRFFQ69G5FAV").timestamp, 1_469_922_850_259);
  for (const time of [Date.UTC(2016, 5, 1), Date.UTC(2025, 5, 1) + 123]) {
    const text = ulid(time);
    const reading = read(text.toLowerCase());
    isWhole(reading);
    equal(reading.text, text);
    equal(reading.timestamp, decodeTime(text));
  }
  // Crockford's base 32 reads O as 0, and I and L as 1. It has no U, and a leading 8 would need 129
  // bits.
  const [typed] = findIn("oiARZ3NDEKTSV4RRFFQ69G5FAV".toUpperCase(), undefined, now);
  equal(typed?.readings[0]?.timestamp, 1_469_922_850_259);
  deepEqual(typed?.notes, ["O was read as 0, and I and L as 1, as in Crockford’s base 32."]);
  for (const text of ["01ARZ3NDEKTSV4RRFFQ69G5FAU", "81ARZ3NDEKTSV4RRFFQ69G5FAV"])
    equal(findIn(text, undefined, now).flatMap(({ readings }) => readings).length, 0, text);
});

test("ObjectIds: as the package bson reads them", () => {
  const made = ObjectId.createFromTime(Date.UTC(2024, 1, 29) / 1000).toHexString();
  equal(read(made).timestamp, Date.UTC(2024, 1, 29));
});

test("the largest KSUID; beyond it, and an xid whose last character has more than its one bit, is none", () => {
  equal(read("aWgEPTl1tmebfsQzFP4bxwgy80V").integer, (1n << 160n) - 1n);
  for (const text of ["aWgEPTl1tmebfsQzFP4bxwgy80W", "9m4e2mr0ui3e8a215n4h"])
    deepEqual(findIn(text, undefined, now), []);
});
