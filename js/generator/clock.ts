/** The only place that reads clocks. */
import { rangeError } from "../errors.js";
import * as abi from "../generated/constants.js";

/** A clock: Unix milliseconds. */
export type Clock = () => number;

/** Checks a reading: test libraries may replace `Date.now` with anything. `none`: no time. Errors: `CLOCK_INVALID`. */
export const checked = (reading: unknown, none?: number): number =>
  reading !== none && typeof reading === "number" && reading >= -abi.UNIX_MS_MAX && reading <= abi.UNIX_MS_MAX
    ? reading
    : rangeError("clock", reading, -abi.UNIX_MS_MAX, abi.UNIX_MS_MAX, "Unix milliseconds", "CLOCK_INVALID");

/**
 * The system clock. `Date.now` is looked up at each call, so that a fake one takes effect. 0 is no time: some hosts, such as workerd
 * outside of a request, have no clock and say 0.
 */
export const systemClock: Clock = () => checked(Date.now(), 0);

/** The monotonic clock, in milliseconds; 0 if there is none, or a fake one returns nonsense. */
export function elapsed(): number {
  try {
    const now: unknown = performance.now();
    return Number.isFinite(now) ? (now as number) : 0;
  } catch {
    // There is none, or a fake one throws.
    return 0;
  }
}

/**
 * Milliseconds that never go back: those of the monotonic clock, and while it stands still or goes back, those that the caller has slept,
 * which it tells with each call.
 */
export function steadyClock(): (slept?: number) => number {
  const SHORTEST_STEP_MS = 0.1;
  let last = 0;
  let peak = 0;
  let passed = 0;
  let ahead = 0;
  return (slept = 0) => {
    const reading = elapsed();
    // A clock that was faked for a while, or failed, goes on from where it was.
    const moved = Math.min(Math.max(0, reading - (reading > peak ? peak : last)), abi.LONGEST_MS);
    last = reading;
    peak = Math.max(peak, reading);
    // No timer is as short as the shortest step. The clock's next steps include what was slept while it stood still, or nearly so.
    const gained = slept > 0 && moved < SHORTEST_STEP_MS ? slept : Math.max(0, moved - ahead);
    passed += gained;
    ahead += gained - moved;
    return passed;
  };
}
