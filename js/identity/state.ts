/**
 * A state in a slot of this copy's core. It keeps its slot until it is garbage-collected. Then
 * another state can use the slot.
 *
 * A stack overflow or a time limit may cut off any call at any point. So each step ends with one
 * assignment, and the next call repeats an unfinished step.
 */
import { type Core, withRoom } from "../core/load.js";
import { type Schema, use } from "../core/schema.js";
import * as abi from "../generated/constants.js";
import type { Bounds, Numbers, Rule, State } from "./shared.js";

/** How many merges may wait for the start of the core. One more starts it. */
const MOST_PARKED = 16;

/** Writes numbers to the area, and returns the core that reads them. */
function load({ wasm, f64 }: Core, numbers: Numbers): Core["wasm"] {
  f64.set(numbers, abi.FIELDS >> 3);
  return wasm;
}

/**
 * Makes a state that has issued nothing. It needs no core. `fixed`: one value for each field; 0 for
 * the time and the sequence. Properties that each call reads are fields, because a closure's
 * variables are slower. They include the slot's rule, whose schema is undefined if the rule is
 * unknown.
 */
export function newState(schema: Schema, fixed: readonly number[], { first, last, initial }: Bounds): State {
  /** The numbers to merge before the next question. */
  const parked = [] as (readonly number[])[];

  /** Returns the core, with the state in its slot and all parked numbers merged into it. */
  const admit = (): Core => {
    const core = state.core ?? withRoom();
    if (!state.core) {
      // If the call is cut off after this, the slot is lost, which is better than two states in one
      // slot.
      const slot = core.free.pop() ?? core.opened++;
      use(schema, core);
      load(core, fixed).open(slot, schema.startBytes || first, last, +(schema.startBytes > 0));
      load(core, initial).restore(slot);
      core.collected?.register(state, slot);
      state.slot = slot;
      state.core = core;
    }
    for (const [spent, ...other] of parked) {
      // Without a snapshot, the area still contains the saved state, and merging it with itself
      // changes nothing.
      core.wasm.save(state.slot);
      load(core, other).merge(state.slot, spent as number);
      state.restores++;
    }
    parked.length = 0;
    return core;
  };

  const state = {
    first,
    last,
    kind: schema.kind,
    core: undefined as Core | undefined,
    queue: undefined,
    waits: 0,
    waitedMs: 0,
    restores: 0,
    slot: -1,
    schema: undefined as Rule["schema"] | undefined,
    sequence: 0,
    obey(rule: Rule) {
      // Another generator of the identity may have set its own.
      if (this.schema !== rule.schema || this.sequence !== rule.sequence) {
        const core = admit();
        // If the call is cut off here, the rule is unknown.
        this.schema = undefined;
        use(rule.schema, core).wasm.rule(this.slot, rule.sequence);
        ({ sequence: this.sequence, schema: this.schema } = rule);
      }
      return this.core as Core;
    },
    save() {
      const { wasm, f64 } = admit();
      wasm.save(state.slot);
      return f64.subarray(abi.FIELDS >> 3, (abi.FIELDS >> 3) + abi.SAVED);
    },
    restore(numbers: Numbers) {
      load(admit(), numbers).restore(state.slot);
    },
    merge(known: readonly number[]) {
      if (parked.push(known) > MOST_PARKED || state.core) {
        admit();
      }
    },
  };
  return state;
}
