/**
 * The only place that waits synchronously: it re-reads the clock, naps or sleeps, always within a
 * limit.
 */
import { dateOf } from "../checks.js";
import type { Area } from "../core/load.js";
import { codeOf, failToIssue } from "../core/status.js";
import { type CoreCode, fail } from "../errors.js";
import * as abi from "../generated/constants.js";
import type { State } from "../identity/shared.js";
import { elapsed, systemClock } from "./clock.js";
import type { Settings } from "./settings.js";

/** The reading to wait for after an attempt without an ID. Throws if waiting does not help. */
export function waitTarget({ schema }: Settings, state: State, status: number, now: number) {
  const { f64 } = state.core as Area;
  return status === abi.WAIT
    ? { until: f64[abi.DETAIL >> 3] as number, cause: codeOf(f64[abi.CAUSE >> 3] as number) }
    : failToIssue(status, now, schema);
}

let napper: Int32Array | undefined | null;

/** Sleeps if the platform can (a browser's main thread cannot). Returns `ms`, or 0. */
function sleep(ms: number): number {
  try {
    if (napper !== null) {
      napper ??= new Int32Array(new SharedArrayBuffer(4));
      Atomics.wait(napper, 0, 0, ms);
      return ms;
    }
  } catch (error) {
    // A full stack does not mean that the platform cannot sleep.
    if (!(error instanceof RangeError)) {
      napper = null;
    }
  }
  return 0;
}

/**
 * More than the longest step of a running clock, in milliseconds: against fingerprinting, browsers
 * coarsen clocks to 100 ms and more. A clock that seems to stand may make its next step within this
 * time.
 */
export const LONGEST_STEP_MS = 300;

/**
 * Shorter waits re-read the clock instead of sleeping, because a sleep may overrun by much of a
 * tick.
 */
const SLEEP_FROM_MS = 2;
/** How early a sleep ends, so that it does not oversleep. */
const SLEEP_MARGIN_MS = 1;
/**
 * After this time, a wait naps between readings, which saves processor time and costs no capacity.
 */
const NAP_FROM_MS = 2;
const NAP_MS = 0.2;
/** If the monotonic clock stands still, a wait naps after this many readings. */
const NAP_FROM_READINGS = 50_000;
/**
 * A wait ends after this many readings without progress. Even on platforms that cannot sleep, the
 * longest step of a clock, 250 ms, takes fewer readings.
 */
const MOST_READINGS = 8_000_000;

/**
 * Waits after an attempt without an ID, for at most `budget` ms: reads the clock until it reaches
 * the target, and returns that reading. If the clock has not moved, the wait may last one step of
 * the clock longer. Tests may fake both clocks, so the elapsed time is the larger of the monotonic
 * clock's and the time slept. If both stand still, or nearly so, the number of readings ends the
 * wait.
 *
 * With the system clock the wait may sleep. A user's clock may run at any speed, so the wait reads
 * it constantly.
 */
export function waitAndRead(settings: Settings, state: State, status: number, now: number, budget: number) {
  const { read, maxWaitMs } = settings.policy;
  const { until, cause } = waitTarget(settings, state, status, now);
  // Includes the earlier waits of the call.
  const late = (waited: number) =>
    failWait(cause, now, Math.max(maxWaitMs - budget + until - now, waited), maxWaitMs);
  if (until - now > budget) {
    late(0);
  }
  const start = elapsed();
  const first = read();
  let reading = first;
  let slept = 0;
  for (let readings = 1; reading < until; readings++) {
    const waited = Math.max(elapsed() - start, slept);
    const limit = Math.max(maxWaitMs, reading === first ? LONGEST_STEP_MS : 0);
    if (waited > limit || readings > MOST_READINGS * (1 + waited)) {
      // The process may have been suspended since the last reading, so read the clock again.
      const last = read();
      reading = last >= until ? last : last === first ? failStuck(now) : late(waited);
      break;
    }
    if (read === systemClock && until - reading >= SLEEP_FROM_MS) {
      // At most until the limit, because the clock may have gone back further, or stand still.
      slept += sleep(Math.min(until - reading - SLEEP_MARGIN_MS, limit - waited + SLEEP_MARGIN_MS));
    } else if (waited > NAP_FROM_MS || readings > NAP_FROM_READINGS) {
      slept += sleep(NAP_MS);
    }
    reading = read();
  }
  state.waitedMs += reading - now;
  return reading;
}

/** Throws because the clock stood still during a wait. */
export const failStuck = (now: number): never =>
  fail(
    "CLOCK_STUCK",
    "clock",
    now,
    `the clock stopped at ${dateOf(now)}; advance it, or set sequenceFull to "borrow"`,
  );

/** Throws because a wait of `waitMs` from `now` on is too long. `cause`: the reason of the wait. */
export function failWait(cause: CoreCode, now: number, waitMs: number, maxWaitMs: number): never {
  const days = waitMs / 86_400_000;
  const end = dateOf(now + waitMs);
  const late =
    cause === "CLOCK_BACKWARDS" ? `the clock is ${days.toFixed(1)} days behind` : "no ID is free until";
  const words =
    days > 1
      ? `${late} ${end}, beyond maxWaitMs; check the clock; in tests, set isolated: true`
      : `a wait of ${waitMs} ms exceeds maxWaitMs, ${maxWaitMs}; raise it or retry later`;
  return fail(cause, "maxWaitMs", waitMs, words, 0, maxWaitMs);
}
