/** For a holder that has an identity for a while, in an interval of ID time: no holder of the package does so yet. */
import type { Core } from "../core/load.js";
import type { Schema } from "../core/schema.js";
import { FROM, UNTIL } from "../generated/constants.js";
import { forget, type State } from "./shared.js";
import type { OwnState } from "./state.js";

/** Sets the ticks that a state may issue, `until` excluded. It is stored at once, so that no cut of the call leaves half of it. */
export function grant(state: State, from: number, until: number): void {
  const numbers = state.save();
  numbers[FROM] = from;
  numbers[UNTIL] = until;
  state.restore(numbers);
  // Counts as a restore, so that a batch that fails now does not bring the old interval back.
  state.merge([-1]);
}

/** Ends a state: whoever still has it gets nothing from it, and its slot and its place in the registry are free. */
export function giveBack(schema: Schema, fixed: readonly number[], state: OwnState): void {
  grant(state, 0, 0);
  const { slot } = state;
  state.evict();
  delete (state.core as Core).residents[slot];
  forget(schema, fixed, state);
}
