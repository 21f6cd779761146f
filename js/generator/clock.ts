/** The only place that reads clocks. */
import { rangeError } from "../errors.js";
import * as abi from "../generated/constants.js";

/** A clock: Unix milliseconds. */
export type Clock = () => number;

/**
 * Checks a reading, because test libraries may replace `Date.now` with any function. `none`: a
 * reading that counts as invalid. Errors: `CLOCK_INVALID`.
 */
export const checked = (reading: unknown, none?: number): number =>
  reading !== none && typeof reading === "number" && reading >= -abi.UNIX_MS_MAX && reading <= abi.UNIX_MS_MAX
    ? reading
    : rangeError("clock", reading, -abi.UNIX_MS_MAX, abi.UNIX_MS_MAX, "Unix milliseconds", "CLOCK_INVALID");

/**
 * The system clock. It looks up `Date.now` in each call, so that a fake one takes effect. 0 is
 * invalid: some hosts have no clock and return 0, such as workerd outside a request.
 */
export const systemClock: Clock = () => checked(Date.now(), 0);

/**
 * The monotonic clock, in milliseconds; 0 without one, or if a fake one returns an invalid value.
 */
export function elapsed(): number {
  try {
    const now: unknown = performance.now();
    return Number.isFinite(now) ? (now as number) : 0;
  } catch {
    // There is no monotonic clock, or a fake one throws.
    return 0;
  }
}

/**
 * Returns a clock in milliseconds that never goes back. It follows the monotonic clock. While that
 * stands still or goes back, it adds the time that the caller has slept, the argument of each call.
 */
export function steadyClock(): (slept?: number) => number {
  const SHORTEST_STEP_MS = 0.1;
  let last = 0;
  let peak = 0;
  let passed = 0;
  let ahead = 0;
  return (slept = 0) => {
    const reading = elapsed();
    // After a fake or failing clock ends, the clock continues from its peak.
    const moved = Math.min(Math.max(0, reading - (reading > peak ? peak : last)), abi.LONGEST_MS);
    last = reading;
    peak = Math.max(peak, reading);
    // No timer is as short as the shortest step. If the clock stood still or nearly so, its next
    // steps include the time slept.
    const gained = slept > 0 && moved < SHORTEST_STEP_MS ? slept : Math.max(0, moved - ahead);
    passed += gained;
    ahead += gained - moved;
    return passed;
  };
}
