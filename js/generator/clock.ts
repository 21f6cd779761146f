/** The one place that reads a clock, and the one that waits. */

import { expected, LATEST } from "../checks.js";
import { type ErrorCode, GraupelError, refuse } from "../errors.js";

/** A clock: Unix milliseconds. */
export type Clock = () => number;

/** A reading, if it is one. Test libraries put anything in the place of `Date.now`. Errors: `CLOCK_INVALID`. */
const checked = (reading: unknown): number =>
  typeof reading === "number" && reading >= -LATEST && reading <= LATEST
    ? reading
    : expected("CLOCK_INVALID", "clock", "Unix milliseconds", reading, -LATEST, LATEST);

/** The system clock. Looked up at each call, so that a test's fake one is seen. */
export const systemClock: Clock = () => checked(Date.now());

/** A clock of the user's own; what it throws passes through. */
export const userClock =
  (clock: Clock): Clock =>
  () =>
    checked(clock());

/** Below this distance a sleep would cost a noticeable part of the tick; the clock is read again instead. */
const SLEEP_FROM_MS = 2;
/** How early a sleep ends, so that it does not oversleep. */
const SLEEP_MARGIN_MS = 1;
/** A wait that has taken this long without an end goes on in naps, which spare the processor and cost no capacity. */
const NAP_FROM_MS = 2;
const NAP_MS = 0.2;
/** Readings between two looks at the other clock, which costs as much as a reading itself. */
const READINGS_PER_LOOK = 64;
/** Where the other clock stands still: readings after which the wait goes on in naps, and, where nothing can sleep, ends. */
const NAP_FROM_READINGS = 50_000;
const MOST_READINGS = 10_000_000;

let napper: Int32Array | undefined | null;

/** Sleeps where the platform can (not on a browser's main thread); returns the milliseconds asked for, or 0. */
function sleep(ms: number): number {
  try {
    if (napper !== null) {
      napper ??= new Int32Array(new SharedArrayBuffer(4));
      Atomics.wait(napper, 0, 0, ms);
      return ms;
    }
  } catch {
    napper = null;
  }
  return 0;
}

/** The other clock, which nobody sets back; 0 where there is none. Fake ones may return anything. */
export function elapsed(): number {
  try {
    const now: unknown = performance.now();
    if (Number.isFinite(now)) {
      return now as number;
    }
  } catch {
    // There is none, or it throws.
  }
  return 0;
}

/** The error of a clock that stood still. */
export const stuck = (reading: number, maxWaitMs: number): GraupelError =>
  new GraupelError(
    "CLOCK_STUCK",
    `the clock stood at ${reading} for ${maxWaitMs} ms; give one that runs`,
    "clock",
    reading,
  );

/**
 * Reads `clock` until it reaches `until`, and returns that reading; lower readings on the way do not count. Ends in an error
 * after `maxWaitMs`: `CLOCK_STUCK` if the clock has not moved, else `late()`. The time is another clock's, or what was
 * slept where that says more: tests fake both clocks. The number of readings decides only where neither tells.
 *
 * `real`: the clock is the system's, and can be slept through. A clock of the user's own may run at any speed.
 */
export function waitUntil(
  clock: Clock,
  until: number,
  maxWaitMs: number,
  late: () => Error,
  real: boolean,
): number {
  const start = elapsed();
  const first = clock();
  let reading = first;
  let slept = 0;
  let waited = 0;
  for (let readings = 1; reading < until; readings++) {
    const far = real && until - reading >= SLEEP_FROM_MS;
    if (far || readings % READINGS_PER_LOOK === 0) {
      waited = Math.max(elapsed() - start, slept);
      if (waited > maxWaitMs || (waited === 0 && readings > MOST_READINGS)) {
        // The process may have stood still between the two clocks: this one has the last word.
        const last = clock();
        if (last < until) {
          throw last === first ? stuck(last, maxWaitMs) : late();
        }
        return last;
      }
      if (far) {
        // No longer than the bound allows: the clock may have gone back further, or stand still.
        slept += sleep(Math.min(until - reading - SLEEP_MARGIN_MS, maxWaitMs - waited + SLEEP_MARGIN_MS));
      } else if (waited > NAP_FROM_MS || readings > NAP_FROM_READINGS) {
        slept += sleep(NAP_MS);
      }
    }
    reading = clock();
  }
  return reading;
}

/** Refuses a wait that is too long; `code` is its cause. */
export function refuseWait(code: ErrorCode, waitMs: number, maxWaitMs: number): never {
  refuse(
    code,
    `${code}: a wait of ${waitMs} ms does not end within maxWaitMs, ${maxWaitMs}; raise it, try again later, or choose another policy`,
    "maxWaitMs",
    waitMs,
    0,
    maxWaitMs,
  );
}
