/** The one place that reads a clock, and the one that waits. */
import { type ErrorCode, GraupelError, refuse } from "../errors.js";
import { expected, LATEST } from "./check.js";

/** A clock: Unix milliseconds. */
export type Clock = () => number;

/** The system clock. Looked up at each call, so that a test's fake one is seen. */
export const systemClock: Clock = () => Date.now();

/** A user's clock: what it returns is checked, what it throws passes through. */
export const checkedClock =
  (clock: Clock): Clock =>
  () => {
    const reading: unknown = clock();
    return typeof reading === "number" && reading >= -LATEST && reading <= LATEST
      ? reading
      : expected("CLOCK_INVALID", "clock", "Unix milliseconds", reading, -LATEST, LATEST);
  };

/** Below this distance a sleep would cost a noticeable part of the tick; the clock is read again instead. */
const SLEEP_FROM_MS = 2;
/** How early a sleep ends, so that it does not oversleep. */
const SLEEP_MARGIN_MS = 1;
/** Readings between two looks at the other clock, which costs as much as a reading itself. */
const READINGS_PER_LOOK = 64;
/** Where there is no other clock: readings after which a clock that has not moved counts as standing still. */
const MOST_READINGS = 10_000_000;

let napper: Int32Array | undefined | null;

/** Sleeps where the platform can (not on a browser's main thread). */
function sleep(ms: number): void {
  if (napper !== null) {
    try {
      napper ??= new Int32Array(new SharedArrayBuffer(4));
      Atomics.wait(napper, 0, 0, ms);
    } catch {
      napper = null;
    }
  }
}

/** The other clock, which nobody sets back; 0 where there is none. */
export const elapsed = (): number => (typeof performance === "object" ? performance.now() : 0);

/** The error of a clock that stood still. */
export const stuck = (reading: number, maxWaitMs: number): GraupelError =>
  new GraupelError(
    "CLOCK_STUCK",
    `the clock stood at ${reading} for ${maxWaitMs} ms of waiting; give a clock that runs`,
    "clock",
    reading,
  );

/**
 * Reads `clock` until it reaches `until`, and returns that reading; lower readings on the way do not count. Ends
 * in an error after `maxWaitMs` by another clock: `CLOCK_STUCK` if the clock has not moved, else `late()`.
 */
export function waitUntil(clock: Clock, until: number, maxWaitMs: number, late: () => Error): number {
  const start = elapsed();
  const first = clock();
  let reading = first;
  let slept = false;
  for (let readings = 1; reading < until; readings++) {
    const waited = slept || readings % READINGS_PER_LOOK === 0 ? elapsed() - start : 0;
    if (waited > maxWaitMs || readings > MOST_READINGS) {
      // The process may have stood still between the two clocks: the last word is this one's.
      const last = clock();
      if (last < until) {
        throw last === first ? stuck(last, maxWaitMs) : late();
      }
      return last;
    }
    slept = clock === systemClock && until - reading >= SLEEP_FROM_MS;
    if (slept) {
      // No longer than the bound allows: the clock may have gone back further, or stand still.
      sleep(Math.min(until - reading - SLEEP_MARGIN_MS, maxWaitMs - waited + SLEEP_MARGIN_MS));
    }
    reading = clock();
  }
  return reading;
}

/** Refuses a wait that is too long; `code` is its cause. */
export function refuseWait(code: ErrorCode, waitMs: number, maxWaitMs: number): never {
  const known = waitMs > maxWaitMs ? "exceeds" : "did not end within";
  refuse(
    code,
    `${code}: the wait of ${waitMs} ms ${known} maxWaitMs, which is ${maxWaitMs}; raise it, try again later, or choose another policy`,
    "maxWaitMs",
    waitMs,
    0,
    maxWaitMs,
  );
}
