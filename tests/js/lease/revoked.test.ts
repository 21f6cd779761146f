/** A store that takes back what it granted: the lease drops its number at once, and asks for another one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { GraupelError, twitter } from "graupel";
import type { HeldLease, LeaseStore } from "../../../js/lease/types.ts";
import { settled } from "../support/scripted-clock.ts";
import { Stage, TIMES } from "./stage.ts";

setFlagsFromString("--expose-gc");

/** A lease in a store that can revoke, and what the store was told. */
async function staged(change: (store: LeaseStore) => LeaseStore = (store) => store) {
  const stage = new Stage();
  const revokes = new Set<() => void>();
  const released: number[] = [];
  const inner = stage.memory();
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
  };
  const worker = await stage.granted(change(store), { format: twitter });
  const ids = twitter.generator({ lease: worker, clock: stage.wall, maxWaitMs: 0 });
  const revoke = () => {
    for (const one of revokes) one();
  };
  return { stage, revokes, released, worker, ids, revoke };
}

const isLost = (error: unknown) => GraupelError.is(error) && error.code === "LEASE_LOST";

test("nothing is issued from then on; what was not used is free, and another number comes soon", async () => {
  const { stage, released, worker, ids, revoke } = await staged();
  const { timestamp } = twitter.inspect(ids.next());
  const before = worker.status.number;
  revoke();
  assert.throws(() => ids.next(), isLost);
  assert.equal(worker.status.number, undefined);
  assert.equal(worker.status.losses, 1);
  await stage.pass(0);
  assert.deepEqual(released, [timestamp + 1]);
  await stage.pass(100);
  assert.equal(worker.status.state, "held");
  assert.notEqual(worker.status.number, before);
  ids.next();
});

test("in the middle of a renewal: its answer counts no more", async () => {
  let isSlow = false;
  let answer: (() => void) | undefined;
  const { stage, worker, ids, revoke } = await staged((store) => ({
    ...store,
    async renew(request) {
      const granted = await store.renew(request);
      if (isSlow) {
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
      }
      return granted;
    },
  }));
  const before = worker.status.number;
  ids.next();
  isSlow = true;
  while (answer === undefined) await stage.pass(10);
  revoke();
  isSlow = false;
  answer();
  await settled();
  assert.throws(() => ids.next(), isLost);
  // Long before a third of the ttl is over.
  await stage.pass(TIMES.ttlMs / 10);
  assert.equal(worker.status.state, "held");
  assert.notEqual(worker.status.number, before);
  ids.next();
});

test("a lease that was released hears nothing any more", async () => {
  const { revokes, released, worker, revoke } = await staged();
  assert.equal(revokes.size, 1);
  await worker.release();
  assert.equal(revokes.size, 0);
  revoke();
  assert.equal(released.length, 1);
  assert.equal(worker.status.losses, 0);
});

test("a store that does not answer the release harms nothing", async () => {
  const { stage, worker, ids, revoke } = await staged((store) => ({
    ...store,
    release: () => Promise.reject(new Error("no network")),
  }));
  revoke();
  await stage.pass(100);
  assert.equal(worker.status.state, "held");
  ids.next();
});

test("a lease that nobody refers to is let go by a store that may revoke it", async () => {
  const collect = globalThis.gc ?? runInNewContext("gc");
  const stage = new Stage();
  const revokes = new Set<() => void>();
  const store: LeaseStore = {
    ...stage.memory(),
    onRevoke(revoke) {
      revokes.add(revoke);
      return () => void revokes.delete(revoke);
    },
  };
  const dropped = await (async () => new WeakRef(await stage.granted(store, { format: twitter })))();
  await new Promise((resolve) => setTimeout(resolve));
  for (let i = 0; i < 5 && dropped.deref(); i++) {
    await new Promise((resolve) => setTimeout(resolve));
    collect();
  }
  assert.equal(dropped.deref(), undefined);
  assert.equal(revokes.size, 1);
});

test("a release that the end of listening calls again, or spoils, still ends the tenure first", async () => {
  const stage = new Stage();
  const { lease } = await (async () => {
    const it: { lease?: HeldLease } = {};
    const store: LeaseStore = {
      ...stage.memory(),
      onRevoke: () => () => {
        void it.lease?.release();
        throw new Error("spoilt");
      },
    };
    it.lease = await stage.granted(store, { format: twitter });
    return it;
  })();
  const ids = twitter.generator({ lease, clock: stage.wall } as never);
  ids.next();
  await assert.rejects(stage.settle((lease as HeldLease).release()), { message: "spoilt" });
  assert.throws(
    () => ids.next(),
    (error: unknown) => GraupelError.is(error) && error.code === "LEASE_RELEASED",
  );
});
