/**
 * Lease calls on a stack that is nearly full. Wherever a call is cut off, no number is used outside
 * its grant, and the lease continues.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { snowflake } from "graupel";
import type { Grant, HeldLease } from "../../../js/lease/types.ts";
import { outcome } from "../support/scripted-clock.ts";
import { ScriptedLeases, START } from "./scripted-leases.ts";

const format = snowflake({ epoch: START - 9, fields: { time: 41, worker: 6, sequence: 8 } });

/**
 * Calls `work` below frames of another size, so that the stack ends at another point within a frame
 * of `invalidateNear`.
 */
const shifted = <T>(shift: number, work: () => T): T => (shift === 0 ? work() : shifted(shift - 1, work));

/**
 * Calls `invalidate` with this many frames left on the stack. Returns whether the call was cut off.
 */
function invalidateNear(frames: number, lease: HeldLease): boolean {
  let left = frames;
  let isCut = false;
  const dive = (): void => {
    try {
      dive();
    } catch {
      // The stack is full: unwind.
    }
    left -= 1;
    if (left !== 0) return;
    try {
      lease.invalidate();
    } catch (error) {
      isCut = error instanceof RangeError;
    }
  };
  dive();
  return isCut;
}

async function held() {
  const scripted = new ScriptedLeases();
  const store = scripted.memory();
  /** What the store has granted for each number. */
  const granted = new Map<unknown, { readonly from: number; until: number }>();
  const note = <Answer extends object | null>(answer: Answer): Answer => {
    const { number, from, until } = (answer ?? {}) as Grant;
    granted.set(number, { from: granted.get(number)?.from ?? from, until });
    return answer;
  };
  const noting = {
    ...store,
    acquire: async (request: never) => note(await store.acquire(request)),
    renew: async (request: never) => note(await store.renew(request)),
  };
  const lease = await scripted.granted(noting, { format });
  const ids = format.generator({ lease, clock: scripted.wall, maxWaitMs: 0 });
  ids.next();
  return { scripted, lease, ids, granted };
}

/**
 * With this many frames, no call is cut off. The engine may also compile, which needs most of them.
 */
const ENOUGH = 2000;

/** Tests each number of frames up to this one. With the fewest, no function can be called. */
const MOST = 40;
const SHIFTS = 6;

test("invalidate, cut off anywhere: each number is used in its own interval, and another one comes", async () => {
  assert.equal(invalidateNear(ENOUGH, (await held()).lease), false);
  let cuts = 0;
  let isOver = 0;
  for (let i = 0; i < MOST * SHIFTS; i++) {
    const frames = 1 + Math.floor(i / SHIFTS);
    const { scripted, lease, ids, granted } = await held();
    /**
     * Issues an ID, checks that it is within the grant of its number and returns the number;
     * undefined if no ID can be issued now.
     */
    const take = (): number | undefined => {
      const id = outcome(ids.next);
      if (typeof id === "string") {
        assert.match(id, /^(LEASE_LOST|OUTSIDE_INTERVAL)$/);
        return undefined;
      }
      const { worker, timestamp } = format.inspect(id as bigint);
      const { from = 0, until = 0 } = granted.get(worker) ?? {};
      assert.ok(from <= timestamp && timestamp < until, `${frames} frames: number ${worker} at ${timestamp}`);
      return worker;
    };
    const isCut = shifted(i % SHIFTS, () => invalidateNear(frames, lease));
    cuts += +isCut;
    isOver += +(!isCut && lease.status.losses === 1);
    for (let passed = 0; passed < 4000; passed += 100) {
      await scripted.pass(100);
      take();
    }
    assert.equal(lease.status.state, "held", `${frames} frames`);
    assert.equal(take(), lease.status.number);
    await scripted.settle(lease.release());
  }
  assert.ok(cuts > 3 && isOver > 3, `${cuts} were cut off, ${isOver} were not`);
});
