/** The holder of given numbers, which never change, and of sno's partition, drawn at the first operation, until the process is cloned. */
import type { Schema } from "../core/schema.js";
import { type Holder, type State, sameIn, statesOf, type Values } from "./shared.js";
import { newState } from "./state.js";

/** Fixed fields: one value for each field of the schema, 0 for the time and the sequence. */
type Fields = readonly number[];

/** Fixed fields that are drawn, or follow from those that the realm has drawn. */
interface Automatic {
  readonly fields: undefined;
  /** `redraw` is called when they are to be taken again. */
  automatic(redraw: () => void): Fields;
  /** Whether they would be drawn now. */
  draws(): boolean;
}

/** The identity that a generator's options ask for. */
export type Wanted = Values & ({ readonly fields: Fields } | Automatic);

/** The state of an identity; `isolated`: one that nobody shares. Errors: `CONFLICT` for bounds that overlap another's. */
function claim(schema: Schema, fixed: Fields, values: Values, isolated: boolean): State {
  const { first, last } = values;
  const all = isolated ? [] : statesOf(schema, fixed);
  const found = sameIn(all, schema.kind, first, last);
  if (found !== undefined) {
    return found as State;
  }
  const state = newState(schema, fixed, values);
  all.push(state);
  return state;
}

/**
 * Holds what is wanted, from the first operation on. `known`: what the options know of earlier generators. It applies at once, to all
 * generators of the identity, unless that has still to be drawn.
 */
export function holderOf(
  schema: Schema,
  wanted: Wanted,
  isolated: boolean,
  known: readonly number[] | undefined,
): Holder {
  const { first, last } = wanted;
  const holder: { -readonly [Name in keyof Holder]: Holder[Name] } = {
    first,
    last,
    state: undefined,
    fields: wanted.fields,
    methodsOf: (methods) => methods,
    open() {
      const fields =
        wanted.fields ??
        wanted.automatic(() => {
          holder.state = holder.fields = undefined;
        });
      const found = claim(schema, fields, wanted, isolated);
      if (known) {
        found.merge(known);
      }
      // Last: if the call is cut off before, the next one merges once more, which changes nothing. Drawing may have run a mock that got
      // here first.
      if (holder.state === undefined) {
        holder.fields = fields;
        holder.state = found;
      }
      return holder.state;
    },
  };
  if (known && (wanted.fields || !wanted.draws())) {
    holder.open();
  }
  return holder;
}

/** The state, for the present call. */
export const opened = ({ holder }: { readonly holder: Holder }): State => holder.state ?? holder.open();
