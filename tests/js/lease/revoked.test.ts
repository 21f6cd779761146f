/** A store that revokes a grant: the lease drops its number at once and requests another one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { twitter } from "graupel";
import type { HeldLease, LeaseStatus, LeaseStore } from "../../../js/lease/types.ts";
import { settled } from "../support/scripted-clock.ts";
import { ScriptedLeases, TIMES } from "./scripted-leases.ts";

setFlagsFromString("--expose-gc");

/** A store that can revoke grants and records releases. */
function revoking(change: (store: LeaseStore) => Partial<LeaseStore> = () => ({})) {
  const scripted = new ScriptedLeases();
  const revokes = new Set<() => void>();
  const released: number[] = [];
  const inner = scripted.memory();
  const store: LeaseStore = {
    ...inner,
    release(request) {
      released.push(request.nextFree);
      return inner.release(request);
    },
    onRevoke(revoke) {
      revokes.add(revoke);
      return () => void revokes.delete(revoke);
    },
    ...change(inner),
  };
  return { scripted, revokes, released, store };
}

/** A lease in such a store. */
async function staged(change?: Parameters<typeof revoking>[0]) {
  const { scripted, store, revokes, ...rest } = revoking(change);
  const told: unknown[] = [];
  const onChange = ({ number }: LeaseStatus) => told.push(number);
  const worker = await scripted.granted(store, { format: twitter, onChange });
  const ids = twitter.generator({ lease: worker, clock: scripted.wall, maxWaitMs: 0 });
  const before = worker.status.number;
  const revoke = () => {
    for (const one of revokes) one();
  };
  /** Checks that another number is held after this time. */
  const goesOn = async (ms: number) => {
    await scripted.pass(ms);
    assert.equal(worker.status.state, "held");
    assert.notEqual(worker.status.number, before);
    ids.next();
  };
  return { scripted, store, revokes, told, ...rest, worker, ids, revoke, goesOn };
}

test("nothing is issued from then on; what was not used is free, and another number comes soon", async () => {
  const { scripted, released, told, worker, ids, revoke, goesOn } = await staged();
  const { timestamp } = twitter.inspect(ids.next());
  revoke();
  revoke();
  assert.deepEqual(told.slice(-1), [undefined]);
  assert.throws(() => ids.next(), { code: "LEASE_LOST" });
  assert.deepEqual([worker.status.number, worker.status.losses], [undefined, 1]);
  await scripted.pass(0);
  assert.deepEqual(released, [timestamp + 1]);
  await goesOn(100);
});

test("in the middle of a renewal: its answer counts no more", async () => {
  let isSlow = false;
  let answer: (() => void) | undefined;
  const { scripted, store, ids, revoke, goesOn } = await staged((store) => ({
    async renew(request) {
      const granted = await store.renew(request);
      if (isSlow) await new Promise<void>((resolve) => (answer = resolve));
      return granted;
    },
  }));
  ids.next();
  isSlow = true;
  while (answer === undefined) await scripted.pass(10);
  revoke();
  isSlow = false;
  answer();
  await settled();
  assert.throws(() => ids.next(), { code: "LEASE_LOST" });
  // This is long before a third of the ttl is over.
  await goesOn(TIMES.ttlMs / 10);
  assert.equal((await scripted.heldIn(store)).length, 1);
});

test("a lease that was released hears nothing any more", async () => {
  const { revokes, released, worker, revoke } = await staged();
  assert.equal(revokes.size, 1);
  await worker.release();
  assert.equal(revokes.size, 0);
  revoke();
  worker.invalidate();
  assert.deepEqual([released.length, worker.status.losses], [1, 0]);
});

test("a store that does not answer the release harms nothing", async () => {
  const release = () => Promise.reject(new Error("no network"));
  const { scripted, worker, ids, revoke } = await staged(() => ({ release }));
  revoke();
  await scripted.pass(100);
  assert.equal(worker.status.state, "held");
  ids.next();
});

test("a lease that nobody refers to is let go by a store that may revoke it", async () => {
  const collect = globalThis.gc ?? runInNewContext("gc");
  const { scripted, revokes, store } = revoking();
  const dropped = await (async () => new WeakRef(await scripted.granted(store, { format: twitter })))();
  for (let i = 0; i < 5 && dropped.deref(); i++) {
    await new Promise((resolve) => setTimeout(resolve));
    collect();
  }
  assert.equal(dropped.deref(), undefined);
  assert.equal(revokes.size, 1);
});

test("a release that the end of listening calls again, or spoils, still ends the tenure first", async () => {
  const it: { lease?: HeldLease } = {};
  const { scripted, store } = revoking(() => ({
    onRevoke: () => () => {
      void it.lease?.release();
      throw new Error("spoilt");
    },
  }));
  const lease = await scripted.granted(store, { format: twitter });
  it.lease = lease;
  const ids = twitter.generator({ lease, clock: scripted.wall });
  ids.next();
  await assert.rejects(scripted.settle(lease.release()), { message: "spoilt" });
  assert.throws(() => ids.next(), { code: "LEASE_RELEASED" });
});
