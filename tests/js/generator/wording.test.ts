// @ts-nocheck: most of these calls are wrong on purpose.
/**
 * Error messages, word for word, by error code. If you change a message, change it here as well.
 * Five codes take more than one call and are tested elsewhere: OUTSIDE_INTERVAL in
 * lease/lease.test.ts, PARTITIONS_EXHAUSTED in identity/partitions.test.ts, REGISTRY in
 * identity/shared-state.test.ts, CORE in package/cores.test.ts, PEER in package/peers.test.ts and
 * schemas/graphql.test.ts. (fuzz/input/outcomes.ts checks that every message is ASCII and names its
 * field.)
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { discord, GraupelError, nanoflake, sno, snowflake, snowflakeSI, twitter, ulidFlake } from "graupel";
import { replace } from "../support/replace.ts";

const EPOCH = Date.UTC(2024, 0, 1);
const flakes = nanoflake({ epoch: EPOCH });
const worker = { datacenterId: 1, workerId: 2 };
const standing = (options: object) =>
  twitter.generator({ ...worker, isolated: true, clock: () => EPOCH, ...options });

/** A generator of a format with two IDs per millisecond. */
const twoPerTick = (options: object) =>
  snowflake({ epoch: 0, fields: { time: 41, sequence: 1 } }).generator({
    isolated: true,
    clock: () => EPOCH,
    ...options,
  });

/** The same, after it has issued both IDs of the current millisecond. */
function full(options: object) {
  const generator = twoPerTick(options);
  generator.nextMany(2);
  return generator;
}

/** The generator after it has issued an ID. */
function used<G extends { next(): unknown }>(generator: G): G {
  generator.next();
  return generator;
}

/** Gives a generator these times, in milliseconds. */
const given = (generator: ReturnType<typeof twoPerTick>, ...times: number[]) =>
  times.map((ms) => generator.at(EPOCH + ms));

/** A snapshot after the second millisecond was given. */
function givenLater() {
  const generator = twoPerTick({});
  generator.at(1);
  return generator.snapshot();
}

/** A clock that returns these readings and then repeats the last one. */
const reading =
  (...readings: number[]) =>
  (): number =>
    (readings.length > 1 ? readings.shift() : readings[0]) as number;

/** A generator whose clock has gone back by a second. */
const back = (options: object) => used(standing({ clock: reading(EPOCH, EPOCH - 1000), ...options }));

/**
 * Calls and their messages, by error code, without the code in brackets at the end. The text after a
 * comma in a key distinguishes rows with the same code.
 */
const WORDING: Readonly<Record<string, readonly [call: () => unknown, message: string]>> = {
  "TYPE, an ID": [
    () => discord.parse(175928847299117000),
    "discord id: expected a bigint or its text, because numbers are rounded (set supportBigNumbers or safeIntegers), got 175928847299117000",
  ],
  "TYPE, an option": [
    () => discord.generator({ internalProcessId: 1 }),
    "internalWorkerId: expected a number from 0 to 31, unique among running generators, got undefined",
  ],
  "RANGE, a fraction": [
    () => nanoflake({ epoch: 1.1 }),
    "epoch: expected whole Unix milliseconds or a Date, got 1.1",
  ],
  "RANGE, a tick too long for the width of the time": [
    () => snowflake({ epoch: 0, tickMs: 2, fields: { time: 53, sequence: 1 } }),
    "tickMs: expected at most 1 with 53 bits of time, got 2",
  ],
  "RANGE, a layout that no safe number holds": [
    () => snowflake({ epoch: 0, fields: { time: 41, worker: 10, sequence: 12 }, ids: "number" }),
    'fields: expected 2 to 53 bits with ids "number", got 63',
  ],
  "RANGE, a layout without the sign's bit": [
    () => snowflake({ epoch: 0, fields: { time: 41, worker: 10, sequence: 12 }, ids: "unsigned" }),
    'fields: expected 64 bits with ids "unsigned", got 63',
  ],
  "CONFLICT, no field of the name of the counter": [
    () => snowflake({ epoch: 0, fields: { time: 41, sequence: 12 } as never, sequenceField: "increment" }),
    'fields: expected "time" first, and "increment" below it, got "time,sequence"',
  ],
  "TYPE, a signal": [
    () => standing({}).nextAsync({ signal: {} }),
    "signal: expected an AbortSignal, got an object",
  ],
  "TYPE, a lease": [() => sno.generator({ lease: {} }), "lease: expected a lease, got an object"],
  "TYPE, a number for a text": [() => sno.parse(5), "sno id: expected a string, got 5"],
  "TYPE, an object": [() => sno.parse({}), "sno id: expected a string, got an object"],
  "TYPE, an array": [() => sno.parse([]), "sno id: expected a string, got an object"],
  "TYPE, a function": [() => sno.parse(sno.next), "sno id: expected a string, got a function"],
  "TYPE, options of a class": [
    () => sno.generator(new (class {})()),
    "options: expected a plain object, like {...it}, got an object",
  ],
  "TYPE, an argument too many": [
    () => ["5"].map(sno.next),
    "arguments: 2 too many; in map, write (x) => f(x) or () => f()",
  ],
  "TYPE, a symbol with what a terminal obeys": [
    () => sno.parse(Symbol("\x1b[31m")),
    "sno id: expected a string, got Symbol(\\u{1b}[31m)",
  ],
  RANGE: [
    () => discord.generator({ internalWorkerId: 32, internalProcessId: 1 }),
    "internalWorkerId: expected an integer from 0 to 31, got 32",
  ],
  "RANGE, the second byte of a partition": [
    () => sno.generator({ partition: [0, 256] }),
    "partition[1]: expected an integer from 0 to 255, got 256",
  ],
  "RANGE, an integer": [
    () => twitter.fromBigInt(-1n),
    "twitter integer: expected an integer from 0 to 9223372036854775807, got -1n",
  ],
  LENGTH: [() => sno.parse("brpk4q72xwf2m63"), "sno id: expected 16 characters, got 15"],
  "LENGTH, of several": [
    () => discord.parse("1".repeat(21)),
    "discord id: expected 1 to 20 characters, got 21",
  ],
  "LENGTH, of a decimal text": [
    () => flakes.parse("1".repeat(19)),
    "nanoflake id: expected 1 to 13 characters (decimal text: parse(text, 10)), got 19",
  ],
  "LENGTH, of another text": [
    () => flakes.parse("1a".repeat(10)),
    "nanoflake id: expected 1 to 13 characters, got 20",
  ],
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
    () => sno.generator({ partitoin: 1 }),
    'options: unknown key "partitoin"; known are partition, sequenceMin, sequenceMax, sequenceStart, clockBackwards, sequenceFull, maxWaitMs, maxAheadMs, onClockBackwards, onOverflow, snapshot, notBefore, clock, isolated, lease',
  ],
  UNKNOWN_FIELD: [
    () => sno.compose({ timestamp: EPOCH, metabite: 1 }),
    'fields: unknown key "metabite"; known are timestamp, time, ticks, tickTock, metabyte, partition, sequence',
  ],
  "UNKNOWN_FIELD, a name that is too long": [
    () => snowflake({ epoch: EPOCH, fields: { time: 41, ["n".repeat(65)]: 1, sequence: 12 } }),
    'fields: "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn..." is reserved or not an identifier',
  ],
  "CONFLICT, many fields, and none is the time": [
    () => snowflake({ epoch: EPOCH, fields: { ["n".repeat(64)]: 8, sequence: 12 } }),
    'fields: expected "time" first, and "sequence" below it, got "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn..."',
  ],
  "CONFLICT, bounds that begin alike": [
    () => [1, 2].map((sequenceMax) => sno.generator({ partition: 7, sequenceMax: sequenceMax * 100 }).next()),
    "sequence: 0 to 200 overlap 0 to 100 of a counting generator; use equal or disjoint bounds",
  ],
  CONFLICT: [
    () => snowflakeSI({ epoch: EPOCH, clockBits: 40, machineBits: 5, sequenceBits: 9 }),
    "clockBits 40, machineBits 5 and sequenceBits 9 must sum to 53",
  ],
  BEFORE_EPOCH: [
    () => ulidFlake.compose({ timestamp: EPOCH - 1, randomness: 0 }),
    "ulid-flake: timestamp 2023-12-31T23:59:59.999Z is before the epoch; expected 2024-01-01T00:00:00.000Z to before 2302-09-27T15:10:22.208Z",
  ],
  END_OF_LIFE: [
    () => ulidFlake.compose({ timestamp: 10_500_160_222_208, randomness: 0 }),
    "ulid-flake: timestamp 2302-09-27T15:10:22.208Z is too late; expected 2024-01-01T00:00:00.000Z to before 2302-09-27T15:10:22.208Z",
  ],
  CLOCK_BACKWARDS: [
    () => back({ clockBackwards: "throw" }).next(),
    'twitter, at 2023-12-31T23:59:59.000Z: the clock went back; set clockBackwards to "wait" or "hold"; in tests, set isolated: true',
  ],
  "CLOCK_BACKWARDS, too long a wait": [
    () => back({ clockBackwards: "wait" }).next(),
    "a wait of 1000 ms exceeds maxWaitMs, 100; raise it or retry later",
  ],
  SEQUENCE_FULL: [
    () => full({ sequenceFull: "throw" }).next(),
    'snowflake, at 2024-01-01T00:00:00.000Z: sequence is used up; set sequenceFull to "wait" or "borrow"',
  ],
  "SEQUENCE_FULL, after another wait": [
    () => full({ clock: reading(EPOCH, EPOCH - 100, EPOCH - 100, EPOCH), clockBackwards: "wait" }).next(),
    "a wait of 101 ms exceeds maxWaitMs, 100; raise it or retry later",
  ],
  "SEQUENCE_FULL, for years": [
    () => standing({ notBefore: Date.UTC(2030, 0, 1) }).next(),
    "no ID is free until 2030-01-01T00:00:00.000Z, beyond maxWaitMs; check the clock; in tests, set isolated: true",
  ],
  CLOCK_STUCK: [
    () => full({ maxWaitMs: 5 }).next(),
    'the clock stopped at 2024-01-01T00:00:00.000Z; advance it, or set sequenceFull to "borrow"',
  ],
  "CLOCK_STUCK, although it borrows": [
    () => full({ maxWaitMs: 5, sequenceFull: "borrow", maxAheadMs: 0 }).next(),
    'the clock stopped at 2024-01-01T00:00:00.000Z; advance it, or set sequenceFull to "borrow"',
  ],
  "CLOCK_BACKWARDS, by years": [
    () => used(standing({ clock: reading(Date.UTC(2026, 10, 25, 12), Date.UTC(2020, 0, 1)) })).next(),
    "the clock is 2520.5 days behind 2026-11-25T11:59:50.000Z, beyond maxWaitMs; check the clock; in tests, set isolated: true",
  ],
  CLOCK_INVALID: [
    () => standing({ clock: () => Number.NaN }).next(),
    "clock: expected Unix milliseconds, got NaN",
  ],
  TIME_TAKEN: [
    () => used(standing({})).at(EPOCH),
    "twitter, at 2024-01-01T00:00:00.000Z: an ID of that time may exist; use another worker ID; in tests, set isolated: true",
  ],
  "TIME_TAKEN, after later given times": [
    () => given(twoPerTick({}), 0, 0, 1, 0),
    "snowflake, at 2024-01-01T00:00:00.000Z: times must ascend now; sort them, or use compose",
  ],
  "TIME_TAKEN, after later given times, and before the clock's first ID": [
    () => given(used(twoPerTick({ clock: () => EPOCH + 10 })), 0, 0, 1, 0),
    "snowflake, at 2024-01-01T00:00:00.000Z: times must ascend now; sort them, or use compose",
  ],
  "TIME_TAKEN, after later given times, and a notBefore": [
    () => given(twoPerTick({ snapshot: givenLater(), notBefore: EPOCH }), -EPOCH),
    "snowflake, at 1970-01-01T00:00:00.000Z: an ID of that time may exist; use another worker ID; in tests, set isolated: true",
  ],
  "SEQUENCE_FULL, of a given time": [
    () => given(twoPerTick({}), 0, 0, 0),
    "snowflake, at 2024-01-01T00:00:00.000Z: sequence is used up; pass a time 1 ms later, or use compose",
  ],
  RANDOM_FAILED: [
    () => ulidFlake.generator({ random: () => {}, clock: () => EPOCH }).nextMany(2),
    "ulid-flake, at 2024-01-01T00:00:00.000Z: random must fill its bytes",
  ],
  // No row above draws from the platform, so no random bits are left over.
  "RANDOM_FAILED, of a given time": [
    () => {
      const restore = replace([globalThis, "crypto", {}]);
      try {
        return ulidFlake.generator({ isolated: true }).at(EPOCH);
      } finally {
        restore();
      }
    },
    "random: no random bytes (TypeError: source(...).getRandomValues is not a function); set globalThis.crypto, or import react-native-get-random-values",
  ],
  "RANDOM_FAILED, of zeros from the platform": [
    () => {
      // More zero bytes than a call draws, but fewer than 16 words of zeros in a row.
      const fill = (bytes: Uint8Array) => bytes.fill(1).fill(0, 1901, 1967);
      const restore = replace([globalThis, "crypto", { getRandomValues: fill }]);
      try {
        return ulidFlake.generator({ isolated: true, clock: () => EPOCH }).nextMany(1000);
      } finally {
        restore();
      }
    },
    "ulid-flake, at 2024-01-01T00:00:00.000Z: random must fill its bytes",
  ],
  SNAPSHOT: [
    () => sno.generator({ snapshot: { ...sno.generator({ partition: 9 }).snapshot(), wallHi: -1 } }),
    "snapshot.wallHi: expected an integer from 0 to 549755813887, got -1",
  ],
  "SNAPSHOT, another layout": [
    () => flakes.generator({ snapshot: { ...flakes.generator({ generatorId: 9 }).snapshot(), layout: [] } }),
    "snapshot.layout: expected the layout of this format, got an object",
  ],
  "SNAPSHOT, an unknown key": [
    () => sno.generator({ snapshot: { ...sno.generator({ partition: 9 }).snapshot(), wallHigh: 1 } }),
    'snapshot: unknown key "wallHigh"; known are version, format, at, partition, sequenceMin, sequenceMax, sequence, now, wallHi, wallSafe, drifts, last, left',
  ],
};

for (const [what, [call, message]] of Object.entries(WORDING)) {
  test(`${what}: its message`, () => {
    const code = what.split(",")[0];
    return assert.rejects(async () => call(), { code, message: `${message} [${code}]` });
  });
}

test("an error as JSON", () => {
  const refusal = (call) => {
    try {
      call();
    } catch (error) {
      assert.ok(GraupelError.is(error));
      return error;
    }
    return assert.fail("was accepted");
  };
  const json = (error) => JSON.parse(JSON.stringify(error));
  const large = refusal(() => twitter.format(1n << 63n));
  const { name, code, field, value, message } = json(large);
  const wanted = ["GraupelError", "OVERFLOW", "id", "9223372036854775808", large.message];
  assert.deepEqual([name, code, field, value, message], wanted);
  const far = refusal(() => twitter.generator({ datacenterId: 32, workerId: 1 }));
  assert.deepEqual(json(far).range, { min: 0, max: 31 });
  assert.equal(json(refusal(() => twitter.format({}))).value, "an object");
  // The name is inherited, and a program may rename an error.
  assert.ok(!Object.hasOwn(far, "name"));
  far.name = "Mine";
  assert.deepEqual([far.name, large.name], ["Mine", "GraupelError"]);
});
