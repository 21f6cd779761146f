/** `sequenceStart`: how evenly the IDs of quiet ticks spread, what a random start costs, and who has the option. */
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { DiscordSnowflake } from "@sapphire/snowflake";
import { discord, GraupelError, sno, ulidFlake } from "graupel";
import { memory } from "../../../js/lease/memory.ts";
import { Stage as LeaseStage } from "../lease/stage.ts";
import type { AnyFormat, AnyGenerator } from "../support/any-format.ts";
import { FORMATS, type FormatUnderTest } from "../support/formats.ts";

/** The formats that count. */
const COUNTERS = FORMATS.filter(({ facts, fixed }) =>
  facts.options.some(({ name }) => name === "sequenceStart" && fixed[name] === undefined),
);

/** mulberry32: the same numbers in every run. */
let seed = 39;
function word(): number {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return (t ^ (t >>> 14)) >>> 0;
}
let fails = false;
mock.method(globalThis.crypto, "getRandomValues", (bytes: Uint8Array) => {
  if (fails) throw new Error("no entropy");
  return bytes.set(Array.from(bytes, () => word() & 255));
});

/** A generator in the middle of its format's life, and a function that moves its clock. */
function quiet({ format, fixed }: FormatUnderTest, options: object) {
  let now = format.epoch + 1_000_000 * format.layout.tickMs;
  const generator = format.generator({ ...fixed, isolated: true, clock: () => now, ...options });
  return { generator, pass: (ticks = 1) => (now += ticks * format.layout.tickMs) };
}

/** The sequences of IDs, of which each tick has one. */
function sequences(subject: FormatUnderTest, sequenceStart: string, count: number): number[] {
  const { generator, pass } = quiet(subject, { sequenceStart });
  return Array.from({ length: count }, () => {
    pass();
    return subject.format.inspect(generator.next())[subject.counts] as number;
  });
}

/** How many of the values fall on each remainder. */
function remainders(values: readonly number[], n: number): number[] {
  const counts = new Array<number>(n).fill(0);
  for (const value of values) counts[value % n] = (counts[value % n] as number) + 1;
  return counts;
}

const SHARDS = [2, 4, 16, 64];
const IDS = 6400;

test("at less than one ID a tick, the lowest start puts all IDs into one shard", () => {
  for (const subject of COUNTERS) {
    const found = sequences(subject, "lowest", 64);
    for (const n of SHARDS) assert.equal(remainders(found, n)[0], 64, subject.name);
  }
});

test("a sequence that goes on fills all shards alike", () => {
  for (const subject of COUNTERS) {
    const found = sequences(subject, "continue", IDS);
    for (const n of SHARDS) {
      assert.deepEqual(remainders(found, n), new Array(n).fill(IDS / n), `${subject.name}, ${n}`);
    }
  }
});

/**
 * The value that chi-square exceeds by chance with odds of 1 in a million (Wilson and Hilferty's approximation, z = 4.753). Each format is
 * tried with four moduli, so that other seeds would fail here with odds of about 1 in 25,000.
 */
function limit(freedom: number): number {
  const part = 2 / (9 * freedom);
  return freedom * (1 - part + 4.753 * Math.sqrt(part)) ** 3;
}

test("random starts fill all shards alike, by chi-square", (t) => {
  for (const subject of COUNTERS) {
    const found = sequences(subject, "random", IDS);
    for (const n of SHARDS) {
      const expected = IDS / n;
      const square = remainders(found, n).reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
      t.diagnostic(`${subject.name}, ${n}: ${square.toFixed(1)} of ${limit(n - 1).toFixed(1)}`);
      assert.ok(square < limit(n - 1), `${subject.name}, ${n}: ${square}`);
    }
    // All of the lower half, and nothing above it.
    const half = subject.format.capacity / 2;
    assert.ok(Math.max(...found) < half && Math.max(...found) >= 0.9 * half, subject.name);
  }
});

test("after a random start, at least half of a tick follows, in order", () => {
  for (const subject of COUNTERS) {
    const { format, name } = subject;
    const small = subject.page === "sno" ? { sequenceMin: 100, sequenceMax: 899 } : {};
    const { generator, pass } = quiet(subject, { ...small, sequenceStart: "random", sequenceFull: "throw" });
    const capacity = subject.page === "sno" ? 800 : format.capacity;
    for (let tick = 0; tick < 3; tick++) {
      pass();
      const ids: unknown[] = [];
      assert.throws(
        () => {
          for (;;) ids.push(generator.next());
        },
        { code: "SEQUENCE_FULL" },
      );
      const values = ids.map((id) => format.inspect(id)[subject.counts] as number);
      assert.ok(ids.length >= capacity / 2 && ids.length <= capacity, `${name}: ${ids.length}`);
      assert.deepEqual(
        values,
        Array.from(values, (_, i) => (values[0] as number) + i),
        name,
      );
      assert.deepEqual([...ids].sort(format.compare), ids, name);
    }
  }
});

test("a tick that goes on keeps its whole capacity, by each call", async () => {
  for (const subject of COUNTERS) {
    const { format, name } = subject;
    const { generator, pass } = quiet(subject, { sequenceStart: "continue", sequenceFull: "throw" });
    const ids = [...generator.nextMany(3)];
    pass();
    ids.push(await generator.nextAsync(), generator.next(), ...Array.from(generator.nextTyped?.(5) ?? []));
    const rest = format.capacity - (ids.length - 3);
    ids.push(...generator.nextMany(rest));
    assert.throws(() => generator.next(), { code: "SEQUENCE_FULL" }, name);
    assert.equal(new Set(ids).size, format.capacity + 3, name);
  }
});

test("a source that fails is a refusal that leaves no trace, and ends with it", () => {
  for (const subject of COUNTERS) {
    const { generator, pass } = quiet(subject, { sequenceStart: "random" });
    generator.next();
    fails = true;
    let refused: unknown;
    const seen = () => ({ ...generator.snapshot(), now: 0 });
    let before = seen();
    // Bytes are read ahead.
    for (let i = 0; i < 1000 && refused === undefined; i++) {
      pass();
      before = seen();
      try {
        generator.next();
      } catch (error) {
        refused = error;
      }
    }
    assert.ok(GraupelError.is(refused) && refused.code === "RANDOM_FAILED", String(refused));
    assert.deepEqual(seen(), before, subject.name);
    fails = false;
    assert.ok(subject.format.isValid(generator.next()), subject.name);
  }
});

test("sno: a tick that rolled over has no more after a restart, and counts what it has seen", () => {
  let now = sno.epoch + 4_000_000;
  const options = {
    partition: 3,
    sequenceMin: 20,
    sequenceMax: 25,
    clock: () => now,
    isolated: true,
  } as const;
  const policies = { sequenceStart: "continue", sequenceFull: "throw" } as const;
  const first = sno.generator({ ...options, ...policies });
  first.nextMany(3);
  now += 4;
  const ids = first.nextMany(4);
  assert.equal(first.len(), 4);
  const snapshot = JSON.parse(JSON.stringify(first.snapshot()));
  assert.equal(snapshot.left, 2);
  const second = sno.generator({ ...policies, clock: () => now, isolated: true, snapshot });
  ids.push(second.next(), second.next());
  assert.throws(() => second.next(), { code: "SEQUENCE_FULL" });
  assert.equal(new Set(ids).size, 6);
  assert.throws(() => sno.generator({ isolated: true, snapshot: { ...snapshot, left: 6 } }), {
    code: "SNAPSHOT",
    field: "snapshot.left",
  });
});

test("generators of one identity may start differently, and repeat nothing", () => {
  for (const subject of COUNTERS) {
    const { format, fixed } = subject;
    let now = format.epoch + 2_000_000 * format.layout.tickMs;
    const made = ["lowest", "continue", "random"].map((sequenceStart) =>
      format.generator({ ...fixed, clock: () => now, sequenceStart }),
    ) as AnyGenerator[];
    const ids: unknown[] = [];
    for (let i = 0; i < 600; i++) {
      if (word() % 3 === 0) now += format.layout.tickMs;
      const one = made[word() % 3] as AnyGenerator;
      ids.push(...(word() % 2 ? [one.next()] : one.nextMany(word() % 6)));
    }
    assert.equal(new Set(ids).size, ids.length, subject.name);
  }
});

test("under a lease, with each start", async () => {
  const stage = new LeaseStage();
  const lease = await stage.granted(memory({ durable: true, clock: stage.now }), { format: discord });
  const ids: bigint[] = [];
  for (const sequenceStart of ["continue", "random", "lowest"] as const) {
    const generator = discord.generator({ lease, clock: stage.wall, sequenceStart });
    const found: number[] = [];
    for (let i = 0; i < 40; i++) {
      await stage.pass(2);
      const id = generator.next();
      ids.push(id, ...generator.nextMany(2));
      found.push(discord.inspect(id).increment);
    }
    const distinct = new Set(found).size;
    assert.ok(sequenceStart === "lowest" ? distinct === 1 : distinct > 30, `${sequenceStart}: ${found}`);
  }
  assert.equal(new Set(ids).size, ids.length);
  await stage.settle(lease.release());
});

test("with a sequence that goes on, discord makes the IDs that @sapphire/snowflake makes", () => {
  let now = Date.UTC(2026, 0, 1);
  const ours = discord.generator({
    internalWorkerId: 1,
    internalProcessId: 2,
    isolated: true,
    clock: () => now,
    sequenceStart: "continue",
  });
  for (let i = 0; i < 20_000; i++) {
    now += word() % 4;
    const theirs = DiscordSnowflake.generate({ timestamp: now, workerId: 1n, processId: 2n });
    assert.equal(ours.next(), theirs);
  }
});

/** murmur2, as the Java client of Kafka hashes keys. */
function murmur2(text: string): number {
  const M = 0x5bd1e995;
  const data = Buffer.from(text);
  let h = 0x9747b28c ^ data.length;
  const whole = data.length & ~3;
  for (let i = 0; i < whole; i += 4) {
    const k = Math.imul(data.readInt32LE(i), M);
    h = Math.imul(h, M) ^ Math.imul(k ^ (k >>> 24), M);
  }
  for (let i = data.length - 1; i >= whole; i--) h ^= (data[i] as number) << (8 * (i - whole));
  if (data.length > whole) h = Math.imul(h, M);
  h = Math.imul(h ^ (h >>> 13), M);
  return h ^ (h >>> 15);
}

test("Kafka's hash of the text spreads also IDs whose sequence is 0", () => {
  // Of the client's own tests.
  const known = { "21": -973932308, foobar: -790332482, "a-little-bit-long-string": -985981536 };
  for (const [text, hash] of Object.entries(known)) assert.equal(murmur2(text), hash);
  for (const subject of COUNTERS) {
    const { generator, pass } = quiet(subject, {});
    const hashes = Array.from({ length: IDS }, () => {
      pass(5);
      return murmur2(generator.nextText()) & 0x7fffffff;
    });
    for (const n of [2, 3, 4, 12, 16]) {
      const square = remainders(hashes, n).reduce(
        (sum, count) => sum + (count - IDS / n) ** 2 / (IDS / n),
        0,
      );
      assert.ok(square < limit(n - 1), `${subject.name}, ${n}: ${square}`);
    }
  }
});

test("Ulid-Flakes, whose values are random, refuse it by name; other words are refused everywhere", () => {
  const refused = { code: "UNKNOWN_OPTION", field: "sequenceStart" };
  assert.throws(() => (ulidFlake as unknown as AnyFormat).generator({ sequenceStart: "random" }), refused);
  for (const { format, fixed } of COUNTERS) {
    for (const sequenceStart of ["keep", "", null, 0, "Random"]) {
      const refused = { code: "TYPE", field: "sequenceStart", value: sequenceStart };
      assert.throws(() => format.generator({ ...fixed, sequenceStart }), refused);
    }
  }
});
