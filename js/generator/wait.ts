/** The only place that waits synchronously: re-reads the clock, naps or sleeps, always within a bound. */
import type { Id } from "../core/id-types.js";
import type { Area } from "../core/load.js";
import { refuseToMake } from "../core/refusals.js";
import { type CoreCode, codeOf, refuseSaying } from "../errors.js";
import { CAUSE, DETAIL, WAIT } from "../generated/constants.js";
import type { State } from "../identity/shared.js";
import { type Clock, elapsed } from "./clock.js";
import type { Maker } from "./maker.js";

/** The reading to wait for after an attempt without an ID. Throws if waiting does not help. */
export function waitTarget<I extends Id>(
  { schema }: Maker<I>,
  state: State,
  status: number,
  now: number,
): { readonly until: number; readonly cause: CoreCode } {
  const { f64 } = state.core as Area;
  return status === WAIT
    ? { until: f64[DETAIL >> 3] as number, cause: codeOf(f64[CAUSE >> 3] as number) }
    : refuseToMake(status, now, schema);
}

/** Waits after an attempt without an ID, at most `budget`, and returns the new reading. `first`: the call's first wait. */
export function waitAndRead<I extends Id>(
  maker: Maker<I>,
  state: State,
  status: number,
  now: number,
  budget: number,
  first: boolean,
): number {
  const { read, isSystemClock, maxWaitMs } = maker.policy;
  const { until, cause } = waitTarget(maker, state, status, now);
  // With what earlier waits of the call have taken.
  const late = (waited = 0) =>
    refuseWait(cause, Math.max(maxWaitMs - budget + until - now, waited), maxWaitMs);
  const reading = until - now > budget ? late() : waitUntil(read, until, maxWaitMs, late, isSystemClock);
  state.waits += +first;
  state.waitedMs += reading - now;
  return reading;
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
    // A full stack is not what the platform lacks.
    if (!(error instanceof RangeError)) {
      napper = null;
    }
  }
  return 0;
}

/** Milliseconds after which a wait ends: while the clock still has its first reading, its next step may be on its way. */
export function waitLimit(maxWaitMs: number, stands: boolean): number {
  /** The longest step of a clock that runs: browsers coarsen clocks to as much against fingerprinting. */
  const LONGEST_STEP_MS = 100;
  return stands ? maxWaitMs + LONGEST_STEP_MS : maxWaitMs;
}

/** Refuses a wait that has taken too long: `late()`, unless the clock stood still all the time. */
export const endWait = (reading: number, first: number, late: () => never): never =>
  reading === first
    ? refuseSaying(
        "CLOCK_STUCK",
        "clock",
        reading,
        `the clock stands at ${reading}; give one that runs, or choose "borrow"`,
      )
    : late();

/**
 * Reads `clock` until it reaches `until`, and returns that reading; lower readings do not count. Throws after `maxWaitMs`: `late()`;
 * or, a step of the clock later, `CLOCK_STUCK` if it has not moved. As tests may fake both clocks, the time waited is the larger of
 * the monotonic clock's and the time slept. If both stand still, or nearly so, the number of readings ends the wait.
 *
 * `isSystemClock`: the wait may sleep. A user's clock may run at any speed, so it is read all the time.
 */
export function waitUntil(
  clock: Clock,
  until: number,
  maxWaitMs: number,
  late: (waited: number) => never,
  isSystemClock: boolean,
): number {
  /** Shorter waits re-read the clock instead of sleeping, because a sleep could overshoot by much of a tick. */
  const SLEEP_FROM_MS = 2;
  /** How early a sleep ends, so that it does not oversleep. */
  const SLEEP_MARGIN_MS = 1;
  /** After this long, a wait naps between readings: that spares the processor and costs no capacity. */
  const NAP_FROM_MS = 2;
  const NAP_MS = 0.2;
  /** Readings between two readings of the monotonic clock, which are as expensive. */
  const READINGS_PER_LOOK = 64;
  /** If the monotonic clock stands still: readings after which a wait naps; and readings in a millisecond after which it ends. */
  const NAP_FROM_READINGS = 50_000;
  const MOST_READINGS = 800_000;
  const start = elapsed();
  const first = clock();
  let reading = first;
  let slept = 0;
  let waited = 0;
  for (let readings = 1; reading < until; readings++) {
    const far = isSystemClock && napper !== null && until - reading >= SLEEP_FROM_MS;
    if (far || readings % READINGS_PER_LOOK === 0) {
      waited = Math.max(elapsed() - start, slept);
      const limit = waitLimit(maxWaitMs, reading === first);
      if (waited > limit || readings > MOST_READINGS * (1 + waited)) {
        // The process may have been suspended since `clock` was read: read it once more.
        const last = clock();
        return last >= until ? last : endWait(last, first, () => late(waited));
      }
      if (far) {
        // At most until the bound: the clock may have gone back further, or stand still.
        slept += sleep(Math.min(until - reading - SLEEP_MARGIN_MS, limit - waited + SLEEP_MARGIN_MS));
      } else if (waited > NAP_FROM_MS || readings > NAP_FROM_READINGS) {
        slept += sleep(NAP_MS);
      }
    }
    reading = clock();
  }
  return reading;
}

/** Refuses a wait that would take too long; `code` is its cause. */
export const refuseWait = (code: CoreCode, waitMs: number, maxWaitMs: number): never =>
  refuseSaying(
    code,
    "maxWaitMs",
    waitMs,
    `a wait of ${waitMs} ms does not end within maxWaitMs, ${maxWaitMs}; raise it, try again later, or choose another policy`,
    0,
    maxWaitMs,
  );
