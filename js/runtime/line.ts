/**
 * The calls that wait asynchronously for one identity, in order; and the ticks of about one millisecond that an
 * overflow is counted in. No call is served before those ahead of it, and none blocks the event loop.
 */
import type { Overflow } from "../types.js";

type Listener = (event: Overflow) => void;

/** One waiting call. */
export interface Waiter {
  /** Tries again: 0 when the call is settled, else the milliseconds after which to try again. */
  poll(): number;
  /** Who wants to know that calls wait for a full sequence. */
  readonly listener: Listener | undefined;
}

/** The line of an identity. */
export interface Line {
  /** How many calls wait. */
  length(): number;
  /** Serves a call at once if nobody waits and it can be; else it waits its turn. `time` is for notifications. */
  enter(waiter: Waiter, time: () => number): void;
  /** A call that gives up. */
  leave(waiter: Waiter): void;
  /** When a call was last served, by `performance.now()`. */
  served: number;
}

/** The reference's ticker: about one millisecond. */
const TICK_MS = 1;
/** The longest delay that timers take. */
export const LONGEST_MS = 2 ** 31 - 1;

/** A line in which nobody waits. `notifies`: which ticks are worth a notification. */
export function lineOf(notifies: (ticks: number, waiting: number) => number): Line {
  const waiters: Waiter[] = [];
  const listeners = new Set<Listener>();
  let time: () => number;
  let ticks = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const schedule = (delay: number) => {
    if (waiters.length > 0 || listeners.size > 0) {
      // While somebody listens, every tick counts.
      const ms = listeners.size > 0 ? TICK_MS : Math.max(TICK_MS, Math.ceil(delay));
      timer ??= setTimeout(run, Math.min(ms, LONGEST_MS));
    }
  };

  const leave = (waiter: Waiter) => {
    const index = waiters.indexOf(waiter);
    if (index >= 0) {
      waiters.splice(index, 1);
    }
    // The timer was set for the first call's time, which is not the next one's.
    if (index === 0 && timer !== undefined) {
      clearTimeout(timer);
      timer = undefined;
      schedule(TICK_MS);
    }
  };

  const run = () => {
    timer = undefined;
    notify();
    let delay = 0;
    for (let head = waiters[0]; head !== undefined && delay === 0; head = waiters[0]) {
      delay = head.poll();
      if (delay === 0) {
        leave(head);
      }
    }
    schedule(delay);
  };

  const notify = () => {
    const told = [...listeners];
    if (told.length === 0) {
      return;
    }
    const count = waiters.length;
    const event = { time: 0, count, ticks: ++ticks };
    if (count === 0) {
      ticks = 0;
      listeners.clear();
    }
    try {
      event.time = time();
    } catch {
      // A clock without a reading: the waiting calls will say so, each in its turn.
      return;
    }
    if (notifies(event.ticks, count) !== 0) {
      for (const listener of told) {
        try {
          listener(event);
        } catch (error) {
          // The listener's own affair: reported as any uncaught error, after the calls have been served.
          setTimeout(() => {
            throw error;
          });
        }
      }
    }
  };

  return {
    served: 0,
    length: () => waiters.length,
    leave,
    enter(waiter, read) {
      const delay = waiters.length === 0 ? waiter.poll() : TICK_MS;
      if (delay > 0) {
        waiters.push(waiter);
        if (waiter.listener !== undefined) {
          listeners.add(waiter.listener);
          time = read;
        }
        schedule(delay);
      }
    },
  };
}
