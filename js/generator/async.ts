/** `nextAsync`: one call that waits its turn in the queue of its identity. */
import { orRefused, pickOptions } from "../checks.js";
import type { Id } from "../core/id-types.js";
import type { CoreCode } from "../errors.js";
import { attempt } from "./attempt.js";
import { type Maker, opened } from "./generator.js";
import { refuseStuck, refuseWait, waitLimit, waitTarget } from "./wait.js";
import { queueOf, type Waiter } from "./wait-queue.js";

/**
 * A promise of an ID, settled after those of the calls ahead. Every refusal rejects it. `more`: options that the format adds;
 * `bitsOf`: the call bits that follow from them. Not an async function, which would create two more promises for each call.
 */
export const nextAsync = <I extends Id, Name extends string = never>(
  maker: Maker<I>,
  options: unknown = {},
  more: readonly Name[] = [],
  bitsOf: (given: Partial<Record<Name, unknown>>) => number = () => 0,
): Promise<I> =>
  new Promise((resolve, reject) => {
    const given = pickOptions(options, "options", ["signal", ...more]);
    const { signal } = given as { readonly signal?: AbortSignal };
    if (signal !== undefined) {
      // The getter throws for anything but a real AbortSignal, of any realm.
      orRefused("signal", signal, "an AbortSignal", () =>
        Reflect.get(AbortSignal.prototype, "aborted", signal),
      );
    }
    const { idType, policy } = maker;
    const { read, maxWaitMs, onOverflow } = policy;
    const call = policy.waitingCallFlags | bitsOf(given as Partial<Record<Name, unknown>>);
    /** Rejects the call. React Native's older signals have neither `reason` nor `throwIfAborted`. */
    const stop = () => {
      const { reason = Object.assign(Error("aborted"), { name: "AbortError" }) } = signal as AbortSignal;
      reject(reason);
      return 0;
    };
    if (signal?.aborted) {
      stop();
      return;
    }
    const state = opened(maker);
    state.queue ??= queueOf();
    const { queue } = state;
    const entered = queue.now();
    const first = read();
    let began: number | undefined;
    let until = -Infinity;
    let cause: CoreCode = "SEQUENCE_FULL";
    const poll = (now: number): number => {
      // Readings below `until` are not tried, as in `waitUntil`.
      if (now >= until) {
        const status = attempt(maker, state, now, call, true);
        if (status === 0) {
          const id = idType.takeNext(state.core);
          state.waitedMs += Math.max(0, now - (began ?? now));
          queue.serve();
          resolve(id);
          return 0;
        }
        ({ until, cause } = waitTarget(maker, state, status, now));
      }
      const ms = until - now;
      if (ms > maxWaitMs) {
        refuseWait(cause, ms, maxWaitMs);
      }
      if (began === undefined) {
        began = now;
        state.waits++;
      }
      // The bound restarts with each call served: while the queue moves, no call times out.
      const waited = queue.since(entered);
      const stands = now === first;
      if (waited > waitLimit(maxWaitMs, stands)) {
        stands ? refuseStuck(now) : refuseWait(cause, waited, maxWaitMs);
      }
      // A callback of the attempt may have aborted the call.
      return signal?.aborted ? stop() : ms;
    };
    const waiter: Waiter = {
      signal,
      listener: onOverflow,
      poll(now) {
        try {
          // Calls of an aborted signal are rejected bit by bit; until then they must not take an ID.
          return signal?.aborted ? stop() : poll(now ?? read());
        } catch (error) {
          reject(error);
          return 0;
        }
      },
      abort: stop,
    };
    queue.enter(waiter, first, read);
  });
