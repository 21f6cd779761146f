/** Numbers that are of no use to a process: their time begins too late, or they are given by hand. And which ticks an interval allows. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { snowflake } from "graupel";
import { memory } from "../../../js/lease/memory.ts";
import type { LeaseStore } from "../../../js/lease/types.ts";
import { START, Stage, TIMES } from "./stage.ts";

const four = snowflake({ epoch: START - 9, tickMs: 1, fields: { time: 41, worker: 2, sequence: 8 } });

/** A store whose clock can be wrong. */
function clocked(durable: boolean) {
  const stage = new Stage();
  const clock = { ahead: 0 };
  return { stage, clock, store: memory({ durable, clock: () => stage.now() + clock.ahead }) };
}

for (const durable of [true, false]) {
  for (const forMs of [100, 2000, 7000]) {
    test(`a clock that was ahead for ${forMs} ms, in a ${durable ? "durable" : "forgetful"} store`, async () => {
      const { stage, clock, store } = clocked(durable);
      const leases = await Promise.all([0, 1].map(() => stage.granted(store, { format: four })));
      const generators = leases.map((lease) => four.generator({ lease, clock: stage.wall }));
      clock.ahead = 300_000;
      await stage.pass(forMs);
      clock.ahead = 0;
      await stage.pass(4000);
      const seen = new Set<bigint>();
      for (const ids of generators) for (const id of ids.nextMany(20)) seen.add(id);
      assert.equal(seen.size, 40);
      for (const lease of leases) await stage.settle(lease.release());
      // What they gave back is held by nobody.
      assert.deepEqual(
        (await store.list?.("stage"))?.filter(({ held }) => held),
        [],
      );
    });
  }
}

for (const durable of [true, false]) {
  test(`a clock that was ahead at a namespace's birth, in a ${durable ? "durable" : "forgetful"} store`, async () => {
    const { stage, clock, store } = clocked(durable);
    clock.ahead = 300_000;
    const first = stage.lease(store, { namespace: "stage", format: four, ...TIMES, maxWaitMs: 1_000_000 });
    await stage.pass(500);
    clock.ahead = 0;
    // Nobody holds the other numbers, so the store is not full.
    const expected = { code: "LEASE_SKEW", message: /clock was ahead.*no number.* until 2026-01-01T00:05:0\d/ };
    await assert.rejects(stage.granted(store, { format: four }), expected);
    // One who waits gets its number in the end, and holds no other one.
    await stage.pass(310_000);
    const lease = await stage.settle(first);
    assert.equal(lease.status.state, "held");
    assert.equal((await store.list?.("stage"))?.filter(({ held }) => held).length, 1);
    await stage.settle(lease.release());
  });
}

test("a number that is given by hand is left to its generator, and another one taken", async () => {
  const stage = new Stage();
  const store = stage.memory();
  const four = snowflake({ epoch: START - 10, tickMs: 1, fields: { time: 41, worker: 2, sequence: 8 } });
  const given = [0, 1, 2].map((worker) => four.generator({ worker, clock: stage.wall }));
  for (const ids of given) ids.next();
  const lease = await stage.granted(store, { format: four });
  assert.equal(lease.status.number, 3);
  assert.deepEqual((await store.list?.("stage"))?.filter(({ held }) => held).length, 1);
  assert.throws(() => four.generator({ worker: 3 }).next(), {
    code: "CONFLICT",
    field: "lease",
    message: /^lease: /,
  });
  // If there are only numbers that are given, the error says so.
  await stage.settle(lease.release());
  const conflict = { code: "CONFLICT", message: /generator of this process has number \d;/ };
  await assert.rejects(stage.granted(store, { format: four, fixed: { worker: 1 } }), conflict);
  const foreign = {
    namespace: "stage",
    layout: `${START - 10}+1:41,2n,8`,
    last: 3,
    mask: 3,
    bits: 3,
    ttlMs: 60_000,
  };
  await store.acquire({ ...foreign, quarantineMs: 1000, token: "foreign", label: "" });
  await assert.rejects(stage.granted(store, { format: four }), conflict);
});

test("a tick counts if it lies within the interval, both ends included: not if a part of it is another's", async () => {
  const stage = new Stage();
  const tickMs = 10;
  const format = snowflake({ epoch: START, tickMs, fields: { time: 39, worker: 1, sequence: 8 } });
  const interval = { from: START + 15, until: START + 1025 };
  const store: LeaseStore = {
    durable: true,
    acquire: async () => ({ number: 1, ...interval, now: stage.now() }),
    renew: async () => ({ number: 1, ...interval, now: stage.now() }),
    release: async () => {},
  };
  const lease = await stage.granted(store, { format });
  let clock = START;
  const ids = format.generator({ lease, clock: () => clock, maxWaitMs: 0 });
  const at = (ms: number) => {
    clock = START + ms;
    return ids.next();
  };
  const timeAt = (ms: number) => format.inspect(at(ms)).timestamp - START;
  // While the clock is before the interval, IDs have its first tick.
  for (const before of [0, 15, 19, 20]) assert.equal(timeAt(before), 20);
  assert.equal(timeAt(1019), 1010);
  for (const after of [1020, 1024, 1030])
    assert.throws(() => at(after), { code: "OUTSIDE_INTERVAL" }, `${after}`);
});
