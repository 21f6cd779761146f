/** Tells listeners of an overflow, once a tick of about one millisecond, for as long as it lasts. */
import type { Listener } from "../identity/shared.js";

/**
 * A function that tells the listeners that `count` calls wait, one tick after the last time; at 0 the overflow has ended, and nobody
 * listens any more. `time` reads the clock.
 */
export function tickerOf(listeners: Set<Listener>): (count: number, time: () => number) => void {
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
      // The clock fails: each waiting call will report that itself.
      return;
    }
    // As the reference's ticker, when its listener is always ready: at the ticks 1, 5, 9 and so on, and at the end.
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
