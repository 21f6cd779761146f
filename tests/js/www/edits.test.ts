/** Edits of a text with IDs. Each ID is identified by its position. */
import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";
import { discord } from "graupel";
import { findIn } from "../../../www/src/find/find.ts";
import type { Found } from "../../../www/src/find/types.ts";
import { type Entry, readAgain, repeatOf, rewrite } from "../../../www/src/look/edits.ts";
import { writtenAs } from "../../../www/src/look/written.ts";

const BEFORE = { key: "discord", integer: 7n };

/** The words of a text that are digits. */
const found = (text: string): Found[] =>
  [...text.matchAll(/\d+/g)].map((match) => ({
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
    readings: [],
    notes: [],
    certainty: "likely" as const,
  }));

const entry = (text: string, chosen: number): Entry => ({ text, found: found(text), chosen, before: {} });
const to = (text: string) => ({ text, readings: [], notes: [], certainty: "likely" as const });

test("of two equal texts, only the chosen one is replaced, and the others keep their places", () => {
  const edited = rewrite(entry("a=11 b=11 c=33", 1), to("2222"), BEFORE);
  equal(edited.text, "a=11 b=2222 c=33");
  deepEqual(
    edited.found.map(({ text, start, end }) => [text, edited.text.slice(start, end)]),
    [
      ["11", "11"],
      ["2222", "2222"],
      ["33", "33"],
    ],
  );
  equal(edited.chosen, 1);
});

test("what an ID was is what it was before its first edit, each by itself", () => {
  const once = rewrite(entry("11 22", 1), to("3"), BEFORE);
  const twice = rewrite(once, to("444444"), { key: "discord", integer: 3n });
  const other = rewrite({ ...twice, chosen: 0 }, to("5"), { key: "sno", integer: 11n });
  equal(other.text, "5 444444");
  deepEqual(other.before, { 0: { key: "sno", integer: 11n }, 1: BEFORE });
  equal(other.found[1]?.start, 2);
});

test("how often the text has an ID, and which of these is chosen", () => {
  deepEqual(repeatOf(entry("11 22 11 11", 2)), { times: 3, nth: 2 });
  deepEqual(repeatOf(entry("11 22 11", 1)), { times: 1, nth: 1 });
  // An edit turns it into another ID.
  const edited = rewrite(entry("11 22 11 11", 2), to("33"), BEFORE);
  deepEqual(repeatOf(edited), { times: 1, nth: 1 });
  deepEqual(repeatOf({ ...edited, chosen: 3 }), { times: 2, nth: 2 });
});

test("read anew, the ID at the same place stays chosen", () => {
  const edited = rewrite(entry("11 22 33", 1), to("x"), BEFORE);
  const again = readAgain({ ...edited, chosen: 2 }, found(edited.text));
  equal(again.found[again.chosen]?.text, "33");
  equal(readAgain(entry("11", 0), []).chosen, 0);
});

test("an edited ID keeps the form in which it was written", () => {
  for (const [text, after] of [
    ["0x271065ac1020007", "0x271065ac1020006"],
    ["0x271065AC1020007", "0x271065AC1020006"],
    ["0271065ac1020007", "0271065ac1020006"],
    ["175,928,847,299,117,063", "175,928,847,299,117,062"],
    ["[2,113,6,90,193,2,0,7]", "[2, 113, 6, 90, 193, 2, 0, 6]"],
  ] as const) {
    const readings = findIn(text, undefined, Date.UTC(2026, 11, 1))[0]?.readings ?? [];
    const reading = readings.find((one) => one.kind === "family" && one.format.name === "discord");
    ok(reading?.kind === "family", text);
    const edited = discord.fromBigInt(reading.format.toBigInt(reading.id) ^ 1n);
    equal(writtenAs(reading.format, edited, reading.encoding, text), after);
  }
});
