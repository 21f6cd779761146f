/**
 * The calls that wait asynchronously for one identity, in order; and the ticks of about one millisecond that an
 * overflow is counted in. No call is served before those ahead of it, and none blocks the event loop.
 */
import type { Overflow } from "../types.js";

/** One waiting call. */
export interface Waiter {
  /** Tries again: 0 when the call is settled, else the milliseconds after which to try again. */
  poll(): number;
  /** Whether it waits for a full sequence, and who wants to know. */
  readonly listener: ((event: Overflow) => void) | undefined;
}

/** The reference's ticker: about one millisecond. */
const TICK_MS = 1;
/** The longest delay that timers take. */
const LONGEST_MS = 2 ** 31 - 1;

export class Line {
  readonly #waiters: Waiter[] = [];
  readonly #listeners = new Set<(event: Overflow) => void>();
  readonly #notifies: (ticks: number, waiting: number) => number;
  #time: () => number = () => 0;
  #ticks = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When a call was last served, by `performance.now()`. */
  served = 0;

  /** `notifies`: which ticks are worth a notification. */
  constructor(notifies: (ticks: number, waiting: number) => number) {
    this.#notifies = notifies;
  }

  /** How many calls wait. */
  get length(): number {
    return this.#waiters.length;
  }

  /** Serves a call at once if nobody waits and it can be; else it waits its turn. `time` is for notifications. */
  enter(waiter: Waiter, time: () => number): void {
    const delay = this.#waiters.length === 0 ? waiter.poll() : TICK_MS;
    if (delay > 0) {
      this.#waiters.push(waiter);
      if (waiter.listener !== undefined) {
        this.#listeners.add(waiter.listener);
        this.#time = time;
      }
      this.#schedule(delay);
    }
  }

  /** A call that gives up. */
  leave(waiter: Waiter): void {
    const index = this.#waiters.indexOf(waiter);
    if (index >= 0) {
      this.#waiters.splice(index, 1);
    }
    // The timer was set for the first call's time, which is not the next one's.
    if (index === 0 && this.#timer !== undefined) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      if (this.#waiters.length > 0 || this.#listeners.size > 0) {
        this.#schedule(TICK_MS);
      }
    }
  }

  #schedule(delay: number): void {
    if (this.#timer === undefined) {
      // While somebody listens, every tick counts.
      const ms =
        this.#listeners.size > 0 ? TICK_MS : Math.min(Math.max(TICK_MS, Math.ceil(delay)), LONGEST_MS);
      this.#timer = setTimeout(() => this.#run(), ms);
    }
  }

  #run(): void {
    this.#timer = undefined;
    this.#notify();
    let delay = 0;
    for (let head = this.#waiters[0]; head !== undefined; head = this.#waiters[0]) {
      delay = head.poll();
      if (delay > 0) {
        break;
      }
      this.leave(head);
    }
    if (this.#waiters.length > 0 || this.#listeners.size > 0) {
      this.#schedule(delay);
    }
  }

  #notify(): void {
    if (this.#listeners.size === 0) {
      return;
    }
    this.#ticks++;
    const count = this.#waiters.length;
    const listeners = [...this.#listeners];
    const ticks = this.#ticks;
    if (count === 0) {
      this.#ticks = 0;
      this.#listeners.clear();
    }
    let time: number;
    try {
      time = this.#time();
    } catch {
      // A clock without a reading: the waiting calls will say so, each in its turn.
      return;
    }
    const event = { time, count, ticks };
    if (this.#notifies(event.ticks, count) !== 0) {
      for (const listener of listeners) {
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
  }
}
