/**
 * The queue of asynchronous calls of one identity, first come, first served, without blocking the event loop. It also counts the
 * ticks, of about one millisecond, for which an overflow lasts.
 */
import { LONGEST_MS } from "../generated/constants.js";
import type { Overflow } from "../types.js";
import { elapsed } from "./clock.js";

type Listener = (event: Overflow) => void;

/** One waiting call. */
export interface Waiter {
  /**
   * Tries at the reading `now`, or at a new one; rejects the call instead if its signal is aborted. Returns 0 once the call is settled,
   * else the milliseconds until the next try.
   */
  poll(now?: number): number;
  /** Rejects the call with its signal's reason. */
  abort(): void;
  readonly signal: AbortSignal | undefined;
  /** The callback `onOverflow`. */
  readonly listener: Listener | undefined;
}

/** The queue of an identity. */
export interface WaitQueue {
  /** How many calls wait. */
  length(): number;
  /** Tries a call at the reading `now` if nobody waits; queues it if it has to wait. `time`: the clock for notifications. */
  enter(waiter: Waiter, now: number, time: () => number): void;
  /** Records that a call was served. */
  serve(): void;
  /** Milliseconds since `start`, or since the last call was served if that is later. */
  since(start: number): number;
  /** Monotonic milliseconds. While the monotonic clock stands still or goes back, the time that the queue has slept counts. */
  now(): number;
}

/**
 * A line in which nobody waits. A call of its functions may be cut off anywhere, by a full stack or a time limit. So a call is settled
 * before it leaves, a new timer is there before the old one ends, and `run` finds the first call by itself.
 */
export function queueOf(): WaitQueue {
  /** The reference's ticker: about one millisecond. */
  const TICK_MS = 1;
  /** How long the queue may hold the event loop, with calls served or rejected; and how many at most, in case the clock stands still. */
  const RUN_MS = 2;
  const RUN_CALLS = 4096;
  const waiters = new Set<Waiter>();
  const signals = new Map<AbortSignal, Set<Waiter>>();
  const listeners = new Set<Listener>();
  let threw = false;
  // One iterator for the life of the queue: a new one would skip over all deleted entries again.
  let order = waiters.values();
  let head: Waiter | undefined;
  let last = 0;
  let peak = 0;
  let lapsed = 0;
  let slept = 0;
  let served = 0;
  let time: () => number;
  let ticks = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let setter: typeof setTimeout | undefined;

  const now = (ms = 0): number => {
    const reading = elapsed();
    // A clock that was faked for a while, or failed, goes on from where it was.
    const moved = reading - (reading > peak ? peak : last);
    last = reading;
    peak = Math.max(peak, reading);
    // The clock's next step includes what was slept while it stood still.
    lapsed += moved > 0 ? Math.min(moved - slept, LONGEST_MS) : ms;
    slept = moved > 0 ? 0 : slept + ms;
    return lapsed;
  };

  /** Replaces the timer, if anybody waits or is to be told. */
  const schedule = (delay: number) => {
    const old = timer;
    timer = undefined;
    if (waiters.size + listeners.size > 0) {
      // Listeners are told of every tick.
      const ms = listeners.size > 0 ? TICK_MS : Math.max(TICK_MS, Math.ceil(delay));
      setter = setTimeout;
      timer = setTimeout(run, ms, ms);
    }
    clearTimeout(old);
  };

  /** Whether a run has taken its time, after `calls` calls. */
  const isOver = (calls: number, start: number) => calls === RUN_CALLS || now() - start > RUN_MS;

  const leave = (waiter: Waiter) => {
    const { signal } = waiter;
    waiters.delete(waiter);
    if (waiter === head) {
      head = undefined;
    }
    const calls = signal && signals.get(signal);
    if (calls?.delete(waiter) && calls.size === 0) {
      signals.delete(signal as AbortSignal);
      signal?.removeEventListener("abort", abort);
    }
  };

  /** Rejects calls of an aborted signal in their order, as many as a run may take; and the rest later. */
  const reject = (calls: Set<Waiter>) => {
    const first = head;
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
    if (head !== first) {
      schedule(TICK_MS);
    }
  };

  /** One listener for all calls of a signal, because platforms warn about many listeners. */
  const abort = ({ target }: Event) => {
    try {
      reject(signals.get(target as AbortSignal) as Set<Waiter>);
    } catch {
      // The stack is full: `poll` rejects the others in their turn. What a listener throws would end the process.
    }
  };

  const join = (waiter: Waiter) => {
    const { signal, listener } = waiter;
    waiters.add(waiter);
    if (signal) {
      const calls = signals.get(signal) ?? new Set();
      signals.set(signal, calls.add(waiter));
      signal.addEventListener("abort", abort);
    }
    if (listener !== undefined) {
      listeners.add(listener);
    }
    head ??= order.next().value;
  };

  const run = (ms: number) => {
    // Whatever cuts this run off, another one follows.
    schedule(TICK_MS);
    const start = now(ms);
    notify();
    let delay = 0;
    for (let calls = 0; waiters.size > 0; ) {
      head ??= order.next().value;
      if (head === undefined) {
        // The line's end, and still somebody waits: a cut has passed over them.
        order = waiters.values();
      } else {
        const first = head;
        delay = first.poll();
        if (delay > 0) {
          break;
        }
        leave(first);
        if (isOver(++calls, start)) {
          break;
        }
      }
    }
    schedule(delay);
  };

  const notify = () => {
    const told = [...listeners];
    if (told.length === 0) {
      return;
    }
    const event = { time: 0, count: waiters.size, ticks: ++ticks };
    if (waiters.size === 0) {
      ticks = 0;
      listeners.clear();
    }
    try {
      event.time = time();
    } catch {
      // The clock fails: each waiting call will report that itself.
      return;
    }
    // As the reference's ticker, when its listener is always ready (src/formats/sno.rs, `notifies`).
    if (event.ticks % 4 === 1 || event.count === 0) {
      for (const listener of told) {
        try {
          listener(event);
        } catch (error) {
          // Rethrown as an uncaught error, once for each queue, so that the calls are still served.
          if (!threw) {
            threw = true;
            setTimeout(() => {
              throw error;
            });
          }
        }
      }
    }
  };

  return {
    length: () => waiters.size,
    now,
    serve() {
      served = now();
    },
    since: (start) => now() - Math.max(start, served),
    enter(waiter, first, read) {
      const delay = waiters.size === 0 ? waiter.poll(first) : TICK_MS;
      if (delay > 0) {
        // A pending fake timer never fires after its test has ended. Where the realm has no timers at all, this throws, before the
        // call is in the line.
        const isNew = setter !== setTimeout;
        time = read;
        join(waiter);
        if (isNew || timer === undefined) {
          schedule(delay);
        }
      }
    },
  };
}
