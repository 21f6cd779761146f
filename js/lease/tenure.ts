/**
 * What a lease is to its generators: the number that is granted now, and a state of it for each of their bounds. State and interval belong
 * to the lease, so two leases of one realm that both got number 3 of different namespaces share nothing.
 */
import { fail, type GraupelError } from "../errors.js";
import { FROM, LAST, UNTIL } from "../generated/constants.js";
import { type Admit, type Holder, type Occupant, type State, sameIn } from "../identity/shared.js";
import { type Leasable, type Numbering, unpacked } from "./number.js";
import type { Grant } from "./types.js";

/** The holder of all generators of one lease with the same bounds. */
type Kept = { -readonly [Name in keyof Holder]: Holder[Name] } & Occupant;

/** A number, the value of each field, the fixed ones by name, and the ticks in which it may be used. */
interface Tenure {
  readonly number: number;
  readonly fields: readonly number[];
  readonly named: Readonly<Record<string, number>>;
  readonly from: number;
  readonly until: number;
}

/** A lease takes all values of a number, so that a generator with that number given meets it. */
const OCCUPANT: Occupant = {
  first: 0,
  last: Infinity,
  kind: "leased",
  words: "lease: one of this realm has this number; choose another one, or pass the lease",
};

/** Ticks, and a fraction, from the epoch to a time. */
const ticksUntil = ({ epoch, tickMs }: Leasable, time: number) => Math.max(0, (time - epoch) / tickMs);

/** Sets the ticks that a state may issue, `until` excluded; stored at once, so that no cut of the call leaves half of it. */
function limit(state: State, until: number): void {
  const numbers = state.save();
  numbers[UNTIL] = until;
  state.restore(numbers);
  // Counts as a restore, so that a batch that fails now does not bring the old interval back.
  state.merge([-1]);
}

/** The generators of one lease. */
export interface Tenures {
  /** What is held; undefined if there is nothing. */
  readonly present: Pick<Tenure, "number" | "named"> | undefined;
  /** Gives holders. Errors: `CONFLICT` for a generator of another layout, or with bounds that overlap others. */
  readonly admit: (own: Numbering) => Admit;
  /** Begins a tenure, or extends the present one. Errors: `CONFLICT` if a generator of the realm has that number given. */
  hold(grant: Grant): void;
  /** Ends the tenure. Returns the first Unix millisecond that it has not used; 0 if it has used none. */
  end(): number;
}

/** What is known of the format of a lease. */
export interface Format {
  readonly schema: Parameters<Admit>[0];
  readonly occupants: Parameters<Admit>[2];
  readonly numbering: Numbering;
}

/** No tenure yet. `reason`: why nothing may be issued now. `methodsOf`: see {@link Holder}. */
export function tenuresOf(
  { schema, occupants: occupantsOf, numbering }: Format,
  reason: () => GraupelError | undefined,
  methodsOf: Holder["methodsOf"],
): Tenures {
  const kept: Kept[] = [];
  let occupants: Occupant[] | undefined;
  /** The present tenure, with its ticks. In one piece, so that no cut of a call leaves half of it. */
  let present: Tenure | undefined;

  const tenures: Tenures = {
    get present() {
      return present;
    },
    admit: (own) => (itsSchema, values, _, make) => {
      const { first, last } = values;
      const { kind, name } = itsSchema;
      if (own.layout !== numbering.layout) {
        fail("CONFLICT", "lease", name, `lease: this ${name} has another layout than its ${schema.name}`);
      }
      const found = sameIn(kept, kind, first, last);
      if (found !== undefined) {
        return found;
      }
      const holder: Kept = {
        kind,
        first,
        last,
        state: undefined,
        fields: undefined,
        methodsOf,
        open() {
          const why = reason();
          if (why || !present) {
            throw why;
          }
          const { fields, from, until } = present;
          const initial = Array.from(values.initial);
          initial[FROM] = from;
          initial[UNTIL] = until;
          const state = make(itsSchema, fields, { first, last, initial });
          holder.fields = fields;
          // Last: if the call is cut off before, the next one makes another state, and this one has issued nothing.
          holder.state = state;
          return state;
        },
      };
      kept.push(holder);
      return holder;
    },
    hold(grant) {
      const { number } = grant;
      // The first tick that starts in the interval, and the first one that does not end in it.
      const from = Math.ceil(ticksUntil(schema, grant.from));
      const until = Math.floor(ticksUntil(schema, grant.until));
      if (present?.number === number && present.from === from) {
        present = { ...present, until };
        for (const { state } of kept) {
          if (state) {
            limit(state, until);
          }
        }
        return;
      }
      // An end that was cut off may have left states of another tenure, which must not get the interval of this one.
      tenures.end();
      const fields = unpacked(schema, numbering, number);
      const others = occupantsOf(schema, fields);
      if (others.some(({ kind }) => kind !== "leased")) {
        fail(
          "CONFLICT",
          "lease",
          number,
          `lease: a generator of this realm has number ${number}; choose another one for it`,
        );
      }
      const named = Object.freeze(
        Object.fromEntries(numbering.fixed.map(({ name, place }) => [name, fields[place] as number])),
      );
      others.push(OCCUPANT);
      occupants = others;
      present = { number, fields, named, from, until };
    },
    end() {
      let highest = -1;
      present = undefined;
      for (const holder of kept) {
        const { state } = holder;
        if (state) {
          limit(state, 0);
          highest = Math.max(highest, state.save()[LAST] as number);
          holder.state = holder.fields = undefined;
        }
      }
      const left = occupants;
      // First: it must not be left twice, because that would remove somebody else.
      occupants = undefined;
      left?.splice(left.indexOf(OCCUPANT), 1);
      return highest < 0 ? 0 : schema.epoch + (highest + 1) * schema.tickMs;
    },
  };
  return tenures;
}
