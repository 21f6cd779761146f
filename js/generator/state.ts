/** The state of a generator, as the numbers that the core saves and restores. */
import type { Core } from "../core/load.js";
import type { Schema } from "../core/schema.js";
import { BACKFILL_HIGHEST, FIELDS, FIRST_LIVE, ISSUED, SAVED } from "../generated/constants.js";

/** Where the core keeps a state, once it is admitted. */
interface Slot {
  readonly core: Core;
  readonly slot: number;
  admit(): void;
}

/** A state as the module saves it, or the part of it before the statistics. */
export type State = ArrayLike<number>;

/** How many IDs a state has issued. */
export const issued = (state: State) => state[ISSUED] as number;

/** The state that the module has saved last; to be read before anything else is asked of it. */
export const saved = ({ f64 }: Core): Float64Array => f64.subarray(FIELDS >> 3, (FIELDS >> 3) + SAVED);

/** The numbers of a state. */
export function save(state: Slot): Float64Array {
  state.admit();
  state.core.wasm.$save(state.slot);
  return saved(state.core);
}

/** The inverse of `save`. */
export function restore(state: Slot, numbers: State): void {
  state.admit();
  state.core.f64.set(numbers, FIELDS >> 3);
  state.core.wasm.$restore(state.slot);
}

/** Whether a time that `at` refuses lies below one that it took, and not among those that the clock has issued. */
export function descends(state: State, ms: number, { epoch, tickMs }: Schema): boolean {
  const tick = (ms - epoch) / tickMs;
  const live = state[FIRST_LIVE] as number;
  return tick < (state[BACKFILL_HIGHEST] as number) && (live < 0 || tick < live);
}
