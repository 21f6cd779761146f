/** How pages explain the package's errors to people, from code, field and range. */
import { equal, ok } from "node:assert/strict";
import { test } from "node:test";
import * as graupel from "graupel";
import { type Limits, type Refused, reasonOf } from "../../../www/src/lib/reasons.ts";
import { CODES } from "../support/codes.ts";
import calls from "./reasons.json" with { type: "json" };

const ID = "175928847299117063";
const EPOCH = Date.UTC(2025, 0, 1);
const own = (fields: unknown, more: object = {}) =>
  graupel.snowflake({ epoch: EPOCH, fields, ...more } as never);
const ofDiscord = (options: object) =>
  graupel.discord.generator({ isolated: true, ...options } as never).next();

/** The explanation of a call's error. */
function refused(call: () => unknown, limits?: Limits): string {
  try {
    call();
  } catch (error) {
    ok(graupel.GraupelError.is(error));
    return reasonOf(error as Refused, limits);
  }
  throw new Error(`this is not refused: ${call}`);
}

/** Text that must never be shown: developers' words, and times as plain numbers. */
const FOREIGN_WORDS = /NaN|undefined|null|\[object|plain object|\d+n\b|\b\d{10,16}\b|Infinity/;

/**
 * Calls as pages make them, with values that people may enter, and the expected explanations. The
 * calls are JavaScript expressions in the scope below.
 */
const CALLS = calls as unknown as readonly (readonly [call: string, words: string, limits?: Limits])[];
const SCOPE = { ...graupel, ID, EPOCH, own, ofDiscord };

test("each refusal is said in words for people", () => {
  for (const [code, words, limits] of CALLS) {
    const call = new Function(...Object.keys(SCOPE), `return ${code};`);
    equal(
      refused(() => call(...Object.values(SCOPE)), limits),
      words,
      code,
    );
  }
});

/** Everything that an error may contain. */
const NAMES = "timestamp clock fields fields.worker id uuid layout maxWaitMs workerId".split(" ");
const FIELDS = [undefined, ...NAMES];
const ODD = [undefined, null, Number.NaN, Infinity, {}, [], () => 1, Symbol("s")];
const VALUES = [...ODD, 4, 5n, "", "x".repeat(99)];
const RANGES = [
  undefined,
  { min: 0, max: 31 },
  { min: 0n, max: 2n ** 63n - 1n },
  { min: EPOCH, max: EPOCH * 2 },
];

test("whatever a refusal holds, it is never said in developers' words", () => {
  for (const code of CODES)
    for (const field of FIELDS)
      for (const value of VALUES)
        for (const range of RANGES) {
          // As in the package, only times have ranges of dates.
          if (range?.min === EPOCH && !["timestamp", "clock"].includes(field ?? "")) continue;
          const said = reasonOf({ code, field, value, range });
          ok(!FOREIGN_WORDS.test(said), `${code} ${field} ${String(value)}: ${said}`);
          ok(/^[“\w].*\.$/.test(said) && said.length < 200, said);
        }
});
