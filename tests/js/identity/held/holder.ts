/**
 * A holder that takes the place of js/identity/holder.ts in a copy of the package: the test grants a number and an interval, extends it,
 * and takes it back, while generators run.
 */
import type { Schema } from "../../../../js/core/schema.ts";
import { giveBack, grant } from "../../../../js/identity/granted.ts";
import type { Wanted } from "../../../../js/identity/holder.ts";
import { type Holder, type State, statesOf } from "../../../../js/identity/shared.ts";
import { newState, type OwnState } from "../../../../js/identity/state.ts";

/** Why there is no ID now. */
export class NotHeld extends Error {}

/** The holder of the generator that was made last. */
export let present: Granted;

class Granted implements Holder {
  readonly first: number;
  readonly last: number;
  state: OwnState | undefined = undefined;
  fields: readonly number[] | undefined = undefined;
  readonly #schema: Schema;
  readonly #wanted: Wanted;
  #changed: Promise<void>;
  #tell = () => {};

  constructor(schema: Schema, wanted: Wanted) {
    this.first = wanted.first;
    this.last = wanted.last;
    this.#schema = schema;
    this.#wanted = wanted;
    this.#changed = this.#next();
  }

  /** A promise of the next change. */
  #next(): Promise<void> {
    return new Promise((resolve) => {
      this.#tell = () => {
        this.#changed = this.#next();
        resolve();
      };
    });
  }

  open(): State {
    if (this.state === undefined) {
      throw new NotHeld("nothing is granted now");
    }
    return this.state;
  }

  /** A call that was refused for want of a number, or of time in its interval, is made again after the next change. */
  again = async <I>(call: () => Promise<I>): Promise<I> => {
    for (;;) {
      const changed = this.#changed;
      try {
        return await call();
      } catch (error) {
        const { code } = error as { code?: string };
        if (!(error instanceof NotHeld) && code !== "OUTSIDE_INTERVAL") throw error;
        await changed;
      }
    }
  };

  /** Grants the fixed field `index` the value `number`, in the ticks from `from` to before `until`. */
  take(index: number, number: number, from: number, until: number): void {
    this.drop();
    this.fields = this.#schema.fields.map((_, i) => (i === index ? number : 0));
    const state = newState(this.#schema, this.fields, this.#wanted);
    statesOf(this.#schema, this.fields).push(state);
    grant(state, from, until);
    this.state = state;
    this.#tell();
  }

  /** Changes the interval. */
  extend(from: number, until: number): void {
    grant(this.open(), from, until);
    this.#tell();
  }

  /** Gives the number back. */
  drop(): void {
    if (this.state !== undefined && this.fields !== undefined) {
      giveBack(this.#schema, this.fields, this.state);
      this.state = undefined;
    }
  }
}

export function holderOf(schema: Schema, wanted: Wanted): Holder {
  present = new Granted(schema, wanted);
  return present;
}
