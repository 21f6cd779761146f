/**
 * How waits under a lease end: by its release, a signal, their bound, or a store that fails in any
 * way.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GraupelError, snowflake } from "graupel";
import { leaseIn } from "../../../js/lease/lease.ts";
import type { LeaseStatus, LeaseStore } from "../../../js/lease/types.ts";
import { ScriptedLeases, START, TIMES } from "./scripted-leases.ts";

const format = snowflake({ epoch: START - 8, tickMs: 1, fields: { time: 41, worker: 1, sequence: 8 } });
/** With a single number. */
const single = snowflake({ epoch: START - 8, tickMs: 1, fields: { time: 41, sequence: 8 } });

const never = () => new Promise<never>(() => {});

/** A lease in a store whose calls can fail, and its generator. */
async function held() {
  const scripted = new ScriptedLeases();
  const faulty = scripted.faulty();
  const lease = await scripted.granted(faulty.store, { format });
  return { scripted, ...faulty, lease, ids: format.generator({ lease, clock: scripted.wall }) };
}

test("a release ends those who wait for a number", async () => {
  const { scripted, fault, lease, ids } = await held();
  fault.fails = () => Promise.reject(new Error("down"));
  await scripted.pass(1500);
  const waiting = ids.nextAsync();
  await scripted.pass(100);
  const began = scripted.now();
  const released = assert.rejects(lease.release(), { code: "LEASE_STORE" });
  await assert.rejects(scripted.settle(waiting), { code: "LEASE_RELEASED" });
  await scripted.settle(released);
  assert.ok(scripted.now() - began < 500, `after ${scripted.now() - began} ms`);
});

test("a wait does not outlast maxWaitMs, and says why it ends", async () => {
  const silent = { durable: true, acquire: never, renew: never, release: never };
  const long = { format, ttlMs: 30_000, quarantineMs: 30_000, maxWaitMs: 200 };
  const words = /no answer within 200 ms; is it connected/;
  await new ScriptedLeases().refused(silent, long, { code: "LEASE_STORE", message: words }, 500);
  const scripted = new ScriptedLeases();
  await scripted.refused(
    scripted.memory(),
    { format, ttlMs: 5000, quarantineMs: 5000, maxWaitMs: 300 },
    { code: "LEASE_LOST", message: /number \d+ of stage may be used from \d{4}-.*Z on; use nextAsync/ },
    500,
  );
  // However short the ttl is, a call may take 100 ms.
  const { acquire, ...others } = scripted.memory();
  const slow = async (request: Parameters<typeof acquire>[0]) => {
    await new Promise<void>((resolve) => scripted.schedule.after(90, resolve));
    return acquire(request);
  };
  const skews: unknown[] = [];
  const onChange = ({ skewMs }: LeaseStatus) => skews.push(skewMs);
  await scripted.granted({ ...others, acquire: slow }, { format, onChange, ttlMs: 100, quarantineMs: 100 });
  // Half of the time of a call is its way to the store.
  assert.equal(skews[0], 45);
});

test("by default, a wait outlasts the quarantine of a number that was never used, and then its own", async () => {
  const scripted = new ScriptedLeases();
  const store = scripted.memory(false);
  const options = { format: single, ttlMs: 500, quarantineMs: 6501, maxWaitMs: undefined };
  await scripted.refused(store, { ...options, maxWaitMs: 10 }, { code: "LEASE_LOST" });
  const lease = await scripted.granted(store, options);
  assert.equal(lease.status.state, "held");
  await scripted.settle(lease.release());
});

test("a clock of its own that never comes into the interval does not keep nextAsync waiting for ever", async () => {
  const scripted = new ScriptedLeases();
  const lease = await scripted.granted(scripted.memory(), { format, maxWaitMs: 2000 });
  const ids = format.generator({ lease, clock: () => scripted.wall() + 3_600_000 });
  await assert.rejects(scripted.settle(ids.nextAsync()), { code: "OUTSIDE_INTERVAL" });
  assert.ok(scripted.now() - START < 6000);
  await scripted.settle(lease.release());
});

test("whatever a store rejects with or answers, the error is a GraupelError", async () => {
  const refused = (acquire: () => unknown, like: object, options = {}) => {
    const scripted = new ScriptedLeases();
    const store = { ...scripted.memory(), acquire } as unknown as LeaseStore;
    return scripted.refused(store, { format, maxWaitMs: 300, ...options }, like);
  };
  const nothing = Object.create(null) as object;
  const grant = { number: 0, from: 0, until: 1, now: 0 };
  const thrower = {
    get number() {
      throw nothing;
    },
  };
  for (const answer of [
    undefined,
    { ...grant, number: -1 },
    { ...grant, number: 2 },
    { ...grant, from: 2 },
    { ...grant, until: Number.NaN },
    ...[-1, undefined, "soon", 5n, Number.NaN].map((retryInMs) => ({ retryInMs })),
    { layout: Symbol("none") },
    new Proxy({}, { has: () => assert.fail() }),
    thrower,
  ]) {
    const isSaid = (error: unknown) => GraupelError.is(error) && /^LEASE_(STORE|LAYOUT)$/.test(error.code);
    await refused(async () => answer, isSaid);
  }
  for (const thrown of [Symbol("none"), nothing, undefined, new TypeError("refused")]) {
    await refused(() => Promise.reject(thrown), { code: "LEASE_STORE" });
    const throws = () => {
      throw thrown;
    };
    await refused(throws, { code: "LEASE_STORE" });
  }
  const addresses = [new Error("connect ECONNREFUSED ::1:5432"), new Error("no route")];
  await refused(() => Promise.reject(new AggregateError(addresses, "")), {
    message: "store: connect ECONNREFUSED ::1:5432 [LEASE_STORE]",
  });
  // A number that was not requested.
  const foreign = async () => ({ number: 0, from: START, until: START + 9, now: START });
  await refused(foreign, { code: "LEASE_STORE" }, { fixed: { worker: 1 } });
  const message = /no number of stage is free until 2026-01-01T01:00:00\.\d{3}Z;/;
  await refused(async () => ({ retryInMs: 3_600_000 }), { code: "LEASE_SKEW", message });
});

test("what no waiting mends is told at once, and waited for by a lease that had a number", async () => {
  const { scripted, store, fault, lease, ids } = await held();
  for (const error of [new Error("no table"), new GraupelError("LEASE_STORE", "no role")]) {
    fault.fails = () => Promise.reject(Object.assign(error, { permanent: true }));
    const like = { code: "LEASE_STORE", message: /no (table|role)/, permanent: true };
    await scripted.refused(store, { format }, like, 500);
  }
  const { fails } = fault;
  for (const lose of [() => {}, () => lease.invalidate()]) {
    fault.fails = fails;
    lose();
    await scripted.pass(1500);
    const waiting = ids.nextAsync();
    await scripted.pass(1000);
    fault.fails = undefined;
    assert.equal(typeof (await scripted.settle(waiting)), "bigint");
  }
  fault.fails = fails;
  lease.invalidate();
  await scripted.pass(0);
  assert.throws(ids.next, { code: "LEASE_LOST", cause: lease.status.error });
  await scripted.settle(lease.release());
});

test("a release during an acquisition keeps the process alive until it is over", async () => {
  const scripted = new ScriptedLeases();
  const kept = new Set<object>();
  const after: typeof scripted.environment.after = (ms, keeps, work) => {
    const timer = {};
    if (keeps) kept.add(timer);
    const cancel = scripted.environment.after(ms, keeps, () => {
      kept.delete(timer);
      work();
    });
    return () => {
      kept.delete(timer);
      cancel();
    };
  };
  const { store, fault } = scripted.faulty();
  let isAwake = true;
  const onWake = () => () => {
    isAwake = false;
  };
  const leased = leaseIn({ ...scripted.environment, after, onWake });
  const held = () => scripted.settle(leased(store, { ...TIMES, format, namespace: "kept" }));
  await (await held()).release();
  assert.deepEqual([kept.size, isAwake], [0, false]);
  const lease = await held();
  assert.equal(kept.size, 0);
  fault.fails = never;
  lease.invalidate();
  await scripted.pass(0);
  const released = lease.release();
  await scripted.pass(0);
  assert.equal(kept.size, 1);
  await scripted.settle(released);
  assert.equal(kept.size, 0);
  assert.ok(scripted.now() - START < 2000, "no longer than a call of the store");
});

test("the pauses between failed calls double up to a third of the ttl; or the store names one", async () => {
  const scripted = new ScriptedLeases();
  const { store, fault } = scripted.faulty();
  let times: number[] = [];
  const pauses = async (ms: number) => {
    await scripted.pass(ms);
    return times.slice(1).map((time, i) => time - (times[i] as number));
  };
  const fails = () => {
    times.push(scripted.now());
    return Promise.reject(new Error("down"));
  };
  const lease = await scripted.granted(store, { format, ttlMs: 1200, quarantineMs: 1200 });
  for (let i = 0; i < 2; i++) {
    [fault.fails, times] = [fails, []];
    assert.deepEqual((await pauses(1200)).slice(0, 3), [50, 100, 200]);
    fault.fails = undefined;
    await scripted.pass(400);
    assert.equal(lease.status.error, undefined);
  }
  await scripted.settle(lease.release());
  times = [];
  const acquire = () => (times.length === 0 ? fails().catch(() => ({ retryInMs: 300 })) : fails());
  const options = { format, ttlMs: 1200, quarantineMs: 1200, maxWaitMs: 1500 };
  await scripted.refused({ ...store, acquire }, options, { code: "LEASE_STORE" });
  assert.deepEqual(await pauses(0), [350, 100, 200, 400, 400]);
});

test("the store is not asked for a signal that is aborted before, nor after a release", async () => {
  const { scripted, store, fault, lease } = await held();
  await scripted.settle(lease.release());
  let asked = 0;
  fault.fails = async () => {
    asked++;
    throw new Error("asked");
  };
  const signal = AbortSignal.abort(new Error("before"));
  await scripted.refused(store, { format, signal }, { message: "before" });
  await scripted.pass(1000);
  assert.equal(asked, 0);
});

test("while the time of a number has not begun, nothing is issued ahead of it", async () => {
  const scripted = new ScriptedLeases();
  const lease = await scripted.granted(scripted.memory(false), { format });
  const ids = format.generator({ lease, clock: scripted.wall, maxAheadMs: 10_000 });
  lease.invalidate();
  await scripted.pass(500);
  assert.equal(lease.status.state, "waiting");
  assert.throws(ids.next, { code: "LEASE_LOST", message: /may be used from \d{4}-.*Z on/ });
  const from = lease.status.from as number;
  const id = await scripted.settle(ids.nextAsync());
  assert.ok(scripted.wall() >= from && format.inspect(id).timestamp >= from);
  // If the clock is then set back, the state no longer changes.
  scripted.skew = -500;
  assert.equal(lease.status.state, "held");
  assert.ok(ids.next() > id);
  await scripted.settle(lease.release());
});

test("a call without time left takes a turn, unless one began in the last 50 ms", async () => {
  const scripted = new ScriptedLeases();
  const { renew, ...others } = scripted.memory();
  const turns: number[] = [];
  const store: LeaseStore = {
    ...others,
    renew(request) {
      turns.push(scripted.schedule.now);
      return renew(request);
    },
  };
  const lease = await scripted.granted(store, { format });
  const ids = format.generator({ lease, clock: () => scripted.wall() + 3_600_000 });
  await scripted.pass(400);
  const [last = 0] = turns.slice(-1);
  const refused: Promise<void>[] = [];
  for (const [ms, taken] of [
    [50, 0],
    [51, 1],
  ] as const) {
    await scripted.pass(last + ms - scripted.schedule.now);
    const before = turns.length;
    refused.push(assert.rejects(ids.nextAsync(), { code: "OUTSIDE_INTERVAL" }));
    await scripted.pass(0);
    assert.equal(turns.length - before, taken, `after ${ms} ms`);
  }
  await scripted.settle(Promise.all(refused));
  await scripted.settle(lease.release());
});

test("a wait that ends after the interval, before the store answers, has an error", async () => {
  const scripted = new ScriptedLeases();
  const store = scripted.memory();
  await scripted.settle((await scripted.granted(store, { format })).release());
  const lease = await scripted.granted({ ...store, renew: never }, { format, maxWaitMs: 100 });
  const ids = format.generator({ lease, clock: scripted.wall });
  await scripted.pass(100);
  // The clock jumps, so no renewal has failed yet.
  scripted.skew = 5000;
  assert.equal(lease.status.state, "expired");
  await assert.rejects(scripted.settle(ids.nextAsync()), { code: "LEASE_LOST" });
  // It does not wait for the renewal.
  await lease.release();
});

test("an event loop that was blocked past the interval is named", async () => {
  const { scripted, lease, ids } = await held();
  scripted.schedule.now = (lease.status.until as number) - START;
  assert.equal(lease.status.state, "expired");
  const message = /event loop or the store was blocked.*; use nextAsync\(\) \[OUTSIDE_INTERVAL\]$/;
  for (const name of ["next", "nextText", "nextMany", "nextManyText", "nextTyped"] as const) {
    assert.throws(() => ids[name](1), { code: "OUTSIDE_INTERVAL", message });
  }
  assert.equal(typeof (await scripted.settle(ids.nextAsync())), "bigint");
  await scripted.settle(lease.release());
});
