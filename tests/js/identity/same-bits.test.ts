/** Formats that place the same bits are one identity, even if their IDs look different. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { discord, mastodon, sno, snowflake, snowflakeSI, twitter, ulidFlake } from "graupel";

const START = 1_750_000_000_000;

const clock = () => START;

/**
 * Layouts that place the same bits, declared with other names, splits, types, signs and rounding.
 */
const same = {
  "Discord's bits, split elsewhere": [
    discord.generator({ internalWorkerId: 5, internalProcessId: 6, clock }),
    snowflake({ epoch: discord.epoch, fields: { time: 42, node: 10, sequence: 12 } }).generator({
      node: 5 * 32 + 6,
      clock,
    }),
  ],
  "Mastodon's bits, rounded down": [
    mastodon.generator({ clock }),
    snowflake({ epoch: 0, fields: { time: 48, sequence: 16 } }).generator({ clock }),
  ],
  "Twitter's bits, with a longer life": [
    twitter.generator({ datacenterId: 9, workerId: 9, clock }),
    snowflake({ epoch: twitter.epoch, fields: { time: 42, a: 5, b: 5, sequence: 12 } }).generator({
      ...{ a: 9, b: 9, clock },
    }),
  ],
  "Snowflake-SI's bits, as BigInts": [
    snowflakeSI({ epoch: 1.4e12 }).generator({ machineId: 3, clock }),
    snowflake({ epoch: 1.4e12, fields: { time: 40, worker: 5, sequence: 8 } }).generator({
      worker: 3,
      clock,
    }),
  ],
} as const;

for (const [name, makers] of Object.entries(same)) {
  test(`${name}: one identity`, () => {
    const ids = Array.from({ length: 200 }, (_, i) => BigInt((makers[i % 2] as (typeof makers)[0]).next()));
    assert.deepEqual(
      ids,
      ids.map((_, i) => (ids[0] as bigint) + BigInt(i)),
    );
    assert.equal(makers[0].stats().issued, makers[1].stats().issued);
  });
}

test("generators of one identity each keep their rounding, and the end of their format", () => {
  const wide = snowflake({ epoch: 0, fields: { time: 48, sequence: 16 } });
  const half = () => START + 0.75;
  assert.equal(mastodon.inspect(mastodon.generator({ clock: half }).next()).timestamp, START + 1);
  assert.equal(wide.inspect(wide.generator({ clock: half }).next()).timestamp, START + 1, "held");
  assert.equal(wide.inspect(wide.generator({ isolated: true, clock: half }).next()).timestamp, START);
  const signed = snowflake({ epoch: discord.epoch, fields: { time: 42, node: 10, sequence: 12 } });
  const late = signed.endOfLife + 1;
  const [own, other] = [
    discord.generator({ internalWorkerId: 31, internalProcessId: 31, clock: () => late }),
    signed.generator({ node: 1023, clock: () => late, clockBackwards: "throw" }),
  ];
  for (let i = 0; i < 3; i++) {
    assert.ok(own.next() >= 2n ** 63n);
    assert.throws(() => other.next(), { code: "END_OF_LIFE" });
  }
});

test("generators of one identity each keep their own options, also for equal calls at one reading", () => {
  const format = snowflake({ epoch: 0, fields: { time: 41, worker: 4, sequence: 2 } });
  const of = (sequenceFull: "borrow" | "wait", maxAheadMs: number) =>
    format.generator({ worker: 3, clock, sequenceFull, maxAheadMs, maxWaitMs: 0 });
  const far = of("borrow", 50);
  // The fifth ID is in the next tick.
  let last = far.nextMany(5)[4] as bigint;
  for (const other of [of("borrow", 0), of("wait", 50)]) {
    assert.throws(() => other.next(), { code: "SEQUENCE_FULL" });
    assert.equal(far.next(), ++last);
  }
});

test("a layout whose life has ended leaves one with more bits of time as it is, and the reverse", () => {
  const wide = snowflake({ epoch: 1.7e12, fields: { time: 41, worker: 10, sequence: 12 } });
  const narrow = snowflake({ epoch: 1.7e12, fields: { time: 30, worker: 10, sequence: 12 } });
  for (const worker of [1, 2]) {
    const [a, b] = [wide.generator({ worker, clock }), narrow.generator({ worker, clock })];
    if (worker === 1) a.next();
    for (let i = 0; i < 3; i++) {
      assert.throws(() => b.next(), { code: "END_OF_LIFE" });
      assert.throws(() => b.at(START - 1), { code: "END_OF_LIFE" });
      assert.ok(wide.isValid(a.next()));
    }
  }
});

test("sno keeps its tick-tock bit and its metabyte beside a layout that places the same bits", () => {
  const fields = { time: 23, tt: 1, mb: 8, partition: 16, sequence: 16 };
  const partition = 1;
  snowflake({ epoch: sno.epoch, tickMs: 4, fields }).generator({ tt: 0, mb: 0, partition }).stats();
  let now = START;
  const maker = sno.generator({ partition, clock: () => now });
  const ids = [maker.next(7)];
  assert.equal(sno.metabyte(ids[0] as string), 7);
  for (let round = 0; round < 3; round++) {
    now -= 40;
    for (let i = 0; i < 20; i++) {
      now += 4;
      ids.push(maker.next());
    }
  }
  assert.equal(new Set(ids).size, ids.length);
});

test("a format that counts cannot make the IDs of one that is random", () => {
  const counting = snowflake({ epoch: ulidFlake.epoch, fields: { time: 43, sequence: 20 } });
  ulidFlake.generator().next();
  assert.throws(() => counting.generator().next(), { code: "CONFLICT", field: "sequence" });
  assert.equal(counting.generator({ isolated: true, clock }).nextMany(3).length, 3);
});

test("a plain layout gives a snapshot that it takes, also beside a sequence that was kept", () => {
  let now = START;
  const clock = () => now;
  const plain = snowflake({ epoch: 1.4e12, fields: { time: 40, worker: 5, sequence: 8 } });
  const keeping = snowflakeSI({ epoch: 1.4e12 }).generator({
    machineId: 4,
    sequenceStart: "continue",
    clock,
  });
  const generator = plain.generator({ worker: 4, clock });
  const seen = new Set(keeping.nextMany(200).map(BigInt));
  now++;
  seen.add(BigInt(keeping.next()));
  const snapshot = generator.snapshot();
  const next = plain.generator({ snapshot, clock, isolated: true });
  for (const id of next.nextMany(40)) {
    assert.ok(!seen.has(id), `${id} again`);
  }
});
