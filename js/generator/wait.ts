/** The one place that waits: re-reads the clock, naps or sleeps, always within a bound. */
import type { Id } from "../core/id-types.js";
import { DETAIL_INDEX, refuseToMake } from "../core/refusals.js";
import { type CoreCode, codeOf, errorOf, type GraupelError, refuse, TOO_LONG } from "../errors.js";
import { WAIT } from "../generated/constants.js";
import { type Clock, elapsed } from "./clock.js";
import type { Maker } from "./generator.js";
import type { IdentityState } from "./identity.js";

/** What an attempt without an ID is to wait for; every status that is not a wait is refused. */
export function waitTarget<I extends Id>(
  { schema }: Maker<I>,
  { core: { f64 } }: IdentityState,
  status: number,
  now: number,
): { readonly until: number; readonly cause: CoreCode } {
  return status === WAIT
    ? { until: f64[DETAIL_INDEX] as number, cause: codeOf(f64[DETAIL_INDEX + 1] as number) }
    : refuseToMake(status, now, schema);
}

/** Waits after an attempt without an ID, no longer than `budget`, and returns the reading to go on with. */
export function waitAndRead<I extends Id>(
  maker: Maker<I>,
  state: IdentityState,
  status: number,
  now: number,
  budget: number,
  first: boolean,
): number {
  const { read, isSystemClock, maxWaitMs } = maker.policy;
  const { until, cause } = waitTarget(maker, state, status, now);
  const late = () => refuseWait(cause, until - now, maxWaitMs);
  const reading = until - now > budget ? late() : waitUntil(read, until, maxWaitMs, late, isSystemClock);
  state.waits += first ? 1 : 0;
  state.waitedMs += reading - now;
  return reading;
}

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

/** The error of a clock that stood still. */
export const stuck = (reading: number, maxWaitMs: number): GraupelError =>
  errorOf(
    "CLOCK_STUCK",
    "clock",
    reading,
    `the clock stood at ${reading} for ${maxWaitMs} ms; give one that runs`,
  );

/**
 * Reads `clock` until it reaches `until`, and returns that reading; lower readings on the way do not count. Ends in an error
 * after `maxWaitMs`: `CLOCK_STUCK` if the clock has not moved, else `late()`. The time is another clock's, or what was
 * slept where that says more: tests fake both clocks. The number of readings decides only where neither tells.
 *
 * `isSystemClock`: the clock is the system's, and can be slept through. A clock of the user's own may run at any speed.
 */
export function waitUntil(
  clock: Clock,
  until: number,
  maxWaitMs: number,
  late: () => Error,
  isSystemClock: boolean,
): number {
  const start = elapsed();
  const first = clock();
  let reading = first;
  let slept = 0;
  let waited = 0;
  for (let readings = 1; reading < until; readings++) {
    const far = isSystemClock && until - reading >= SLEEP_FROM_MS;
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
export const refuseWait = (code: CoreCode, waitMs: number, maxWaitMs: number): never =>
  refuse(code, "maxWaitMs", waitMs, maxWaitMs, 0, maxWaitMs, code, TOO_LONG);
