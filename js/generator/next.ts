/** `next`: one attempt, and the waits that the policies allow. */
import type { Id } from "../core/id-types.js";
import type { Area } from "../core/load.js";
import { opened } from "../identity/holder.js";
import type { State } from "../identity/shared.js";
import { attempt } from "./attempt.js";
import type { Maker } from "./maker.js";
import { waitAndRead } from "./wait.js";

/** One ID. `callBits`: bits that the call adds to its flags. */
export function next<I extends Id>(maker: Maker<I>, callBits: number): I {
  const { policy, idType } = maker;
  const call = policy.callFlags | callBits;
  const state = opened(maker);
  const now = policy.read();
  const status = attempt(maker, state, now, call, false);
  if (status !== 0) {
    waitForId(maker, state, now, call, status);
  }
  return idType.takeNext(state.core as Area);
}

/** Waits until there is an ID, at most `maxWaitMs` in all by the clock. Out of line, so that `next` stays small enough to inline. */
function waitForId<I extends Id>(
  maker: Maker<I>,
  state: State,
  start: number,
  call: number,
  first: number,
): void {
  let now = start;
  let budget = maker.policy.maxWaitMs;
  for (let status = first, once = true; status !== 0; once = false) {
    const reading = waitAndRead(maker, state, status, now, budget, once);
    budget -= Math.max(0, reading - now);
    now = reading;
    status = attempt(maker, state, now, call, false);
  }
}
