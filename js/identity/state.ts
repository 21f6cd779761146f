/**
 * A state in the core of this copy. The core has a fixed number of slots; while a state has none, its numbers are in JavaScript, where
 * they are freed with it. Which of the two places counts is one assignment, to `slot`.
 *
 * Any call may be cut off, at any point, by a stack overflow or a time limit. So each step is stored by one assignment, after all that it
 * needs; what was cut off is done again by the next call.
 */
import { type Core, load, type Resident } from "../core/load.js";
import { type Schema, use } from "../core/schema.js";
import { FIELDS, REFILL, SAVED, SLOTS, type Status } from "../generated/constants.js";
import type { Rule, State, Values } from "./shared.js";

/** A state of this copy. */
export type OwnState = State & Resident;

/** A state that has issued nothing. Making one needs no core. `fixed`: one value for each field; 0 for the time and the sequence. */
export function newState(schema: Schema, fixed: readonly number[], values: Values): OwnState {
  /** The most that is parked. Beyond it, the core is started. */
  const MOST_PARKED = 16;
  const { startBytes } = schema;
  const { first, last, initial } = values;
  /** The saved numbers, while there is no slot. */
  const numbers = Float64Array.from(initial);
  /** What is to be merged before the next question. */
  const parked = [] as (readonly number[])[];
  /** The rule that the slot has; its schema is undefined if nobody knows. */
  let present: Rule["schema"] | undefined;
  let sequence: number;

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

  /** The core, with the rule in the slot: another generator of the identity may have set its own. */
  const obey = (rule: Rule): Core => {
    if (present !== rule.schema || sequence !== rule.sequence) {
      const core = admit();
      // If the call is cut off here, nobody knows the rule.
      present = undefined;
      use(rule.schema, core).wasm.rule(state.slot, rule.sequence);
      ({ sequence, schema: present } = rule);
    }
    return state.core as Core;
  };

  const state: OwnState & { core: Core | undefined; restores: number } = {
    first,
    last,
    kind: schema.kind,
    core: undefined,
    queue: undefined,
    waits: 0,
    waitedMs: 0,
    restores: 0,
    slot: -1,
    next(rule, now, asked, maxAhead, bits) {
      const status = obey(rule).wasm.next(state.slot, now, asked, maxAhead, bits) as Status;
      // The source may be a mock that calls graupel, so the state may have lost its slot.
      return status === REFILL ? state.refill() || state.next(rule, now, asked, maxAhead, bits) : status;
    },
    fill: (rule, now, asked, maxAhead, count) =>
      obey(rule).wasm.fill(state.slot, now, asked, maxAhead, count) as Status,
    refill: () => admit().wasm.refill() as Status,
    save(rule) {
      const { wasm, f64 } = rule ? obey(rule) : admit();
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
      present = undefined;
      state.slot = -1;
    },
  };
  return state;
}
