/** What pages say when the package refuses: for people, from code, field and range. */
import { equal, ok } from "node:assert/strict";
import { test } from "node:test";
import * as graupel from "graupel";
import { type Limits, type Refused, reasonOf } from "../../../www/src/lib/reasons.ts";
import { CODES } from "../support/codes.ts";

const ID = "175928847299117063";
const EPOCH = Date.UTC(2025, 0, 1);
const own = (fields: unknown, more: object = {}) =>
  graupel.snowflake({ epoch: EPOCH, fields, ...more } as never);
const ofDiscord = (options: object) =>
  graupel.discord.generator({ isolated: true, ...options } as never).next();

/** How a call is refused. */
function refused(call: () => unknown, limits?: Limits): string {
  try {
    call();
  } catch (error) {
    ok(graupel.GraupelError.is(error));
    return reasonOf(error as Refused, limits);
  }
  throw new Error(`this is not refused: ${call}`);
}

/** What must never be shown: developers' words, and times as bare numbers. */
const FOREIGN_WORDS = /NaN|undefined|null|\[object|plain object|\d+n\b|\b\d{10,16}\b|Infinity/;

/** Calls as pages make them, with what people may enter, and what they are told. */
const CALLS: readonly (readonly [call: () => unknown, words: string, limits?: Limits])[] = [
  [
    () => graupel.discord.with(ID, { timestamp: 0 }),
    "The time is before this format’s first time, 2015-01-01 UTC.",
  ],
  [
    () => graupel.discord.with(ID, { timestamp: 1e14 }),
    "The time is past this format’s last time, 2154-05-15 07:35:11.103 UTC.",
  ],
  [() => graupel.discord.with(ID, { timestamp: 9e15 }), "The calendar does not reach that far."],
  [
    () => graupel.discord.with(ID, { timestamp: "31 February" as never }),
    "Enter a date in UTC, such as 2025-01-31 or 2025-01-31T12:00:00.000Z, or Unix milliseconds.",
  ],
  [() => graupel.discord.with(ID, { timestamp: Number.NaN }), "The calendar does not reach that far."],
  [
    () => graupel.discord.with(ID, { increment: 4096 }),
    "Increment must be a whole number from 0 to 4,095: 4,096 is too large.",
  ],
  [() => graupel.discord.with(ID, { increment: "x" as never }), "Enter a whole number."],
  [
    () => graupel.discord.with(ID, { increment: "x" as never }),
    "Enter a whole number from 0 to 4,095.",
    { increment: { min: 0, max: 4095 } },
  ],
  [
    () => graupel.twitter.fromBigInt(2n ** 63n),
    "This is larger than the largest ID of this format, 9223372036854775807.",
  ],
  [
    () => graupel.discord.parse(`${ID.slice(0, -1)}x`),
    "Character 18, “x”, cannot be in an ID of this format.",
  ],
  [() => graupel.discord.parse("0175"), "An ID has no leading zeros: remove them."],
  [() => graupel.sno.parse("abc"), "An ID of this format has 16 characters; this text has 3."],
  [() => graupel.sno.parse(7 as never), "This text is not an ID of this format."],
  [() => graupel.sno.fromUUID("abc"), "A UUID has 36 characters; this text has 3."],
  [() => graupel.discord.range(EPOCH, EPOCH - 1), "The beginning must be before the end."],
  [() => graupel.discord.range(0, 1), "The end is before this format’s first time, 2015-01-01 UTC."],
  [
    () => own({ time: 41, sequence: 12 }, { epoch: "soon" }),
    "Enter a date in UTC, such as 2025-01-31 or 2025-01-31T12:00:00.000Z, or Unix milliseconds.",
  ],
  [() => own("time 41"), "Enter names and widths, such as time:41,worker:10,sequence:12."],
  [
    () => own({ time: 41, worker: 30, sequence: 12 }),
    "The fields have 83 bits together; at most 64 fit into an ID.",
  ],
  [
    () => own({ time: 41, worker: 10, sequence: 12 }, { ids: "unsigned" }),
    "The fields have 63 bits together; unsigned IDs have 64.",
  ],
  [() => own({ time: 41, sequence: 12 }, { ids: "text" }), "“text” is not one of the choices."],
  [
    () => own({ time: 41 }),
    "The first field must be called time, and another one sequence, or the name that you gave.",
  ],
  [
    () => own({ time: 41, sequence: 99 }),
    "The width of sequence must be a whole number from 1 to 53: 99 is too large.",
  ],
  [
    () => own({ time: 41, sequence: 12 }, { tickMs: 0 }),
    "The tick must be a whole number from 1 to 4,294,967,295: 0 is too small.",
  ],
  [() => own({ time: 41, sequence: 12 }, { tickMs: "x" }), "Enter a number of milliseconds."],
  [() => graupel.nanoflake({ epoch: EPOCH, layout: "foo" as never }), "“foo” is not one of the choices."],
  [
    () => graupel.nanoflake({ epoch: EPOCH }).format("0", Number.NaN),
    "The radix must be a whole number from 2 to 36.",
  ],
  [
    () => graupel.snowflakeSI({ epoch: EPOCH, clockBits: 50 }),
    "The clock’s width must be a whole number from 40 to 41: 50 is too large.",
  ],
  [
    () => graupel.snowflakeSI({ epoch: EPOCH, clockBits: 41, machineBits: 12, sequenceBits: 3 } as never),
    "The widths of clock, machine and sequence must be 53 bits together.",
  ],
  [() => graupel.twitter.generator({} as never), "Datacenter is needed: enter a whole number."],
  [
    () => graupel.sno.generator({ partition: 1, sequenceMin: 9, sequenceMax: 7 }).next(),
    "The highest sequence must be a whole number from 10 to 65,535: 7 is too small.",
  ],
  [
    () => graupel.sno.generator({ partition: 1, sequenceMin: 9, sequenceMax: 9 }).next(),
    "The lowest and the highest sequence must differ.",
  ],
  [
    () =>
      graupel
        .snowflake({ epoch: Date.UTC(9000, 0, 1), fields: { time: 41, sequence: 12 } })
        .generator()
        .next(),
    "The clock is before this format’s first time, 9000-01-01 UTC.",
  ],
  [
    () => ofDiscord({ internalWorkerId: 1, internalProcessId: 1, maxWaitMs: "long" }),
    "Enter a number of milliseconds.",
  ],
  [
    () => ofDiscord({ internalWorkerId: 1, internalProcessId: 1, clockBackwards: "foo" }),
    "“foo” is not one of the choices.",
  ],
];

test("each refusal is said in words for people", () => {
  for (const [call, words, limits] of CALLS) equal(refused(call, limits), words, String(call));
});

/** Whatever a refusal may hold. */
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
          // Only times have ranges of dates, as in the package.
          if (range?.min === EPOCH && !["timestamp", "clock"].includes(field ?? "")) continue;
          const said = reasonOf({ code, field, value, range });
          ok(!FOREIGN_WORDS.test(said), `${code} ${field} ${String(value)}: ${said}`);
          ok(/^[“\w].*\.$/.test(said) && said.length < 200, said);
        }
});
