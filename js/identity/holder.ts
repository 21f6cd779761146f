/**
 * The holder of given numbers, which never change, and of sno's automatic partition, which is drawn
 * at the first operation, and again when the process is cloned.
 */
import type { Schema } from "../core/schema.js";
import { type Bounds, type Holder, type State, sameIn, statesOf } from "./shared.js";
import { newState } from "./state.js";

/**
 * Provides automatic fixed fields: one value for each field of the schema, 0 for the time and the
 * sequence. They are drawn, or follow from earlier ones of the realm.
 */
export interface Automatic {
  /**
   * Takes fixed fields for the bounds of a generator. `redraw` is called when they must be taken
   * again.
   */
  take(first: number, last: number, isolated: boolean, redraw: () => void): readonly number[];
  /** Whether taking them would draw random bits. */
  draws(isolated: boolean): boolean;
}

/**
 * Holds an identity from the first operation on. `isolated`: whether its state is not shared.
 * `known`: the numbers of earlier generators from the options. They apply at once, to all
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
      const redraw = () => {
        holder.state = holder.fields = undefined;
      };
      const fields = given ?? (automatic as Automatic).take(first, last, isolated, redraw);
      const all = isolated ? [] : statesOf(schema, fields);
      const listed = sameIn(all, { kind: schema.kind, first, last }) as State | undefined;
      const found = listed ?? newState(schema, fields, holder);
      if (known) {
        found.merge(known);
      }
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
