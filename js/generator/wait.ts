/** The only place that waits synchronously: re-reads the clock, naps or sleeps, always within a bound. */
import type { Area } from "../core/load.js";
import { codeOf, failToIssue } from "../core/status.js";
import { type CoreCode, fail } from "../errors.js";
import * as abi from "../generated/constants.js";
import type { State } from "../identity/shared.js";
import { elapsed, systemClock } from "./clock.js";
import type { Maker } from "./maker.js";

/** The reading to wait for after an attempt without an ID. Throws if waiting does not help. */
export function waitTarget({ schema }: Maker, state: State, status: number, now: number) {
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
    // A full stack is not what the platform lacks.
    if (!(error instanceof RangeError)) {
      napper = null;
    }
  }
  return 0;
}

/**
 * The longest step of a clock that runs, and more: browsers coarsen clocks against fingerprinting, to 100 ms and beyond. While the clock
 * stands, its next step may be on its way.
 */
export const LONGEST_STEP_MS = 300;

/** Shorter waits re-read the clock instead of sleeping, because a sleep could overshoot by much of a tick. */
const SLEEP_FROM_MS = 2;
/** How early a sleep ends, so that it does not oversleep. */
const SLEEP_MARGIN_MS = 1;
/** After this long, a wait naps between readings: that spares the processor and costs no capacity. */
const NAP_FROM_MS = 2;
const NAP_MS = 0.2;
/** Readings between two readings of the monotonic clock, which are as expensive; unless a reading takes longer than an eighth of a ms. */
const READINGS_PER_LOOK = 64;
const FAST_PER_MS = 8;
/** If the monotonic clock stands still: readings after which a wait naps. */
const NAP_FROM_READINGS = 50_000;
/** And readings in a millisecond after which it ends: where nothing can sleep, the longest step of 250 ms has fewer. */
const MOST_READINGS = 12_000_000;

/**
 * Waits after an attempt without an ID, at most `budget`: reads the clock until it reaches the time to wait for, and returns that reading;
 * lower readings do not count. If the clock has not moved, the wait takes a step of it. As tests may fake both clocks, the time waited is
 * the larger of the monotonic clock's and the time slept. If both stand still, or nearly so, the number of readings ends the wait.
 *
 * On the system clock the wait may sleep. A user's clock may run at any speed, so it is read all the time. `isFirst`: the call's first wait.
 */
export function waitAndRead(
  maker: Maker,
  state: State,
  status: number,
  now: number,
  budget: number,
  isFirst: boolean,
): number {
  const { read, maxWaitMs } = maker.policy;
  const { until, cause } = waitTarget(maker, state, status, now);
  // With what earlier waits of the call have taken.
  const late = (stands: boolean, waited: number) =>
    failWait(cause, now, Math.max(maxWaitMs - budget + until - now, waited), maxWaitMs, stands);
  if (until - now > budget) {
    late(false, 0);
  }
  const start = elapsed();
  const first = read();
  let reading = first;
  let slept = 0;
  let waited = 0;
  for (let readings = 1; reading < until; readings++) {
    const far = read === systemClock && napper !== null && until - reading >= SLEEP_FROM_MS;
    if (far || readings % READINGS_PER_LOOK === 1 || waited * FAST_PER_MS > readings) {
      waited = Math.max(elapsed() - start, slept);
      const limit = Math.max(maxWaitMs, reading === first ? LONGEST_STEP_MS : 0);
      if (waited > limit || readings > MOST_READINGS * (1 + waited)) {
        // The process may have been suspended since the clock was read: read it once more.
        const last = read();
        reading = last >= until ? last : late(last === first, waited);
        break;
      }
      if (far) {
        // At most until the bound: the clock may have gone back further, or stand still.
        slept += sleep(Math.min(until - reading - SLEEP_MARGIN_MS, limit - waited + SLEEP_MARGIN_MS));
      } else if (waited > NAP_FROM_MS || readings > NAP_FROM_READINGS) {
        slept += sleep(NAP_MS);
      }
    }
    reading = read();
  }
  state.waits += +isFirst;
  state.waitedMs += reading - now;
  return reading;
}

/** Refuses a wait of `waitMs` from `now` on; `cause` is its reason. `stands`: whether the clock stood still. */
export function failWait(
  cause: CoreCode,
  now: number,
  waitMs: number,
  maxWaitMs: number,
  stands: boolean,
): never {
  const date = (ms: number) => new Date(ms).toISOString();
  // To wait for days is no way out.
  const days = waitMs / 86_400_000;
  return stands
    ? fail(
        "CLOCK_STUCK",
        "clock",
        now,
        `the clock stands at ${date(now)}; give one that runs, or choose "borrow"`,
      )
    : fail(
        cause,
        "maxWaitMs",
        waitMs,
        days > 1 && cause === "CLOCK_BACKWARDS"
          ? `the clock is ${days.toFixed(1)} days behind ${date(now + waitMs)}, beyond maxWaitMs; set it right; in tests, say isolated: true`
          : `a wait of ${waitMs} ms exceeds maxWaitMs, ${maxWaitMs}; raise it, or try later`,
        0,
        maxWaitMs,
      );
}
