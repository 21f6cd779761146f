/**
 * The holder of given numbers, which never change, and of sno's automatic partition, which is drawn
 * at the first operation; and the state that it holds.
 *
 * A state has a slot in this copy's core. It keeps the slot until it is garbage-collected. Then
 * another state can use it.
 *
 * A stack overflow or a time limit may cut off any call at any point. So each step ends with one
 * assignment, and the next call repeats an unfinished step.
 */
import { type Core, withRoom } from "../core/load.js";
import { type Schema, use } from "../core/schema.js";
import * as abi from "../generated/constants.js";
import {
  type Bounds,
  type Holder,
  type Leasable,
  type Numbers,
  type Rule,
  type State,
  sameIn,
  statesOf,
} from "./shared.js";

/** How many merges may wait for the start of the core. One more starts it. */
const MOST_PARKED = 16;

/** Writes numbers to the area and returns the core that reads them. */
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
function newState(schema: Schema, fixed: readonly number[], { first, last, initial }: Bounds): State {
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

/**
 * Provides automatic fixed fields: one value for each field of the schema, 0 for the time and the
 * sequence. They are drawn or follow from earlier ones of the realm.
 */
export interface Automatic {
  /** Takes fixed fields for the bounds of a generator. */
  take(first: number, last: number, isolated: boolean): readonly number[];
  /** Whether taking them would draw random bits. */
  draws(isolated: boolean): boolean;
}

/**
 * Holds an identity from the first operation on. `isolated`: whether its state is not shared.
 * `known`: the numbers of earlier generators, as given in the options. They apply at once, to all
 * generators of the identity, unless the identity is not drawn yet. `open` throws `CONFLICT` if the
 * bounds overlap those of another generator.
 */
export function holderOf(
  schema: Schema,
  { first, last, initial }: Bounds,
  given: readonly number[] | undefined,
  automatic: Automatic | undefined,
  isolated: boolean,
  known: readonly number[] | undefined,
): Holder {
  const holder: Holder = {
    first,
    last,
    initial,
    state: undefined,
    fields: given,
    methodsOf: (methods) => methods,
    open() {
      const fields = given ?? (automatic as Automatic).take(first, last, isolated);
      const all = isolated ? [] : statesOf(schema, fields);
      const listed = sameIn(all, { kind: schema.kind, first, last }) as State | undefined;
      const found = listed ?? newState(schema, fields, holder);
      // If this core cannot start, the identity stays free for another copy: `graupel/pure`.
      known ? found.merge(known) : (found.core ?? withRoom());
      if (!listed) {
        all.push(found);
      }
      // Store the state last: if this call is cut off before, the next one merges again, which
      // changes nothing. The random source may have called the generator re-entrantly, and then the
      // state it has is the one that has issued IDs.
      if (!holder.state) {
        holder.fields = fields;
        holder.state = found;
      }
      return holder.state;
    },
  };
  if (known && (given || !automatic?.draws(isolated))) {
    holder.open();
  }
  return holder;
}

/** Returns the state for the present call. */
export const opened = ({ holder }: { readonly holder: Holder }): State => holder.state ?? holder.open();

/** The part of a format that a lease uses. */
export const leasable = (schema: Schema): Leasable => [schema, newState, statesOf];
