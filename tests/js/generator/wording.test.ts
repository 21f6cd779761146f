/** What errors say: for each code one refusal, word for word. Whoever changes a sentence changes it here, too. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { discord, sno, snowflake, snowflakeSI, twitter, ulidFlake } from "graupel";

const EPOCH = Date.UTC(2024, 0, 1);
const worker = { datacenterId: 1, workerId: 2 };
const standing = (options: object) =>
  twitter.generator({ ...worker, isolated: true, clock: () => EPOCH, ...options });

/** A generator of a format with one ID per millisecond, which has issued the one of the clock's millisecond. */
function full(options: object) {
  const generator = snowflake({ epoch: 0, fields: { time: 41, sequence: 1 } }).generator({
    isolated: true,
    clock: () => EPOCH,
    ...options,
  });
  generator.nextMany(2);
  return generator;
}

/** A generator whose clock has gone back by a second. */
function back(options: object) {
  let now = EPOCH;
  const generator = standing({ clock: () => now, ...options });
  generator.next();
  now -= 1000;
  return generator;
}

const SAYINGS: Record<string, readonly [refused: () => unknown, message: string]> = {
  "TYPE, an ID": [
    () => discord.parse(175928847299117000),
    "discord id: expected a bigint or its text, as JSON and drivers round (bigNumberStrings, safeIntegers), got 175928847299117000",
  ],
  "TYPE, an option": [
    () => discord.generator({ internalProcessId: 1 } as never),
    "internalWorkerId: expected a number from 0 to 31, different in everything that generates at the same time, got undefined",
  ],
  "TYPE, a number for a text": [() => sno.parse(5), "sno id: expected a string, got 5"],
  "TYPE, an object": [() => sno.parse({}), "sno id: expected a string, got an object"],
  "TYPE, an array": [() => sno.parse([]), "sno id: expected a string, got an object"],
  "TYPE, a function": [() => sno.parse(sno.next), "sno id: expected a string, got a function"],
  "TYPE, options of a class": [
    () => sno.generator(new (class {})()),
    "options: expected a plain object, like {...it}, got an object",
  ],
  "TYPE, an argument too many": [
    () => ["5"].map(sno.next as never),
    "arguments: 2 too many; in map, write (x) => f(x)",
  ],
  "TYPE, a symbol with what a terminal obeys": [
    () => sno.parse(Symbol("\x1b[31m")),
    "sno id: expected a string, got Symbol(\\u{1b}[31m)",
  ],
  RANGE: [
    () => discord.generator({ internalWorkerId: 32, internalProcessId: 1 }),
    "internalWorkerId: expected 0 to 31, got 32",
  ],
  LENGTH: [() => sno.parse("brpk4q72xwf2m63"), "sno id: expected 16 characters, got 15"],
  CHARACTER: [
    () => sno.parse("brpk4q72xwf2m63z"),
    'sno id: expected 2-9a-x at position 15, got "z" in "brpk4q72xwf2m63z"',
  ],
  "CHARACTER, of another script": [
    () => sno.parse("brpk4q72xwf2m6\uff13l"),
    'sno id: expected 2-9a-x at position 14, got "\\u{ff13}" in "brpk4q72xwf2m6\\u{ff13}l"',
  ],
  NOT_CANONICAL: [() => discord.parse("01"), 'discord id: leading zeros are not canonical: "01"'],
  OVERFLOW: [
    () => twitter.parse("9223372036854775808"),
    'twitter id: expected an integer from 0 to 9223372036854775807, got "9223372036854775808"',
  ],
  UNKNOWN_OPTION: [
    () => sno.generator({ partitoin: 1 } as never),
    'options: unknown key "partitoin"; known are partition, sequenceMin, sequenceMax, clockBackwards, sequenceFull, maxWaitMs, maxAheadMs, onClockBackwards, onOverflow, snapshot, notBefore, clock, isolated',
  ],
  UNKNOWN_FIELD: [
    () => sno.compose({ timestamp: EPOCH, metabite: 1 } as never),
    'fields: unknown key "metabite"; known are timestamp, time, ticks, tickTock, metabyte, partition, sequence',
  ],
  "UNKNOWN_FIELD, a name that is too long": [
    () => snowflake({ epoch: EPOCH, fields: { time: 41, ["n".repeat(65)]: 1, sequence: 12 } }),
    `fields: "${"n".repeat(40)}..." cannot name a field`,
  ],
  "CONFLICT, many fields, and none is the time": [
    () => snowflake({ epoch: EPOCH, fields: { ["n".repeat(64)]: 8, sequence: 12 } as never }),
    `fields: expected "time" first, and a "sequence", got "${"n".repeat(40)}..."`,
  ],
  CONFLICT: [
    () => snowflakeSI({ epoch: EPOCH, clockBits: 40, machineBits: 5, sequenceBits: 9 } as never),
    "clockBits 40, machineBits 5 and sequenceBits 9 must sum to 53",
  ],
  BEFORE_EPOCH: [
    () => ulidFlake.compose({ timestamp: EPOCH - 1, randomness: 0 }),
    "ulid-flake: timestamp 1704067199999 is before the epoch; expected 1704067200000 up to, not including, 10500160222208",
  ],
  END_OF_LIFE: [
    () => ulidFlake.compose({ timestamp: 10_500_160_222_208, randomness: 0 }),
    "ulid-flake: timestamp 10500160222208 is past the last tick, or that is used up; expected 1704067200000 up to, not including, 10500160222208",
  ],
  CLOCK_BACKWARDS: [
    () => back({ clockBackwards: "throw" }).next(),
    'twitter, at 1704067199000: the clock went back; wait, or choose clockBackwards "wait" or "hold"; in tests, say isolated: true',
  ],
  "CLOCK_BACKWARDS, too long a wait": [
    () => back({ clockBackwards: "wait" }).next(),
    "CLOCK_BACKWARDS: a wait of 1000 ms does not end within maxWaitMs, 100; raise it, try again later, or choose another policy",
  ],
  SEQUENCE_FULL: [
    () => full({ sequenceFull: "throw" }).next(),
    'snowflake, at 1704067200000: sequence is used up; try again in the next tick, or choose sequenceFull "wait" or "borrow"',
  ],
  "SEQUENCE_FULL, after another wait": [
    () => {
      const readings = [EPOCH, EPOCH - 100, EPOCH - 100];
      full({ clock: () => readings.shift() ?? EPOCH, clockBackwards: "wait" }).next();
    },
    "SEQUENCE_FULL: a wait of 101 ms does not end within maxWaitMs, 100; raise it, try again later, or choose another policy",
  ],
  CLOCK_STUCK: [
    () => full({ maxWaitMs: 5 }).next(),
    'the clock stands at 1704067200000; give one that runs, or choose "borrow"',
  ],
  CLOCK_INVALID: [
    () => standing({ clock: () => Number.NaN }).next(),
    "clock: expected Unix milliseconds, got NaN",
  ],
  TIME_TAKEN: [
    () => {
      const generator = standing({});
      generator.next();
      generator.at(EPOCH);
    },
    "twitter, at 1704067200000: an ID of that time could repeat one of this identity; backfill on an identity of its own; in tests, say isolated: true",
  ],
  RANDOM_FAILED: [
    () => ulidFlake.generator({ random: () => {}, clock: () => EPOCH }).nextMany(2),
    "ulid-flake, at 1704067200000: no randomness, or zeros; without crypto, set globalThis.crypto",
  ],
  SNAPSHOT: [
    () => sno.generator({ snapshot: { ...sno.generator({ partition: 9 }).snapshot(), wallHi: -1 } }),
    "snapshot.wallHi: expected what a snapshot of this format says, got -1",
  ],
  "SNAPSHOT, an unknown key": [
    () =>
      sno.generator({ snapshot: { ...sno.generator({ partition: 9 }).snapshot(), wallHigh: 1 } as never }),
    'snapshot: unknown key "wallHigh"; known are version, format, at, partition, sequenceMin, sequenceMax, sequence, now, wallHi, wallSafe, drifts, last',
  ],
};

test("a message escapes what could steer a terminal, turn the text around it, or split a line", () => {
  const codes = [
    ..."\0\x07\x1b\x7f\x80\x9b\x9f\u061c\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069\ufeff",
    "\ud800",
  ];
  for (const code of codes) {
    const hidden = `12${code}`;
    for (const refused of [
      () => discord.parse(hidden),
      () => sno.fromUUID(hidden.padEnd(36)),
      () => sno.generator({ [hidden]: 1 } as never),
      () => snowflake({ epoch: EPOCH, fields: { time: 41, [hidden]: 1, sequence: 1 } }),
      () => discord.compose({ timestamp: hidden } as never),
    ]) {
      assert.throws(refused, ({ message }: Error) => {
        assert.match(message, /^[ -~]+$/, JSON.stringify(code));
        assert.match(message, /12\\u[\da-f{]/);
        return true;
      });
    }
  }
});

for (const [what, [refused, message]] of Object.entries(SAYINGS)) {
  test(`${what}: in words`, () => {
    assert.throws(refused, (error: Error & { code: string }) => {
      assert.equal(error.message, message);
      assert.equal(error.code, what.split(",")[0]);
      return true;
    });
  });
}
