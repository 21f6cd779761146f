/** The numbers of a state, as the core saves and restores them. */
import type { Schema } from "../core/schema.js";
import { BACKFILL_HIGHEST, FIRST_LIVE, ISSUED } from "../generated/constants.js";

/** A state as the core saves it, or the part of it before the statistics. */
export type Numbers = ArrayLike<number>;

/** How many IDs have been issued. */
export const issued = (numbers: Numbers) => numbers[ISSUED] as number;

/** Whether a time that `at` refuses lies below one that it took, and not among those that the clock has issued. */
export function descends(numbers: Numbers, ms: number, { epoch, tickMs }: Schema): boolean {
  const tick = (ms - epoch) / tickMs;
  const live = numbers[FIRST_LIVE] as number;
  return tick < (numbers[BACKFILL_HIGHEST] as number) && (live < 0 || tick < live);
}
