/** The one place that reads clocks. */
import { refuse } from "../errors.js";
import { UNIX_MS_MAX } from "../generated/constants.js";

/** A clock: Unix milliseconds. */
export type Clock = () => number;

/** A reading, if it is one. Test libraries put anything in the place of `Date.now`. Errors: `CLOCK_INVALID`. */
const checked = (reading: unknown): number =>
  typeof reading === "number" && reading >= -UNIX_MS_MAX && reading <= UNIX_MS_MAX
    ? reading
    : refuse("CLOCK_INVALID", "clock", reading, "Unix milliseconds", -UNIX_MS_MAX, UNIX_MS_MAX);

/** The system clock. Looked up at each call, so that a test's fake one is seen. */
export const systemClock: Clock = () => checked(Date.now());

/** A clock of the user's own; what it throws passes through. */
export const userClock =
  (clock: Clock): Clock =>
  () =>
    checked(clock());

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
