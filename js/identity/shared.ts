/**
 * What the copies of the package in one realm share, so that neither a generator for each call nor a second copy can repeat an ID: a
 * registry on `globalThis`, from identities to their states. An identity is what IDs look like outside: where time and sequence
 * are, the tick, the epoch, and all fixed bits. The clock is no part of it.
 *
 * A copy uses of another one only what the interfaces here say, whether its core is WebAssembly or JavaScript, and what they name: where
 * an answer is (`Area`, and its places in src/abi.rs), the order of saved numbers, the statuses, `Shape`. With any of these, `VERSION`
 * changes.
 */
import type { Given } from "../checks.js";
import type { Area } from "../core/load.js";
import type { Schema, Shape } from "../core/schema.js";
import { fail } from "../errors.js";
import type { Overflow } from "../types.js";

/** A state as the core saves it, or the part of it before the statistics. */
export type Numbers = ArrayLike<number>;

/** The callback `onOverflow`. */
export type Listener = (event: Overflow) => void;

/** What the generators of an identity may choose differently: each question says it. */
export interface Rule {
  /** The sequence rule: where a counter starts in a new tick (`Restart` in src/engine), or how many bytes a random step has. */
  readonly sequence: number;
  /** Generators of one identity may differ in the width of the time, sign and rounding. */
  readonly schema: { readonly shape: Shape };
}

/** One call that waits in a queue. */
export interface Waiter {
  /**
   * Tries at a new reading; rejects the call instead if its signal is aborted. `waited`: milliseconds since it came, or since the last call was
   * served if that is later. Returns 0 once the call is served, -1 once it is rejected, else the milliseconds until the next try.
   */
  poll(waited: number): number;
  readonly signal: AbortSignal | undefined;
  readonly listener: Listener | undefined;
  /** When it came, on the queue's clock. */
  entered: number;
}

/** The queue of the asynchronous calls of an identity. */
export interface WaitQueue {
  /** How many calls wait. */
  length(): number;
  /** Tries a call if nobody waits; queues it if it has to wait. `time`: the clock for notifications. */
  add(waiter: Waiter, time: () => number): void;
}

/** The state of one identity, or of disjoint bounds on it; the generators that have it issue nothing but by asking it. */
export interface State extends Occupant {
  /** The core that answers; undefined before the first question. */
  readonly core: Area | undefined;
  /** Where that core has the state, from the first question on. */
  readonly slot: number;
  /** The calls that wait; undefined before the first of them, because a queue takes a kilobyte. */
  queue: WaitQueue | undefined;
  waits: number;
  waitedMs: number;
  /** How often something was merged into it. */
  readonly restores: number;
  /** Returns the core, after it has set this rule for the state in `slot`. */
  obey(rule: Rule): Area;
  /** The numbers of the state, in the area until the core is asked for those of another, or merges; `next` and `fill` leave them there. */
  save(): Float64Array;
  /** The inverse of `save`. */
  restore(numbers: Numbers): void;
  /** Merges what is known of earlier generators: the last tick that is spent, and the numbers of a snapshot, if there is one. */
  merge(known: readonly number[]): void;
}

/**
 * The bounds of the values of a state: the smallest and the largest; and its numbers while it has issued nothing. Within one identity,
 * disjoint bounds are independent states, and overlapping ones are refused.
 */
export interface Bounds {
  readonly first: number;
  readonly last: number;
  readonly initial: Numbers;
}

/**
 * Who a generator is. An identity is held, not computed: there is a state of it, or a reason why there is none now, and perhaps a promise
 * of when. Fixed numbers are held for ever; sno's drawn partition until its process is cloned; what is granted, until it is taken back.
 */
export interface Holder extends Bounds {
  /** The state, for the present call; undefined if `open` has to be asked. */
  state: State | undefined;
  /** The fixed fields of the present state: one value for each field of the schema, 0 for those that are not fixed. */
  fields: readonly number[] | undefined;
  /** The state. Throws the reason why there is none. */
  open(): State;
  /** The methods of a generator that it holds: a lease replaces some of them. */
  readonly methodsOf: <Methods extends object>(methods: Methods) => Methods;
}

/** What a format is to a lease. `fixed`: one value for each field of the schema. In order, without names, because every format has it. */
export type Leasable = readonly [
  schema: Schema,
  /** Makes a state that nobody else has. */
  newState: (schema: Schema, fixed: readonly number[], bounds: Bounds) => State,
  /** Who has an identity, as the registry lists it. */
  statesOf: (schema: Schema, fixed: readonly number[]) => Occupant[],
];

/**
 * What a lease is to a generator that has it as its option `lease`. Completes the options, which are a copy, by what the lease decides. Gives
 * what makes the holder once they are checked. Errors: `CONFLICT` for options that contradict the lease; for another layout; for bounds that
 * overlap those of another generator.
 */
export type Leased = (options: Given, schema: Schema) => (bounds: Bounds) => Holder;

/** The present form of what is shared, and of the text of a key. */
const VERSION = 11;

/** Where a format is {@link Leasable}, and a lease {@link Leased}, in every copy of the package that has this `VERSION`. */
export const LEASE: unique symbol = /* @__PURE__ */ Symbol.for(`graupel.lease.${VERSION}`);

/** Who has an identity: a state has the values between its bounds, a lease has all. */
export interface Occupant {
  readonly first: number;
  readonly last: number;
  readonly kind: Schema["kind"] | "leased";
  /** Why others are refused, if it is not for their bounds: the words of a lease. */
  readonly words?: string;
}

/** The value under the symbol. */
interface Registry {
  readonly version: number;
  /** By identity. Several states share a partition of sno by disjoint bounds. */
  readonly states: Map<string, Occupant[]>;
  /** sno's automatic partitions, in the order of their drawing. */
  readonly drawn: number[];
}

const KEY = Symbol.for("graupel.registry");

/** The registry. Errors: `REGISTRY` if another version of the package has created it, or `globalThis` is frozen. */
export function registry(): Registry {
  const globals = globalThis as unknown as Record<symbol, Registry | undefined>;
  try {
    globals[KEY] ??= { version: VERSION, states: new Map(), drawn: [] };
  } catch {
    fail("REGISTRY", undefined, undefined, "make an ID before globalThis is frozen");
  }
  const found = globals[KEY] as Registry;
  if (found.version !== VERSION) {
    const words = `two versions of graupel are loaded (${found.version}, ${VERSION}); install one`;
    fail("REGISTRY", "version", found.version, words);
  }
  return found;
}

/** Who has an identity, by places and fixed bits; creates an empty list on first use. `fixed`: one value for each field. */
export function statesOf({ fields, places }: Schema, fixed: readonly number[]): Occupant[] {
  const { states } = registry();
  const bits = fields.reduce((all, field, i) => (all << BigInt(field.bits)) | BigInt(fixed[i] as number), 0n);
  const key = `${places},${bits}`;
  const found = states.get(key) ?? [];
  states.set(key, found);
  return found;
}

/** The values of fixed fields by name; `values` has one for each field. */
export const byName = (
  fields: Schema["fields"],
  values: readonly number[],
): Readonly<Record<string, number>> =>
  Object.fromEntries(
    fields.flatMap(({ name, role }, i) => (role === "fixed" ? [[name, values[i] as number]] : [])),
  );

/** Who has overlapping or equal bounds. */
export const overlapping = <O extends Occupant>(states: readonly O[], first: number, last: number) =>
  states.find((state) => state.first <= last && first <= state.last);

/** Who has these bounds, if anybody has. Errors: `CONFLICT` for those that overlap another's, or belong to another kind of generator. */
export function sameIn<O extends Occupant>(states: readonly O[], { kind, first, last }: Occupant) {
  const other = overlapping(states, first, last);
  if (other === undefined || (other.first === first && other.last === last && other.kind === kind)) {
    return other;
  }
  const theirs = `${other.first} to ${other.last} of a ${other.kind} generator`;
  const words = `sequence: ${first} to ${last} overlap ${theirs}; take equal or disjoint ones`;
  return fail("CONFLICT", other.words ? "lease" : "sequence", first, other.words ?? words);
}
