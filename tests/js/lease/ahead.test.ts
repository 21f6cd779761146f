/**
 * Numbers that a process cannot use, because their interval begins too late or because they were
 * assigned by hand; and the ticks that an interval allows.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { snowflake } from "graupel";
import { memory } from "../../../js/lease/memory.ts";
import type { LeaseStore } from "../../../js/lease/types.ts";
import { ScriptedLeases, START, TIMES } from "./scripted-leases.ts";

const fields = { time: 41, worker: 2, sequence: 8 } as const;
const format = snowflake({ epoch: START - 9, tickMs: 1, fields });

for (const durable of [true, false]) {
  const kind = durable ? "durable" : "forgetful";
  /** A store whose clock can be wrong, and which records the tokens of acquisitions. */
  const clocked = () => {
    const scripted = new ScriptedLeases();
    const clock = { ahead: 0 };
    const tokens: string[] = [];
    const inner = memory({ durable, clock: () => scripted.now() + clock.ahead });
    const acquire: LeaseStore["acquire"] = (request) => {
      tokens.push(request.token);
      return inner.acquire(request);
    };
    return { scripted, clock, tokens, store: { ...inner, acquire } };
  };

  for (const forMs of [100, 2000, 7000]) {
    test(`a clock that was ahead for ${forMs} ms, in a ${kind} store`, async () => {
      const { scripted, clock, store } = clocked();
      const leases = await Promise.all([0, 1].map(() => scripted.granted(store, { format })));
      const generators = leases.map((lease) => format.generator({ lease, clock: scripted.wall }));
      clock.ahead = 300_000;
      await scripted.pass(forMs);
      clock.ahead = 0;
      await scripted.pass(4000);
      const seen = new Set(generators.flatMap((ids) => ids.nextMany(20)));
      assert.equal(seen.size, 40);
      for (const lease of leases) await scripted.settle(lease.release());
      // After their release, no number is held.
      assert.deepEqual(await scripted.heldIn(store), []);
    });
  }

  test(`a clock that was ahead at a namespace's birth, in a ${kind} store`, async () => {
    const { scripted, clock, tokens, store } = clocked();
    clock.ahead = 300_000;
    const first = scripted.lease(store, { namespace: "stage", format, ...TIMES, maxWaitMs: 1_000_000 });
    await scripted.pass(500);
    clock.ahead = 0;
    // The other numbers are not held, so the error must not say that the store is full.
    const until = `2026-01-01T00:05:0${durable ? 1 : 0}\\.000Z`;
    const message = new RegExp(`clock was ahead: no number of stage is free until ${until};`);
    await scripted.refused(store, { format }, { code: "LEASE_SKEW", message });
    // The durable store grants numbers that are given back, so each request has a new token. The
    // other store grants none, so requests are repeated.
    assert.ok(tokens.length > 3);
    assert.equal(new Set(tokens).size, durable ? tokens.length : 3);
    // The lease that waits eventually gets its number, and holds no other.
    await scripted.pass(310_000);
    const lease = await scripted.settle(first);
    assert.equal(lease.status.state, "held");
    assert.equal((await scripted.heldIn(store)).length, 1);
    await scripted.settle(lease.release());
  });

  test(`a clock that is set back while a number is held, in a ${kind} store`, async () => {
    const { scripted, clock, tokens, store } = clocked();
    const lease = await scripted.granted(store, { format });
    clock.ahead = -300_000;
    const { renewals } = lease.status;
    await scripted.pass(700);
    // It is renewed, and no other number is acquired.
    assert.ok(lease.status.renewals > renewals);
    assert.deepEqual([lease.status.state, tokens.length], ["held", 1]);
    await scripted.settle(lease.release());
  });
}

test("a number that is given by hand is left to its generator, and another one taken", async () => {
  const scripted = new ScriptedLeases();
  const store = scripted.memory();
  const own = snowflake({ epoch: START - 10, tickMs: 1, fields });
  for (const worker of [0, 1, 2]) own.generator({ worker, clock: scripted.wall }).next();
  const lease = await scripted.granted(store, { format: own });
  assert.equal(lease.status.number, 3);
  assert.deepEqual(await scripted.heldIn(store), [3]);
  // If all possible numbers were assigned by hand, the error says so.
  await scripted.settle(lease.release());
  const conflict = { code: "CONFLICT", message: /generator of this process has number \d;/ };
  await scripted.refused(store, { format: own, fixed: { worker: 1 } }, conflict, 500);
  // If no other number can be requested, the error says that instead.
  let isFirst = true;
  const acquire: LeaseStore["acquire"] = async (request) => {
    if (!isFirst) throw new Error("down");
    isFirst = false;
    return store.acquire(request);
  };
  const down = { code: "LEASE_STORE", message: /down/ };
  await scripted.refused({ ...store, acquire }, { format: own, fixed: { worker: 1 } }, down);
  const foreign = { namespace: "stage", layout: `${START - 10}+1:41,2n,8`, last: 3, mask: 3, bits: 3 };
  const times = { ttlMs: 60_000, quarantineMs: 1000 };
  await store.acquire({ ...foreign, ...times, token: "foreign", label: "" });
  await scripted.refused(store, { format: own }, conflict);
});

test("a tick counts if it lies within the interval, both ends included: not if a part of it is another's", async () => {
  const scripted = new ScriptedLeases();
  const ten = snowflake({ epoch: START, tickMs: 10, fields: { time: 39, worker: 1, sequence: 8 } });
  const grant = async () => ({ number: 1, from: START + 15, until: START + 1025, now: scripted.now() });
  const store = { durable: true, acquire: grant, renew: grant, release: async () => {} };
  const lease = await scripted.granted(store, { format: ten });
  let clock = START;
  const ids = ten.generator({ lease, clock: () => clock, maxWaitMs: 0 });
  const timeAt = (ms: number) => {
    clock = START + ms;
    return ten.inspect(ids.next()).timestamp - START;
  };
  // While the clock is before the interval, IDs have the first tick of the interval.
  for (const before of [0, 15, 19, 20]) assert.equal(timeAt(before), 20);
  assert.equal(timeAt(1019), 1010);
  for (const after of [1020, 1024, 1030])
    assert.throws(() => timeAt(after), { code: "OUTSIDE_INTERVAL" }, `${after}`);
});
