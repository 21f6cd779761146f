/**
 * Rows of bits: every bit appears once, in its field, and each field is labelled where it has the
 * most room.
 */
import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";
import { bitsOf, placesOf, rowsOf } from "../../../www/src/lib/places.ts";

const layoutOf = (...bits: number[]) => ({
  fields: bits.map((width, index) => ({ name: `field ${index}`, bits: width })),
});

for (const [words, bits, width] of [
  ["sno", [39, 1, 8, 16, 16], 80],
  ["Twitter, whose highest bit is unused", [41, 5, 5, 12], 64],
  ["Snowflake-SI, of seven bytes", [40, 5, 8], 56],
  ["an xid", [32, 24, 16, 24], 96],
  ["a KSUID", [32, 128], 160],
] as const)
  for (const perRow of [16, 32, 40])
    test(`${words}, ${perRow} bits a row`, () => {
      const places = placesOf(layoutOf(...bits), () => "machine");
      const segments = rowsOf(width, perRow, places).flat();
      const drawn = segments.flatMap(({ high, low }) =>
        Array.from({ length: high - low + 1 }, (_, i) => high - i),
      );
      deepEqual(
        drawn,
        Array.from({ length: width }, (_, i) => width - 1 - i),
      );
      for (const { high, low, place } of segments) {
        ok(place === undefined || (place.high >= high && place.low <= low));
        // No segment crosses the end of a row.
        equal(Math.floor(high / perRow), Math.floor(low / perRow));
      }
      for (const place of places) {
        const own = segments.filter((one) => one.place === place);
        const [named, ...more] = own.filter(({ isNamed }) => isNamed);
        deepEqual(more, []);
        ok(own.every(({ high, low }) => high - low <= (named?.high ?? 0) - (named?.low ?? 0)));
      }
    });

test("what a field holds", () => {
  const [time, worker] = placesOf(layoutOf(4, 8), () => "time");
  ok(time && worker);
  equal(bitsOf(0xabcn, time), 0xan);
  equal(bitsOf(0xabcn, worker), 0xbcn);
});
