/** `nextAsync`: a call that waits for its turn in the queue of its identity. */
import { abortReason, type Given, pickOptions, signalOf } from "../checks.js";
import type { Id } from "../core/ids.js";
import type { Area } from "../core/load.js";
import type { CoreCode } from "../errors.js";
import * as abi from "../generated/constants.js";
import { opened } from "../identity/holder.js";
import type { State } from "../identity/shared.js";
import type { Maker } from "./maker.js";
import { attempt } from "./next.js";
import { failWait, LONGEST_STEP_MS, waitTarget } from "./wait.js";
import { queueOf } from "./wait-queue.js";

/**
 * Returns a promise of an ID, which settles after the earlier calls. Every error rejects it. Not an
 * async function, which would create two more promises for each call. `names`: the options besides
 * the signal; `perCallOf`: their `perCall`.
 */
export const nextAsync = <I extends Id>(
  maker: Maker<I>,
  options: unknown = {},
  names: readonly string[] = [],
  perCallOf = (_given: Given) => 0,
): Promise<I> =>
  new Promise((resolve, reject) => {
    const { policy } = maker;
    const given: Given = pickOptions(options, "options", ["signal", ...names]);
    const signal = signalOf(given.signal);
    const asked = policy.waitingCallFlags | perCallOf(given);
    if (signal?.aborted) {
      throw abortReason(signal);
    }
    const state = opened(maker);
    const tryAt = attempts(maker, state, asked, resolve);
    const poll = (waited: number) => {
      // The queue rejects calls of an aborted signal in portions. Until then they must not take an
      // ID.
      if (!signal?.aborted) {
        try {
          const ms = tryAt(policy.read(), waited);
          // A callback may also abort it.
          if (!signal?.aborted) {
            return ms;
          }
        } catch (error) {
          reject(error);
          return -1;
        }
      }
      reject(abortReason(signal));
      return -1;
    };
    state.queue ??= queueOf();
    state.queue.add({ signal, listener: policy.onOverflow, poll, entered: 0 }, policy.read);
  });

/**
 * Returns a function that makes an attempt of a queued call at a reading. It returns 0 if the call
 * is served, else the milliseconds until the next attempt. `waited`: as in `Waiter`. The limit
 * restarts with each served call: while the queue moves, no call times out.
 */
function attempts<I extends Id>(
  maker: Maker<I>,
  state: State,
  asked: number,
  resolve: (id: I) => void,
): (now: number, waited: number) => number {
  const { maxWaitMs } = maker.policy;
  let began: number | undefined;
  let first: number | undefined;
  let until = -Infinity;
  let cause: CoreCode = "SEQUENCE_FULL";
  return (now, waited) => {
    // The clock may have moved while earlier calls were served.
    first ??= now;
    // Like `waitAndRead`, make no attempt at readings below `until`.
    if (now >= until) {
      const status = attempt(maker, state, now, asked, true);
      if (status === 0) {
        const id = maker.idType.take(state.core as Area, abi.DATA);
        state.waitedMs += Math.max(0, now - (began ?? now));
        resolve(id);
        return 0;
      }
      ({ until, cause } = waitTarget(maker, state, status, now));
    }
    const ms = until - now;
    if (ms > maxWaitMs) {
      failWait(cause, now, ms, maxWaitMs, false);
    }
    if (began === undefined) {
      began = now;
      state.waits++;
    }
    const stands = now === first;
    // Twice, because a monotonic clock in steps may include a step from before the wait.
    if (waited > Math.max(maxWaitMs, stands ? 2 * LONGEST_STEP_MS : 0)) {
      failWait(cause, now, waited, maxWaitMs, stands);
    }
    return ms;
  };
}
