/** How waits under a lease end: by its release, a signal, their bound, or a store that fails in whatever way. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GraupelError, snowflake } from "graupel";
import { leaseIn } from "../../../js/lease/lease.ts";
import type { LeaseStore } from "../../../js/lease/types.ts";
import { START, Stage } from "./stage.ts";

const small = snowflake({ epoch: START - 8, tickMs: 1, fields: { time: 41, worker: 1, sequence: 8 } });

test("a release ends those who wait for a number", async () => {
  const stage = new Stage();
  const store = stage.memory();
  let isDown = false;
  const down = <T>(work: () => Promise<T>) => (isDown ? Promise.reject(new Error("down")) : work());
  const lease = await stage.granted(
    {
      ...store,
      acquire: (request) => down(() => store.acquire(request)),
      renew: (request) => down(() => store.renew(request)),
      release: (request) => down(() => store.release(request)),
    },
    { format: small },
  );
  const ids = small.generator({ lease, clock: stage.wall });
  isDown = true;
  await stage.pass(1500);
  const waiting = ids.nextAsync();
  await stage.pass(100);
  const began = stage.now();
  const released = lease.release();
  await assert.rejects(stage.settle(waiting), { code: "LEASE_RELEASED" });
  await assert.rejects(stage.settle(released), { code: "LEASE_STORE" });
  assert.ok(stage.now() - began < 500, `after ${stage.now() - began} ms`);
});

test("a store that never answers does not outlast maxWaitMs", async () => {
  const never = () => new Promise<never>(() => {});
  const stage = new Stage();
  const began = stage.now();
  const lease = stage.granted(
    { durable: true, acquire: never, renew: never, release: never },
    { format: small, ttlMs: 30_000, quarantineMs: 30_000, maxWaitMs: 200 },
  );
  const expected = { code: "LEASE_STORE", message: /no answer within 200 ms; is it connected/ };
  await assert.rejects(lease, expected);
  assert.ok(stage.now() - began < 500, `after ${stage.now() - began} ms`);
});

test("a clock of its own that never comes into the interval does not keep nextAsync waiting for ever", async () => {
  const stage = new Stage();
  const lease = await stage.granted(stage.memory(), { format: small, maxWaitMs: 2000 });
  const ids = small.generator({ lease, clock: () => stage.wall() + 3_600_000 });
  await assert.rejects(stage.settle(ids.nextAsync()), { code: "OUTSIDE_INTERVAL" });
  assert.ok(stage.now() - START < 6000);
  await stage.settle(lease.release());
});

test("a wait that ends before the number's time begins says when it begins", async () => {
  const stage = new Stage();
  await assert.rejects(stage.granted(stage.memory(), { format: small, quarantineMs: 5000, maxWaitMs: 300 }), {
    code: "LEASE_LOST",
    message: /number \d+ of stage may be used from \d{4}-.*Z on; use nextAsync/,
  });
});

test("whatever a store rejects with or answers, the error is a GraupelError", async () => {
  const nothing = Object.create(null) as object;
  const grant = { number: 0, from: 0, until: 1, now: 0 };
  const answers: readonly unknown[] = [
    undefined,
    { ...grant, number: -1 },
    { ...grant, number: 2 },
    { ...grant, from: 2 },
    { ...grant, until: Number.NaN },
    { retryInMs: -1 },
    { retryInMs: undefined },
    { retryInMs: "soon" },
    { retryInMs: 5n },
    { retryInMs: Number.NaN },
    { layout: Symbol("none") },
    new Proxy({}, { has: () => assert.fail() }),
    {
      get number() {
        throw nothing;
      },
    },
  ];
  for (const answer of answers) {
    const stage = new Stage();
    const store = { ...stage.memory(), acquire: async () => answer } as unknown as LeaseStore;
    const isSaid = (error: unknown) => GraupelError.is(error) && /^LEASE_(STORE|LAYOUT)$/.test(error.code);
    await assert.rejects(stage.granted(store, { format: small, maxWaitMs: 300 }), isSaid);
  }
  for (const thrown of [Symbol("none"), nothing, undefined, new TypeError("refused")]) {
    for (const acquire of [
      () => Promise.reject(thrown),
      () => {
        throw thrown;
      },
    ]) {
      const stage = new Stage();
      const store = { ...stage.memory(), acquire };
      await assert.rejects(stage.granted(store, { format: small, maxWaitMs: 300 }), { code: "LEASE_STORE" });
    }
  }
  const addresses = new AggregateError(
    [new Error("connect ECONNREFUSED ::1:5432"), new Error("no route")],
    "",
  );
  const unreachable = { ...new Stage().memory(), acquire: () => Promise.reject(addresses) };
  await assert.rejects(new Stage().granted(unreachable, { format: small, maxWaitMs: 300 }), {
    message: "store: connect ECONNREFUSED ::1:5432 [LEASE_STORE]",
  });
  // A number that nobody asked for, and a renewal that begins elsewhere.
  const stage = new Stage();
  const store = stage.memory();
  const foreign = {
    ...store,
    acquire: async () => ({ number: 0, from: START, until: START + 9, now: START }),
  };
  await assert.rejects(stage.granted(foreign, { format: small, fixed: { worker: 1 }, maxWaitMs: 300 }), {
    code: "LEASE_STORE",
  });
});

test("what no waiting mends is told at once, and waited for by a lease that had a number", async () => {
  const stage = new Stage();
  let fails = (): Promise<never> => Promise.reject(Object.assign(new Error("no table"), { permanent: true }));
  let isDown = true;
  const store = stage.memory();
  const down = <T>(work: () => Promise<T>) => (isDown ? fails() : work());
  const refusing = {
    ...store,
    acquire: (request) => down(() => store.acquire(request)),
    renew: (request) => down(() => store.renew(request)),
  } satisfies LeaseStore;
  const first = { code: "LEASE_STORE", message: /no table/, permanent: true };
  await assert.rejects(stage.granted(refusing, { format: small }), first);
  assert.ok(stage.now() - START < 500, `after ${stage.now() - START} ms`);
  fails = () =>
    Promise.reject(Object.assign(new GraupelError("LEASE_STORE", "no role"), { permanent: true }));
  await assert.rejects(stage.granted(refusing, { format: small }), { message: /no role/ });
  assert.ok(stage.now() - START < 1000, `after ${stage.now() - START} ms`);
  isDown = false;
  const lease = await stage.granted(refusing, { format: small });
  const ids = small.generator({ lease, clock: stage.wall });
  isDown = true;
  await stage.pass(1500);
  const waiting = ids.nextAsync();
  await stage.pass(1000);
  isDown = false;
  assert.equal(typeof (await stage.settle(waiting)), "bigint");
  await stage.settle(lease.release());
});

test("a release during an acquisition keeps the process alive until it is over", async () => {
  const stage = new Stage();
  const kept = new Set<object>();
  const leased = leaseIn({
    ...stage.environment,
    after(ms, keeps, work) {
      const timer = {};
      if (keeps) kept.add(timer);
      const cancel = stage.environment.after(ms, keeps, () => {
        kept.delete(timer);
        work();
      });
      return () => {
        kept.delete(timer);
        cancel();
      };
    },
  });
  const store = stage.memory();
  let isSilent = false;
  const lease = await stage.settle(
    leased(
      { ...store, acquire: (request) => (isSilent ? new Promise(() => {}) : store.acquire(request)) },
      { format: small, namespace: "kept", ttlMs: 1000, quarantineMs: 1000 },
    ),
  );
  assert.equal(kept.size, 0);
  isSilent = true;
  lease.invalidate();
  const released = lease.release();
  await stage.pass(0);
  assert.equal(kept.size, 1);
  await stage.settle(released);
  assert.equal(kept.size, 0);
  assert.ok(stage.now() - START < 2000, "no longer than a call of the store");
});

test("a signal that is aborted before asks the store nothing", async () => {
  const stage = new Stage();
  let asked = 0;
  const unasked = async (): Promise<never> => {
    asked++;
    throw new Error("asked");
  };
  const store: LeaseStore = { durable: true, acquire: unasked, renew: unasked, release: unasked };
  const lease = stage.granted(store, { format: small, signal: AbortSignal.abort(new Error("before")) });
  await assert.rejects(lease, { message: "before" });
  await stage.pass(1000);
  assert.equal(asked, 0);
});

test("while the time of a number has not begun, nothing is issued ahead of it", async () => {
  const stage = new Stage();
  const lease = await stage.granted(stage.memory(false), { format: small });
  const ids = small.generator({ lease, clock: stage.wall, maxAheadMs: 10_000 });
  lease.invalidate();
  await stage.pass(500);
  assert.equal(lease.status.state, "waiting");
  assert.throws(ids.next, { code: "LEASE_LOST", message: /may be used from \d{4}-.*Z on/ });
  const from = lease.status.from as number;
  const id = await stage.settle(ids.nextAsync());
  assert.ok(stage.wall() >= from && small.inspect(id).timestamp >= from);
  // A clock that is set back changes the state no more.
  stage.skew = -500;
  assert.equal(lease.status.state, "held");
  assert.ok(ids.next() > id);
  await stage.settle(lease.release());
});

test("a wait for a number that all hold ends by saying who holds what", async () => {
  const stage = new Stage();
  const store = stage.memory();
  for (let i = 0; i < 2; i++) await stage.granted(store, { format: small, label: `host-${i}` });
  await assert.rejects(stage.granted(store, { format: small, maxWaitMs: 3000 }), {
    code: "LEASE_FULL",
    message: "namespace: no number of stage is free; 2 are held: 0 by host-0, 1 by host-1 [LEASE_FULL]",
  });
  // Also where the store lists nothing, and only of the numbers that were asked for.
  const unlisted = { ...store, list: () => Promise.reject(new Error("no list")) };
  await assert.rejects(stage.granted(unlisted, { format: small, maxWaitMs: 300 }), { code: "LEASE_FULL" });
  await assert.rejects(stage.granted(store, { format: small, maxWaitMs: 300, fixed: { worker: 1 } }), {
    message: "namespace: no number of stage is free; 1 are held: 1 by host-1 [LEASE_FULL]",
  });
});

test("a wait that ends after the interval, before the store answers, has an error", async () => {
  const stage = new Stage();
  const store = stage.memory();
  const silent = { ...store, renew: () => new Promise<never>(() => {}) };
  await stage.settle((await stage.granted(store, { format: small })).release());
  const lease = await stage.granted(silent, { format: small, maxWaitMs: 100 });
  const ids = small.generator({ lease, clock: stage.wall });
  // The clock jumps, so no renewal has failed yet.
  stage.skew = 5000;
  assert.equal(lease.status.state, "expired");
  await assert.rejects(stage.settle(ids.nextAsync()), { code: "LEASE_LOST" });
  await stage.settle(lease.release());
});

test("an event loop that was blocked past the interval is named", async () => {
  const stage = new Stage();
  const lease = await stage.granted(stage.memory(), { format: small });
  const ids = small.generator({ lease, clock: stage.wall });
  const names = ["next", "nextText", "nextMany", "nextManyText", "nextTyped"] as const;
  stage.schedule.now += 1500;
  for (const name of names) {
    assert.throws(() => ids[name](1), {
      code: "OUTSIDE_INTERVAL",
      message: /event loop or the store was blocked.*; use nextAsync\(\) \[OUTSIDE_INTERVAL\]$/,
    });
  }
  assert.equal(typeof (await stage.settle(ids.nextAsync())), "bigint");
  await stage.settle(lease.release());
});
