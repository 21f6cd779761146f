/**
 * The first-in, first-out queue of the asynchronous calls of one identity, which does not block the
 * event loop.
 */
import type { Listener, Waiter, WaitQueue } from "../identity/shared.js";
import { steadyClock } from "./clock.js";

/** The interval of the reference's ticker: about one millisecond. */
const TICK_MS = 1;
/**
 * How long the queue may block the event loop while it serves or rejects calls, and how many calls
 * at most, in case the clock stands still.
 */
const RUN_MS = 2;
const RUN_CALLS = 4096;

/**
 * Makes an empty queue. Its functions may be cut off anywhere, by a full stack or a time limit. So
 * a call is settled before it leaves the queue, and a new timer is set before the old one is
 * cleared.
 */
export function queueOf(): WaitQueue {
  const now = steadyClock();
  const { line, enter, settle } = lineOf(now, reject);
  const listeners = new Set<Listener>();
  const tell = tickerOf(listeners);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let setter: typeof setTimeout | undefined;
  let time: () => number;

  /** Replaces the timer, if `calls` wait or listeners expect a notification of each tick. */
  function schedule(delay: number, calls = line.size): void {
    const old = timer;
    const isTold = listeners.size > 0;
    timer = undefined;
    if (isTold || calls > 0) {
      const ms = isTold ? TICK_MS : Math.max(TICK_MS, Math.ceil(delay));
      setter = setTimeout;
      timer = setTimeout(run, ms, ms);
    }
    clearTimeout(old);
  }

  /** Rejects calls of an aborted signal, as many as fit in a run, and the rest later. */
  function reject(calls: Set<Waiter>): void {
    const [before] = line;
    settle(calls, now());
    if (calls.size > 0) {
      setTimeout(reject, TICK_MS, calls);
    }
    // The timer was set for a call that has left.
    if (before && !line.has(before)) {
      schedule(TICK_MS);
    }
  }

  /** Serves calls in order. `slept`: the time that the timer has slept. */
  function run(slept: number): void {
    // Schedule first: if this run is cut off, another one follows.
    schedule(TICK_MS);
    const start = now(slept);
    tell(line.size, time);
    schedule(settle(line, start));
  }

  return {
    length: () => line.size,
    add(waiter, read) {
      const delay = line.size === 0 ? waiter.poll(0) : TICK_MS;
      if (delay > 0) {
        const { listener } = waiter;
        // A pending fake timer never fires after its test has ended.
        if (setter !== setTimeout || timer === undefined) {
          // Without timers, this throws before the call enters the queue.
          schedule(listener ? TICK_MS : delay, 1);
        }
        time = read;
        waiter.entered = now();
        enter(waiter);
        if (listener) {
          listeners.add(listener);
        }
      }
    },
  };
}

/** The waiting calls. When a signal is aborted, `onAbort` gets all its calls. `now`: the clock. */
function lineOf(now: () => number, onAbort: (calls: Set<Waiter>) => void) {
  const line = new Set<Waiter>();
  const bySignal = new Map<AbortSignal | undefined, Set<Waiter>>();
  /** One listener for all calls of a signal, because platforms warn about many listeners. */
  const abort = ({ target }: Event) => {
    try {
      onAbort(bySignal.get(target as AbortSignal) as Set<Waiter>);
    } catch {
      // The stack is full: `poll` rejects the other calls in their turn. An error of a listener
      // would end the process.
    }
  };
  function leave(waiter: Waiter): void {
    const { signal } = waiter;
    const calls = bySignal.get(signal);
    line.delete(waiter);
    if (calls?.delete(waiter) && calls.size === 0) {
      bySignal.delete(signal);
      signal?.removeEventListener("abort", abort);
    }
  }
  let served = 0;
  return {
    line,
    enter(waiter: Waiter) {
      const { signal } = waiter;
      const calls = bySignal.get(signal) ?? new Set();
      line.add(waiter);
      bySignal.set(signal, calls.add(waiter));
      signal?.addEventListener("abort", abort);
    },
    /**
     * Settles calls in order, until one has to wait, or the time of the run is over. Returns the
     * milliseconds until the next run.
     */
    settle(calls: Set<Waiter>, start: number): number {
      let settled = 0;
      for (const waiter of calls) {
        const delay = waiter.poll(now() - Math.max(waiter.entered, served));
        if (delay > 0) {
          return delay;
        }
        served = delay === 0 ? now() : served;
        leave(waiter);
        if (++settled === RUN_CALLS || now() - start > RUN_MS) {
          break;
        }
      }
      return 0;
    },
  };
}

/**
 * Returns a function that tells the listeners that `count` calls wait, one tick after the last
 * notification. At 0 the overflow has ended, and the listeners are removed. `time` reads the clock.
 */
function tickerOf(listeners: Set<Listener>): (count: number, time: () => number) => void {
  let ticks = 0;
  let threw = false;
  return (count, time) => {
    const told = [...listeners];
    if (told.length === 0) {
      return;
    }
    const event = { time: 0, count, ticks: ++ticks };
    if (count === 0) {
      ticks = 0;
      listeners.clear();
    }
    try {
      event.time = time();
    } catch {
      // The clock fails. Each waiting call will report that itself.
      return;
    }
    // Like the reference's ticker with a listener that is always ready: at ticks 1, 5, 9 and so on,
    // and at the end.
    if (event.ticks % 4 === 1 || count === 0) {
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
}
