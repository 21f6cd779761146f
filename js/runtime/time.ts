/** The one place that reads a clock, and the one that waits. */
import { type ErrorCode, GraupelError, refuse } from "../errors.js";
import { LATEST, show } from "./check.js";

/** A clock: Unix milliseconds. */
export type Clock = () => number;

/** The system clock. Looked up at each call, so that a test's fake one is seen. */
export const systemClock: Clock = () => Date.now();

/** A user's clock: what it returns is checked, what it throws passes through. */
export function checkedClock(clock: Clock): Clock {
  return () => {
    const reading: unknown = clock();
    if (typeof reading !== "number" || !(reading >= -LATEST && reading <= LATEST)) {
      refuse("CLOCK_INVALID", `clock: expected Unix milliseconds, got ${show(reading)}`, {
        field: "clock",
        value: reading,
        range: { min: -LATEST, max: LATEST },
      });
    }
    return reading;
  };
}

/** Below this distance a sleep would cost a noticeable part of the tick; the clock is read again instead. */
const SLEEP_FROM_MS = 2;
/** How early a sleep ends, so that it does not oversleep. */
const SLEEP_MARGIN_MS = 1;
/** Readings between two looks at the other clock, which costs as much as a reading itself. */
const READINGS_PER_LOOK = 64;
/** Where there is no other clock: readings after which a clock that has not moved counts as standing still. */
const MOST_READINGS = 10_000_000;

const nap = () => new Int32Array(new SharedArrayBuffer(4));
let napper: Int32Array | undefined | null;

/** Sleeps where the platform can (not on a browser's main thread). */
function sleep(ms: number): void {
  if (napper === null) {
    return;
  }
  try {
    napper ??= nap();
    Atomics.wait(napper, 0, 0, ms);
  } catch {
    napper = null;
  }
}

/** The error of a clock that stood still. */
export function stuck(reading: number, maxWaitMs: number): GraupelError {
  return new GraupelError(
    "CLOCK_STUCK",
    `the clock stood at ${reading} for ${maxWaitMs} ms of waiting; give a clock that runs`,
    { field: "clock", value: reading },
  );
}

/**
 * Reads `clock` until it reaches `until`, and returns that reading; lower readings on the way do not count. Ends
 * in an error after `maxWaitMs` by another clock: `CLOCK_STUCK` if the clock has not moved, else `late()`.
 */
export function waitUntil(clock: Clock, until: number, maxWaitMs: number, late: () => Error): number {
  const other = typeof performance === "object" ? performance : undefined;
  const start = other?.now() ?? 0;
  const first = clock();
  let reading = first;
  let slept = false;
  for (let readings = 1; reading < until; readings++) {
    const look = other !== undefined && (slept || readings % READINGS_PER_LOOK === 0);
    const elapsed = look ? other.now() - start : 0;
    if (elapsed > maxWaitMs || readings > MOST_READINGS) {
      // The process may have stood still between the two clocks: the last word is this one's.
      const last = clock();
      if (last >= until) {
        return last;
      }
      throw last === first ? stuck(last, maxWaitMs) : late();
    }
    slept = clock === systemClock && until - reading >= SLEEP_FROM_MS;
    if (slept) {
      // No longer than the bound allows: the clock may have gone back further, or stand still.
      sleep(Math.min(until - reading - SLEEP_MARGIN_MS, maxWaitMs - elapsed + SLEEP_MARGIN_MS));
    }
    reading = clock();
  }
  return reading;
}

/** The code of a wait's cause in words. */
export function lateError(code: ErrorCode, waitMs: number, maxWaitMs: number): GraupelError {
  const cause =
    code === "CLOCK_BACKWARDS"
      ? "the clock went back"
      : code === "SEQUENCE_FULL"
        ? "the tick's sequence is used up"
        : "the interval of ID time has not begun";
  return new GraupelError(
    code,
    `${cause}, and the wait of ${waitMs} ms ${waitMs > maxWaitMs ? "exceeds" : "did not end within"} maxWaitMs, which is ${maxWaitMs}; raise it, try again later, or choose another policy`,
    { field: "maxWaitMs", value: waitMs, range: { min: 0, max: maxWaitMs } },
  );
}
