/**
 * What a lease is to its generators: the number that is granted now, and a state of it for each of their bounds. State and interval belong
 * to the lease, so two leases of one realm that both got number 3 of different namespaces share nothing.
 */
import { refuseSaying } from "../errors.js";
import { FROM, LAST, UNTIL } from "../generated/constants.js";
import {
  type Admit,
  type Granted,
  type Holder,
  type Occupant,
  registry,
  type State,
} from "../identity/shared.js";
import { type Leasable, type Numbering, unpacked } from "./number.js";

/** The holder of all generators of one lease with the same bounds. */
interface Kept {
  readonly kind: string;
  readonly holder: { -readonly [Name in keyof Holder]: Holder[Name] };
}

/** A number, the value of each field, and the ticks in which it may be used. */
interface Tenure {
  readonly number: number;
  readonly fields: readonly number[];
  readonly from: number;
  readonly until: number;
}

/** A lease takes all values of a number, so that a generator with that number given meets it. */
const OCCUPANT: Occupant = { first: 0, last: Number.POSITIVE_INFINITY, kind: "leased" };

/** The first tick that starts at a time or after it. */
const tickFrom = ({ epoch, tickMs }: Leasable, time: number) =>
  Math.max(0, Math.ceil((time - epoch) / tickMs));
/** The number of ticks that end by a time. */
const ticksUntil = ({ epoch, tickMs }: Leasable, time: number) =>
  Math.max(0, Math.floor((time - epoch) / tickMs));

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
  /** The number that is held, and the value of each field; undefined if there is none. */
  readonly number: number | undefined;
  readonly fields: readonly number[] | undefined;
  /** Gives holders. Errors: `CONFLICT` for a generator of another layout, or with bounds that overlap others. */
  readonly admit: (own: Numbering) => Admit;
  /** Begins a tenure, or extends the present one. Errors: `CONFLICT` if a generator of the realm has that number given. */
  hold(number: number, from: number, until: number): void;
  /** Ends the tenure. Returns the first Unix millisecond that it has not used; 0 if it has used none. */
  end(): number;
}

/** What is known of the format of a lease. */
export interface Format {
  readonly schema: Parameters<Admit>[0];
  readonly occupants: Parameters<Admit>[2];
  readonly numbering: Numbering;
}

/** No tenure yet. `why`: throws the reason why there is none now. `granted`: see {@link Holder}. */
export function tenuresOf(
  { schema, occupants: occupantsOf, numbering }: Format,
  why: () => never,
  granted: Granted,
): Tenures {
  const kept: Kept[] = [];
  let occupants: Occupant[] | undefined;
  /** The present tenure, with its ticks. In one piece, so that no cut of a call leaves half of it. */
  let present: Tenure | undefined;

  /** Leaves the registry. */
  function leave(): void {
    const left = occupants;
    // First: it must not be left twice, because that would remove somebody else.
    occupants = undefined;
    left?.splice(left.indexOf(OCCUPANT), 1);
    const { states } = registry();
    for (const [key, list] of states) {
      if (list === left && list.length === 0) {
        states.delete(key);
      }
    }
  }

  const tenures: Tenures = {
    get number() {
      return present?.number;
    },
    get fields() {
      return present?.fields;
    },
    admit: (own) => (itsSchema, values, _, make) => {
      const { first, last } = values;
      const { kind, name } = itsSchema;
      if (own.layout !== numbering.layout) {
        refuseSaying(
          "CONFLICT",
          "lease",
          name,
          `lease: it is of ${schema.name}, with another layout or epoch than this ${name}`,
        );
      }
      const other = kept.find(({ holder }) => holder.first <= last && first <= holder.last);
      if (other !== undefined) {
        const { holder } = other;
        return holder.first === first && holder.last === last && other.kind === kind
          ? holder
          : refuseSaying(
              "CONFLICT",
              "sequence",
              first,
              `sequence: ${first} to ${last} overlap ${holder.first} to ${holder.last} of another generator of the lease; take equal or disjoint ones`,
            );
      }
      const holder: Kept["holder"] = {
        first,
        last,
        state: undefined,
        fields: undefined,
        granted,
        open() {
          if (present === undefined) {
            return why();
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
      kept.push({ kind, holder });
      return holder;
    },
    hold(number, fromMs, untilMs) {
      const from = tickFrom(schema, fromMs);
      const until = ticksUntil(schema, untilMs);
      if (present?.number === number && present.from === from) {
        present = { ...present, until };
        for (const { holder } of kept) {
          if (holder.state) {
            limit(holder.state, until);
          }
        }
        return;
      }
      // An end that was cut off may have left states of another tenure, which must not get the interval of this one.
      tenures.end();
      const fields = unpacked(schema, numbering, number);
      const others = occupantsOf(schema, fields);
      if (others.some(({ kind }) => kind !== "leased")) {
        refuseSaying(
          "CONFLICT",
          "lease",
          number,
          `lease: a generator of this realm has number ${number} given; leave its fixed fields to the lease, or give it a namespace and a number of its own`,
        );
      }
      others.push(OCCUPANT);
      occupants = others;
      present = { number, fields, from, until };
    },
    end() {
      let highest = -1;
      present = undefined;
      for (const { holder } of kept) {
        const { state } = holder;
        if (state) {
          limit(state, 0);
          highest = Math.max(highest, state.save()[LAST] as number);
          holder.state = holder.fields = undefined;
        }
      }
      leave();
      return highest < 0 ? 0 : schema.epoch + (highest + 1) * schema.tickMs;
    },
  };
  return tenures;
}
