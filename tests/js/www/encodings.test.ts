/** The page reads what it writes: every encoding of IDs of every format. */
import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";
import type { AnyFormat } from "graupel";
import * as graupel from "graupel";
import { findIn } from "../../../www/src/find/find.ts";
import { encodingsOf } from "../../../www/src/look/encodings.ts";
import * as services from "./services.ts";
import { NOW, randomFrom, times } from "./services.ts";

const random = randomFrom(7);
const since = (year: number) => times(random, 60, Date.UTC(year, 0, 1));
const MADE: Readonly<Record<string, readonly services.Made[]>> = {
  discord: since(2016).map((time) => services.discord(random, time)),
  twitter: since(2012).map((time) => services.tweet(random, time)),
  mastodon: since(2018).map((time) => services.mastodon(random, time)),
  instagram: since(2013).map((time) => services.instagram(random, time)),
  sonyflake: since(2016).map((time) => services.sonyflake(random, time)),
  sno: since(2019).map((time) => services.sno(random, time)),
  ulidFlake: since(2025).map((time) => services.ulidFlake(random, time)),
  ulidFlakeScalable: since(2025).map((time) => services.ulidFlake(random, time)),
};
/** For these formats, the fields or the form identify every encoding. */
const CLEAR = ["discord", "twitter"];

/** For these formats, a wrong reading is almost never sure, in any encoding. */
const SEEN = [...CLEAR, "mastodon", "instagram", "sonyflake", "sno"];

for (const [name, made] of Object.entries(MADE)) {
  const format = (graupel as unknown as Record<string, AnyFormat>)[name] as AnyFormat;
  test(`${name}: every encoding is read back`, () => {
    const first = { right: 0, all: 0, unsaid: 0 };
    for (const { id } of made) {
      for (const [encoding, text] of encodingsOf(format, format.parse(id))) {
        // This many digits without a letter are read as a number.
        if (encoding === "hex" && /^\d+$/.test(text)) continue;
        const [found] = findIn(text, undefined, NOW);
        // In another alphabet, the text may be another ID of the format.
        const at =
          found?.readings.findIndex(
            (one) => one.kind === "family" && one.format.name === format.name && one.encoding === encoding,
          ) ?? -1;
        const reading = found?.readings[at];
        ok(reading?.kind === "family", `${text}, the ${encoding} of ${id}, is not read as ${format.name}`);
        equal(reading.format.format(reading.id), id);
        equal(reading.encoding, encoding);
        equal(text.slice(found?.start, found?.end), text);
        first.all += 1;
        if (at === 0 && reading.plausible) first.right += 1;
        if (at > 0 && found?.certainty === "sure") first.unsaid += 1;
      }
    }
    // The random digits of the other formats look like fields of any format.
    if (SEEN.includes(name)) ok(first.unsaid <= 0.02 * first.all, `${first.unsaid} of ${first.all}`);
    if (CLEAR.includes(name)) ok(first.right >= 0.95 * first.all);
  });
}

test("a sno in its own text and as a UUID is always the first answer", () => {
  for (const { id } of MADE.sno ?? [])
    for (const text of [id, graupel.sno.toUUID(id)])
      equal(findIn(text, undefined, NOW)[0]?.readings[0]?.key, "sno", text);
});

test("a format of one's own comes first, in every encoding", () => {
  const other = graupel.snowflake({
    epoch: Date.UTC(2030, 0, 1),
    fields: { time: 41, node: 10, sequence: 12 },
  });
  equal(findIn("175928847299117063", other as unknown as AnyFormat, NOW)[0]?.readings[0]?.key, "own");
  for (const own of [
    graupel.nanoflake({ epoch: Date.UTC(2024, 0, 1) }),
    graupel.snowflakeSI({ epoch: Date.UTC(2024, 0, 1) }),
    graupel.snowflake({ epoch: Date.UTC(2020, 0, 1), fields: { time: 41, node: 10, sequence: 12 } }),
  ] as unknown as AnyFormat[]) {
    const { min } = own.range(Date.UTC(2026, 3, 1));
    for (const [encoding, text] of encodingsOf(own, min)) {
      if (encoding === "hex" && /^\d+$/.test(text)) continue;
      const reading = findIn(text, own, NOW)[0]?.readings[0];
      equal(reading?.key, "own", `${own.name} as ${encoding}: ${text}`);
      ok(reading?.kind === "family");
      equal(reading.format.toBigInt(reading.id), own.toBigInt(min), `${own.name} as ${encoding}: ${text}`);
    }
  }
});

test("a random word of as many characters is seldom taken for an ID", () => {
  const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  for (const [alphabet, length] of [
    [digits, 11],
    [digits, 14],
    [digits.slice(0, 36), 13],
    [digits.slice(0, 36), 16],
    // Like span IDs.
    ["0123456789abcdef", 16],
  ] as const) {
    let taken = 0;
    for (let i = 0; i < 2000; i++) {
      const word = random.text(alphabet, length);
      if (findIn(`got ${word} there`, undefined, NOW)[0]?.readings[0]?.plausible) taken += 1;
    }
    ok(taken <= 20, `${taken} of 2000 with ${length} characters`);
  }
});

test("what can be two IDs of one format is read as both", () => {
  const [found] = findIn("4gWHH554TU3", undefined, NOW);
  const read = (name: string) =>
    found?.readings.flatMap((one) =>
      one.kind === "family" && one.format.name === name ? [[one.key, one.encoding, one.id]] : [],
    );
  deepEqual(read("instagram"), [
    ["instagram", "base 62", 3932802819503069707n],
    ["instagram in base 58", "base 58", 1585841080431321088n],
  ]);
  // In base 62, its time would be in the future.
  deepEqual(read("twitter"), [["twitter", "base 58", 1585841080431321088n]]);
  equal(found?.readings[0]?.reasons.at(-1), "It is written in base 58.");
});
