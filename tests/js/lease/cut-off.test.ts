/**
 * Calls of a lease on a stack that is nearly full: whatever is cut off, no number is used outside of its grant, and the lease goes on.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { snowflake } from "graupel";
import type { Grant, HeldLease } from "../../../js/lease/types.ts";
import { outcome } from "../support/scripted-clock.ts";
import { START, Stage } from "./stage.ts";

const format = snowflake({ epoch: START - 9, fields: { time: 41, worker: 6, sequence: 8 } });

/** Below so many frames of another size, so that the stack ends elsewhere within a frame of `invalidateNear`. */
const shifted = <T>(shift: number, work: () => T): T => (shift === 0 ? work() : shifted(shift - 1, work));

/** Invalidates with so many frames between the call and the end of the stack. Returns whether the call was cut off. */
function invalidateNear(frames: number, lease: HeldLease): boolean {
  let left = frames;
  let isCut = false;
  const dive = (): void => {
    try {
      dive();
    } catch {
      // Full: back up again.
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
  const stage = new Stage();
  const store = stage.memory();
  /** What the store has granted of each number. */
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
  const lease = await stage.granted(noting, { format });
  const ids = format.generator({ lease, clock: stage.wall, maxWaitMs: 0 });
  ids.next();
  return { stage, lease, ids, granted };
}

/** With so many frames everything can be called. The engine also compiles then, for which it needs most of them. */
const ENOUGH = 2000;

/** Fewer are tried one by one: at the fewest nothing can be called. */
const MOST = 40;
const SHIFTS = 6;

test("invalidate, cut off anywhere: each number is used in its own interval, and another one comes", async () => {
  assert.equal(invalidateNear(ENOUGH, (await held()).lease), false);
  let cuts = 0;
  let isOver = 0;
  for (let i = 0; i < MOST * SHIFTS; i++) {
    const frames = 1 + Math.floor(i / SHIFTS);
    const { stage, lease, ids, granted } = await held();
    /** The number of a new ID, which lies in what was granted of it; undefined if there is none now. */
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
      await stage.pass(100);
      take();
    }
    assert.equal(lease.status.state, "held", `${frames} frames`);
    assert.equal(take(), lease.status.number);
    await stage.settle(lease.release());
  }
  assert.ok(cuts > 3 && isOver > 3, `${cuts} were cut off, ${isOver} were not`);
});
