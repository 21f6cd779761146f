/**
 * The tenure of a lease, as its generators see it: the current number, and a state for each pair of
 * bounds. State and interval belong to the lease: two leases of one realm that hold number 3 of
 * different namespaces share nothing.
 */
import { fail, type GraupelError } from "../errors.js";
import { FROM, LAST, UNTIL } from "../generated/constants.js";
import {
  type Holder,
  type Leasable,
  type Leased,
  type Occupant,
  type State,
  sameIn,
} from "../identity/shared.js";
import { complete, PAST } from "./generator-options.js";
import { fieldsOf, fixedOf, layoutOf, valuesOf } from "./packing.js";
import type { Grant } from "./types.js";

type Schema = Leasable[0];

/** The source of the number for the generators of a lease. */
export interface NumberSource {
  /** The reason why no ID may be issued now, if there is one. */
  reason(): GraupelError | undefined;
  /**
   * Makes a call of `nextAsync`. If there is no number or no time left in the interval, waits for
   * one and calls again.
   */
  again<T>(call: (options: unknown) => Promise<T>, options: unknown): Promise<T>;
}

/** A number, and the ticks in which it may be used: from `from` to before `until`. */
interface Tenure {
  readonly number: number;
  readonly from: number;
  readonly until: number;
}

/**
 * A lease occupies its number with all bounds, so that a generator with the same number conflicts
 * with it.
 */
const OCCUPANT: Occupant = {
  first: 0,
  last: Infinity,
  kind: "leased",
  words: "lease: a lease of this process has this number; use another one, or pass the lease",
};

/** The ticks from the epoch to a time, with a fraction. */
const ticksUntil = ({ epoch, tickMs }: Schema, time: number) => Math.max(0, (time - epoch) / tickMs);

/**
 * Sets the last tick that a state may issue: the one before `until`. It is stored in one step, so a
 * call that is cut off cannot leave half of it.
 */
function limit(state: State, until: number): void {
  const numbers = state.save();
  numbers[UNTIL] = until;
  state.restore(numbers);
  // Counts as a restore. Otherwise a batch that fails now would bring the old interval back.
  state.merge([-1]);
}

/** The holder of all generators of one lease with the same bounds. */
type Kept = Holder & Occupant;

/** The tenures of one lease, at most one at a time, and its generators. */
export class Tenures {
  readonly #schema: Schema;
  readonly #newState: Leasable[1];
  readonly #statesOf: Leasable[2];
  readonly #chosen: Readonly<Record<string, number>>;
  readonly #source: NumberSource;
  readonly #kept: Kept[] = [];
  #occupants: Occupant[] | undefined;
  /**
   * The current tenure with its ticks, in one object, so that a call that is cut off cannot leave
   * half of it.
   */
  present: Tenure | undefined;

  /** `chosen`: the field values that all numbers of the lease share. */
  constructor(format: Leasable, chosen: Readonly<Record<string, number>>, source: NumberSource) {
    [this.#schema, this.#newState, this.#statesOf] = format;
    this.#chosen = chosen;
    this.#source = source;
  }

  /** The fixed fields of the current number, by name; undefined if there is none. */
  get fields() {
    return this.present && fieldsOf(this.#schema, this.present.number);
  }

  /** Lets a generator join the lease. */
  readonly join: Leased = (options, schema) => {
    complete(options, fixedOf(schema), this.#chosen);
    return (values) => this.#admit(schema, values);
  };

  #admit(schema: Schema, { first, last, initial }: Parameters<ReturnType<Leased>>[0]): Holder {
    const { kind, name } = schema;
    const own = this.#schema;
    if (layoutOf(schema) !== layoutOf(own)) {
      fail(
        "CONFLICT",
        "lease",
        name,
        `lease: it is for IDs of ${own.name}, and this layout of ${name} differs`,
      );
    }
    const found = sameIn(this.#kept, { kind, first, last });
    if (found !== undefined) {
      return found;
    }
    const source = this.#source;
    const holder: Kept = {
      kind,
      first,
      last,
      initial,
      state: undefined,
      fields: undefined,
      methodsOf(methods) {
        const { nextAsync } = methods as unknown as { nextAsync: (options: unknown) => Promise<unknown> };
        return Object.assign(methods, PAST, {
          nextAsync: (options: unknown) => source.again(nextAsync, options),
        });
      },
      open: () => {
        const why = source.reason();
        const present = this.present;
        if (why || !present) {
          throw why;
        }
        const numbers = Array.from(initial);
        numbers[FROM] = present.from;
        numbers[UNTIL] = present.until;
        const fields = valuesOf(own, present.number);
        const state = this.#newState(schema, fields, { first, last, initial: numbers });
        holder.fields = fields;
        // Assign last: if the call is cut off before this, the next one makes another state, and
        // this state has issued nothing.
        holder.state = state;
        return state;
      },
    };
    this.#kept.push(holder);
    return holder;
  }

  /**
   * Begins a tenure or extends the current one. Errors: `CONFLICT` if a generator of the realm was
   * given that number.
   */
  hold({ number, ...grant }: Grant): void {
    const schema = this.#schema;
    // The first tick that starts inside the interval, and the first tick that ends after it.
    const from = Math.ceil(ticksUntil(schema, grant.from));
    const until = Math.floor(ticksUntil(schema, grant.until));
    const present = { number, from, until };
    if (this.present?.number === number && this.present.from === from) {
      this.present = present;
      for (const { state } of this.#kept) {
        if (state) {
          limit(state, until);
        }
      }
      return;
    }
    // If a call of `end` was cut off, states of another tenure may be left. They must not get this
    // interval.
    this.end();
    const others = this.#statesOf(schema, valuesOf(schema, number));
    if (others.some(({ kind }) => kind !== "leased")) {
      const words = `lease: a generator of this process has number ${number}; use another one`;
      fail("CONFLICT", "lease", number, words);
    }
    others.push(OCCUPANT);
    this.#occupants = others;
    this.present = present;
  }

  /** Ends the tenure. Returns its first unused Unix millisecond; 0 if it issued nothing. */
  end(): number {
    const { epoch, tickMs } = this.#schema;
    let highest = -1;
    this.present = undefined;
    for (const holder of this.#kept) {
      const { state } = holder;
      if (state) {
        limit(state, 0);
        highest = Math.max(highest, state.save()[LAST] as number);
        holder.state = undefined;
      }
    }
    const left = this.#occupants;
    // Clear first: leaving twice would remove another occupant.
    this.#occupants = undefined;
    left?.splice(left.indexOf(OCCUPANT), 1);
    return highest < 0 ? 0 : epoch + (highest + 1) * tickMs;
  }
}
