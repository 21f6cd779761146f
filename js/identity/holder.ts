/** The holder of given numbers, which never change, and of sno's partition, drawn at the first operation, until the process is cloned. */
import type { Schema } from "../core/schema.js";
import { type Bounds, type Holder, type State, sameIn, statesOf } from "./shared.js";
import { newState } from "./state.js";

/** Gives fixed fields (one value for each field of the schema, 0 for the time and the sequence) that are drawn, or follow from those that the realm has drawn. */
export interface Automatic {
  /** For the bounds of a generator. `redraw` is called when they are to be taken again. */
  take(first: number, last: number, isolated: boolean, redraw: () => void): readonly number[];
  /** Whether they would be drawn now. */
  draws(isolated: boolean): boolean;
}

/**
 * Holds an identity, from the first operation on. `isolated`: its state is one that nobody shares. `known`: what the options know of
 * earlier generators. It applies at once, to all generators of the identity, unless that has still to be drawn. Opening it has the error
 * `CONFLICT` for bounds that overlap another's.
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
      // Store the state last: if this call is cut off before, the next one merges again, which changes nothing. The random source may
      // have called the generator re-entrantly, and then the state it has is the one that has issued IDs.
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

/** The state, for the present call. */
export const opened = ({ holder }: { readonly holder: Holder }): State => holder.state ?? holder.open();
