/**
 * More identities than the core has slots: their states move to JavaScript and back, also while an operation of one of them is under
 * way. Nobody notices.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { sno, snowflakeSI, twitter, ulidFlake } from "graupel";

/** More than the core holds at a time (`SLOTS` in src/abi.rs). */
const CROWD = 1100;
const START = Date.UTC(2025, 0, 1);

/** Takes every slot, so that each other state loses its own. */
function crowd(): void {
  for (let partition = 0; partition < CROWD; partition++) {
    sno.generator({ partition, isolated: true, clock: () => START }).next();
  }
}

test("generators in turn, more than there are slots: each goes on where it was", () => {
  let now = START;
  const si = snowflakeSI({ epoch: Date.UTC(2020, 0, 1) });
  const makers = Array.from({ length: CROWD }, (_, i) =>
    [
      () => sno.generator({ partition: 20_000 + i, clock: () => now }),
      () => twitter.generator({ datacenterId: i & 31, workerId: i >> 6, clock: () => now }),
      () => si.generator({ machineId: i % 32, onNewMillisecond: "keep", isolated: true, clock: () => now }),
      () => ulidFlake.generator({ isolated: true, clock: () => now, sequenceFull: "borrow" }),
    ][i & 3]?.(),
  );
  const issued = makers.map((): (string | bigint | number)[] => []);
  for (let round = 0; round < 6; round++) {
    now += round % 2;
    for (const [i, maker] of makers.entries()) issued[i]?.push(maker?.next() as bigint);
  }
  for (const [i, ids] of issued.entries()) {
    if ((i & 3) !== 1) assert.equal(new Set(ids).size, 6, `${ids}`);
    if ((i & 3) !== 2) assert.deepEqual([...ids].sort(), ids);
    assert.ok((makers[i]?.stats().issued ?? 0) >= 6);
  }
  // Worker IDs meet again after 64 of them: all generators of one share its state.
  const twitters = issued.filter((_, i) => (i & 3) === 1).flat();
  assert.equal(new Set(twitters).size, twitters.length);
});

test("a state that lost its slot is saved, restored and merged as any other", () => {
  const options = { datacenterId: 30, workerId: 30, clock: () => START };
  const maker = twitter.generator(options);
  const before = maker.nextMany(10);
  const snapshot = maker.snapshot();
  crowd();
  assert.deepEqual(maker.snapshot(), snapshot);
  crowd();
  assert.equal(maker.stats().issued, 10);
  crowd();
  const other = twitter.generator({ ...options, notBefore: START + 5, sequenceFull: "borrow" });
  crowd();
  const after = other.next();
  assert.ok(after > (before.at(-1) as bigint));
  assert.equal(twitter.inspect(after).timestamp, START + 5);
});

test("callbacks that take every slot", () => {
  let now = START;
  const seen: bigint[] = [];
  const maker = twitter.generator({
    datacenterId: 29,
    workerId: 29,
    clock: () => now,
    sequenceFull: "borrow",
    onOverflow: crowd,
    onClockBackwards: crowd,
  });
  seen.push(...maker.nextMany(4096), ...maker.nextMany(4096));
  now -= 10;
  seen.push(maker.next(), ...maker.nextMany(5));
  assert.equal(new Set(seen).size, seen.length);
  assert.deepEqual([...seen].sort(), seen);
  assert.equal(maker.stats().issued, seen.length);
});

test("a source of randomness, and a clock, that take every slot", async () => {
  let fill = 0;
  const maker = ulidFlake.generator({
    clock: () => {
      crowd();
      return START;
    },
    sequenceFull: "borrow",
    random(bytes) {
      crowd();
      fill += 3;
      bytes.fill(fill);
    },
  });
  const ids = [maker.next(), ...maker.nextMany(5), maker.at(START - 1000), await maker.nextAsync()];
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(maker.stats().issued, ids.length);
});

test("a batch that is refused goes back, though the clock took every slot meanwhile", () => {
  let readings = 0;
  const maker = twitter.generator({
    datacenterId: 28,
    workerId: 28,
    maxWaitMs: 0,
    clock: () => {
      if (readings++ > 0) crowd();
      return START;
    },
  });
  const first = maker.next();
  assert.throws(() => maker.nextMany(5000), { code: "SEQUENCE_FULL" });
  assert.equal(maker.next(), first + 1n);
});
