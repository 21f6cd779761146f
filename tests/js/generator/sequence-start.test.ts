/**
 * `sequenceStart`: how evenly the IDs of ticks with few IDs are distributed, and how much of a tick
 * a random start costs. (For the exact IDs, see tests/stories/kept.json.)
 */
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { DiscordSnowflake } from "@sapphire/snowflake";
import { discord, sno } from "graupel";
import { memory } from "../../../js/lease/memory.ts";
import { ScriptedLeases } from "../lease/scripted-leases.ts";
import { FORMATS, type FormatUnderTest, optionOf } from "../support/formats.ts";
import { Random } from "../support/random.ts";

/** The formats that count. */
const COUNTERS = FORMATS.filter(
  ({ facts, fixed }) => optionOf(facts, "sequenceStart") && fixed.sequenceStart === undefined,
);

// The same numbers in every run.
const random = new Random(39);
mock.method(globalThis.crypto, "getRandomValues", (bytes: Uint8Array) => {
  return bytes.set(Array.from(bytes, () => random.below(256)));
});

/** A generator in the middle of its format's life, and a function that moves its clock. */
function quiet({ format, fixed }: FormatUnderTest, options: object) {
  let now = format.epoch + 1_000_000 * format.layout.tickMs;
  const generator = format.generator({ ...fixed, isolated: true, clock: () => now, ...options });
  return { generator, pass: () => (now += format.layout.tickMs) };
}

const IDS = 6400;

/**
 * The distribution of the sequences over remainders, with one ID per tick, and the largest
 * sequence.
 */
function spread(subject: FormatUnderTest, sequenceStart: string) {
  const { generator, pass } = quiet(subject, { sequenceStart });
  const found = Array.from({ length: IDS }, () => {
    pass();
    return subject.format.inspect(generator.next())[subject.counts] as number;
  });
  const remainders = (n: number) => {
    const counts = new Array<number>(n).fill(0);
    for (const value of found) counts[value % n] = (counts[value % n] as number) + 1;
    return counts;
  };
  return { remainders, most: Math.max(...found) };
}

/**
 * The limit that chi-square exceeds by chance with odds of 1 in a million (Wilson and Hilferty's
 * approximation, z = 4.753). Each format is tested with four moduli, so another seed would fail
 * here with odds of about 1 in 25,000.
 */
function limit(freedom: number): number {
  const part = 2 / (9 * freedom);
  return freedom * (1 - part + 4.753 * Math.sqrt(part)) ** 3;
}

test('with one ID per tick, "lowest" fills one shard, and the other starts fill all shards evenly', () => {
  for (const subject of COUNTERS) {
    const starts = ["lowest", "continue", "random"].map((start) => spread(subject, start));
    const [lowest, onward, drawn] = starts as [(typeof starts)[0], (typeof starts)[0], (typeof starts)[0]];
    for (const n of [2, 4, 16, 64]) {
      const [expected, name] = [IDS / n, `${subject.name}, ${n}`];
      assert.equal(lowest.remainders(n)[0], IDS, name);
      assert.deepEqual(onward.remainders(n), Array(n).fill(expected), name);
      const square = drawn.remainders(n).reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
      assert.ok(square < limit(n - 1), `${name}: ${square}`);
    }
    // Random starts cover only the lower half, so that half of a tick is left after any start.
    const half = subject.format.capacity / 2;
    assert.ok(drawn.most < half && drawn.most >= 0.9 * half, subject.name);
  }
});

test('sno, "continue": a tick whose sequence wraps around counts its IDs, and its snapshot says how many are left', () => {
  let now = sno.epoch + 4_000_000;
  const options = { partition: 3, sequenceMin: 20, sequenceMax: 25, isolated: true, clock: () => now };
  const generator = sno.generator({ ...options, sequenceStart: "continue" });
  generator.nextMany(3);
  now += 4;
  generator.nextMany(4);
  assert.equal(generator.len(), 4);
  const snapshot = generator.snapshot();
  assert.throws(() => sno.generator({ isolated: true, snapshot: { ...snapshot, left: 6 } }), {
    code: "SNAPSHOT",
    field: "snapshot.left",
  });
});

test("each sequenceStart under a lease", async () => {
  const stage = new ScriptedLeases();
  const lease = await stage.granted(memory({ durable: true, clock: stage.now }), { format: discord });
  const ids: bigint[] = [];
  for (const sequenceStart of ["continue", "random", "lowest"] as const) {
    const generator = discord.generator({ lease, clock: stage.wall, sequenceStart });
    const found = new Set<number>();
    for (let i = 0; i < 40; i++) {
      await stage.pass(2);
      const id = generator.next();
      ids.push(id, ...generator.nextMany(2));
      found.add(discord.inspect(id).increment);
    }
    assert.ok(sequenceStart === "lowest" ? found.size === 1 : found.size > 30, `${sequenceStart}: ${found}`);
  }
  assert.equal(new Set(ids).size, ids.length);
  await stage.settle(lease.release());
});

test('with sequenceStart "continue", discord generates the same IDs as @sapphire/snowflake', () => {
  let now = Date.UTC(2026, 0, 1);
  const fixed = { internalWorkerId: 1, internalProcessId: 2, isolated: true };
  const ours = discord.generator({ ...fixed, clock: () => now, sequenceStart: "continue" });
  for (let i = 0; i < 20_000; i++) {
    now += random.below(4);
    const theirs = DiscordSnowflake.generate({ timestamp: now, workerId: 1n, processId: 2n });
    assert.equal(ours.next(), theirs);
  }
});
