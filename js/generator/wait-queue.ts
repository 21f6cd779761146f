/** The queue of asynchronous calls of one identity: first come, first served, without blocking the event loop. */
import type { Listener, Waiter, WaitQueue } from "../identity/shared.js";
import { steadyClock } from "./clock.js";
import { tickerOf } from "./overflow-ticker.js";
import { firstOf, signals } from "./waiter.js";

/**
 * A queue in which nobody waits. A call of its functions may be cut off anywhere, by a full stack or a time limit. So a call is settled
 * before it leaves, a new timer is there before the old one ends, and `run` finds the first call by itself.
 */
export function queueOf(): WaitQueue {
  /** The reference's ticker: about one millisecond. */
  const TICK_MS = 1;
  /** How long the queue may hold the event loop, with calls served or rejected; and how many at most, in case the clock stands still. */
  const RUN_MS = 2;
  const RUN_CALLS = 4096;
  const now = steadyClock();
  const waiters = new Set<Waiter>();
  const first = firstOf(waiters);
  const { watch, unwatch } = signals(reject);
  const listeners = new Set<Listener>();
  const tick = tickerOf(listeners);
  let served = 0;
  let time: () => number;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let setter: typeof setTimeout | undefined;

  /** Replaces the timer, if anybody waits or is to be told. */
  function schedule(delay: number): void {
    const old = timer;
    timer = undefined;
    if (waiters.size + listeners.size > 0) {
      // Listeners are told of every tick.
      const ms = listeners.size > 0 ? TICK_MS : Math.max(TICK_MS, Math.ceil(delay));
      setter = setTimeout;
      timer = setTimeout(run, ms, ms);
    }
    clearTimeout(old);
  }

  /** Whether a run has taken its time, after `calls` calls. */
  const isOver = (calls: number, start: number) => calls === RUN_CALLS || now() - start > RUN_MS;

  const leave = (waiter: Waiter) => {
    waiters.delete(waiter);
    unwatch(waiter);
  };

  /** Rejects calls of an aborted signal in their order, as many as a run may take; and the rest later. */
  function reject(calls: Set<Waiter>): void {
    const before = first();
    const start = now();
    let count = 0;
    for (const waiter of calls) {
      waiter.abort();
      leave(waiter);
      if (isOver(++count, start)) {
        setTimeout(reject, TICK_MS, calls);
        break;
      }
    }
    // The timer was set for a call that has left.
    if (first() !== before) {
      schedule(TICK_MS);
    }
  }

  /** Serves calls in their order, until one has to wait. `slept`: how long the timer has. */
  function run(slept: number): void {
    // Whatever cuts this run off, another one follows.
    schedule(TICK_MS);
    const start = now(slept);
    tick(waiters.size, time);
    let delay = 0;
    for (let calls = 0, waiter = first(); waiter !== undefined; waiter = first()) {
      delay = waiter.poll();
      if (delay > 0) {
        break;
      }
      leave(waiter);
      if (isOver(++calls, start)) {
        break;
      }
    }
    schedule(delay);
  }

  return {
    length: () => waiters.size,
    now,
    serve() {
      served = now();
    },
    since: (start) => now() - Math.max(start, served),
    add(waiter, reading, read) {
      const delay = waiters.size === 0 ? waiter.poll(reading) : TICK_MS;
      if (delay > 0) {
        // A pending fake timer never fires after its test has ended. Where the realm has no timers at all, this throws, before the
        // call is in the line.
        const isNew = setter !== setTimeout;
        const { listener } = waiter;
        time = read;
        waiters.add(waiter);
        watch(waiter);
        if (listener) {
          listeners.add(listener);
        }
        if (isNew || timer === undefined) {
          schedule(delay);
        }
      }
    },
  };
}
