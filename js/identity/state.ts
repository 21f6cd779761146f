/**
 * A state in the core of this copy. The core has a fixed number of slots; while a state has none, its numbers are in JavaScript, where
 * they are freed with it. Which of the two places counts is one assignment, to `slot`.
 *
 * Any call may be cut off, at any point, by a stack overflow or a time limit. So each step is stored by one assignment, after all that it
 * needs; what was cut off is done again by the next call.
 */
import { type Core, load, type Resident } from "../core/load.js";
import { type Schema, use } from "../core/schema.js";
import { FIELDS, SAVED, SLOTS, type Status } from "../generated/constants.js";
import type { Rule, State, Values } from "./shared.js";

/** A state of this copy. What each call asks for is a field, because a closure's variables take longer to find. */
type OwnState = State &
  Resident & {
    core: Core | undefined;
    restores: number;
    /** The rule that the slot has; its schema is undefined if nobody knows. */
    schema: Rule["schema"] | undefined;
    sequence: number;
  };

/** A state that has issued nothing. Making one needs no core. `fixed`: one value for each field; 0 for the time and the sequence. */
export function newState(schema: Schema, fixed: readonly number[], values: Values): State {
  /** The most that is parked. Beyond it, the core is started. */
  const MOST_PARKED = 16;
  const { startBytes } = schema;
  const { first, last, initial } = values;
  /** The saved numbers, while there is no slot. */
  const numbers = Float64Array.from(initial);
  /** What is to be merged before the next question. */
  const parked = [] as (readonly number[])[];

  /** The core, with the numbers in a slot, and all that was parked. */
  const admit = (): Core => {
    state.core ??= load();
    const { core } = state;
    const { wasm, f64, residents } = core;
    if (state.slot < 0) {
      const slot = core.hand;
      const other = residents[slot];
      if (other?.slot === slot) {
        other.evict();
      }
      use(schema, core);
      f64.set(fixed, FIELDS >> 3);
      wasm.open(slot, startBytes || first, last, +(startBytes > 0));
      f64.set(numbers, FIELDS >> 3);
      wasm.restore(slot);
      residents[slot] = state;
      core.hand = (slot + 1) % SLOTS;
      state.slot = slot;
    }
    for (const [spent, ...other] of parked) {
      // Without a snapshot the area still holds the saved state, and merging that with itself changes nothing.
      wasm.save(state.slot);
      f64.set(other, FIELDS >> 3);
      wasm.merge(state.slot, spent as number);
      state.restores++;
    }
    parked.length = 0;
    return core;
  };

  const state: OwnState = {
    first,
    last,
    kind: schema.kind,
    core: undefined,
    queue: undefined,
    waits: 0,
    waitedMs: 0,
    restores: 0,
    slot: -1,
    schema: undefined,
    sequence: 0,
    obey(rule) {
      // Another generator of the identity may have set its own.
      if (this.schema !== rule.schema || this.sequence !== rule.sequence) {
        const core = admit();
        // If the call is cut off here, nobody knows the rule.
        this.schema = undefined;
        use(rule.schema, core).wasm.rule(this.slot, rule.sequence);
        ({ sequence: this.sequence, schema: this.schema } = rule);
      }
      return this.core as Core;
    },
    refill: () => admit().wasm.refill() as Status,
    save(rule) {
      if (rule) {
        state.obey(rule);
      }
      const { wasm, f64 } = admit();
      wasm.save(state.slot);
      return f64.subarray(FIELDS >> 3, (FIELDS >> 3) + SAVED);
    },
    restore(numbers) {
      const { wasm, f64 } = admit();
      f64.set(numbers, FIELDS >> 3);
      wasm.restore(state.slot);
    },
    merge(known) {
      if (parked.length === MOST_PARKED) {
        admit();
      }
      parked.push(known);
      if (state.core) {
        admit();
      }
    },
    evict() {
      numbers.set(state.save());
      state.schema = undefined;
      state.slot = -1;
    },
  };
  return state;
}
