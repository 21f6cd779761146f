/** `nextAsync`: one call that waits its turn in the line of its identity. */

import type { Id, Natural } from "../core/id-types.js";
import type { CoreCode } from "../errors.js";
import { refuseWait, stuck } from "./clock.js";
import type { Cell } from "./identity.js";
import type { Policy } from "./options.js";
import type { Waiter } from "./wait-queue.js";

/** What a call needs of its generator. */
export interface Asker<I extends Id> {
  readonly natural: Natural<I>;
  readonly policy: Policy;
  /** One attempt at the reading `now`: 0, and the ID is there to be taken; or why not. */
  attempt(c: Cell, now: number, call: number, late: boolean): number;
  /** What a call is to wait for; anything but a wait is refused. */
  wanted(c: Cell, status: number, now: number): { readonly until: number; readonly cause: CoreCode };
}

/** Settles a promise with an ID as soon as there is one, after those of the calls ahead. */
export function ask<I extends Id>(
  c: Cell,
  call: number,
  signal: AbortSignal | undefined,
  { natural, policy: { read, maxWaitMs, onOverflow }, attempt, wanted }: Asker<I>,
  resolve: (id: I) => void,
  reject: (error: unknown) => void,
): void {
  const { line } = c;
  const entered = line.now();
  const first = read();
  let began: number | undefined;
  let until = -Infinity;
  let cause: CoreCode = "SEQUENCE_FULL";
  const poll = (now: number): number => {
    // Until the reading that was waited for is reached, lower ones do not count: as in `waitUntil`.
    if (now >= until) {
      const status = attempt(c, now, call, true);
      if (status === 0) {
        const id = natural.made(c.core);
        c.waitedMs += Math.max(0, now - (began ?? now));
        line.serve();
        resolve(id);
        return 0;
      }
      ({ until, cause } = wanted(c, status, now));
    }
    const ms = until - now;
    if (ms > maxWaitMs) {
      refuseWait(cause, ms, maxWaitMs);
    }
    c.waits += began === undefined ? 1 : 0;
    began ??= now;
    // The bound runs while nobody in the line is served: then all of its calls end together.
    const waited = line.since(entered);
    if (waited > maxWaitMs) {
      throw now === first ? stuck(now, maxWaitMs) : refuseWait(cause, waited, maxWaitMs);
    }
    // A callback of the attempt may have aborted the call.
    signal?.throwIfAborted();
    return ms;
  };
  const waiter: Waiter = {
    signal,
    listener: onOverflow,
    poll(now) {
      try {
        return poll(now ?? read());
      } catch (error) {
        reject(error);
        return 0;
      }
    },
    abort: () => reject(signal?.reason),
  };
  line.enter(waiter, first, read);
}
