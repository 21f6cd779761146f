/** What a holder does with the state of an identity that it has for a while, and in an interval of ID time. */
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
  // Whoever is making a batch takes nothing back, and so not the interval either.
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
