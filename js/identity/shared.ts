/**
 * The contract between the copies of the package in one realm. A registry on `globalThis` maps
 * identities to their states, so that neither a new generator for each call nor a second copy
 * repeats an ID. An identity is the visible shape of IDs: the positions of time and sequence, the
 * tick, the epoch, and all fixed bits. The clock is not part of it.
 *
 * A copy uses another one only through the interfaces here, with any core, and through their types:
 * `Area` and its offsets in src/abi.rs, the order of saved numbers, the statuses, `Shape`. If any
 * of these changes, raise `VERSION`.
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

/** The settings in which generators of one identity may differ. Each question passes them. */
export interface Rule {
  /**
   * The sequence rule: where a counter starts in a new tick (`Restart` in src/engine), or how many
   * bytes a random step has.
   */
  readonly sequence: number;
  /** Generators of one identity may differ in the width of the time, sign and rounding. */
  readonly schema: { readonly shape: Shape };
}

/** A call that waits in a queue. */
export interface Waiter {
  /**
   * Makes an attempt at a new reading or rejects the call if its signal is aborted. `waited`:
   * milliseconds since the call came, or since the last call was served if that is later. Returns 0
   * if the call is served, -1 if it is rejected, else the milliseconds until the next attempt.
   */
  poll(waited: number): number;
  readonly signal: AbortSignal | undefined;
  readonly listener: Listener | undefined;
  /** When the call came, on the queue's clock. */
  entered: number;
}

/** The queue of the asynchronous calls of an identity. */
export interface WaitQueue {
  /** The number of waiting calls. */
  length(): number;
  /**
   * Tries a call if the queue is empty, and queues it if it has to wait. `time`: the clock for
   * notifications.
   */
  add(waiter: Waiter, time: () => number): void;
}

/**
 * The state of an identity, or of disjoint bounds within it. Its generators issue IDs only by
 * asking it.
 */
export interface State extends Occupant {
  /** The core that has the state; undefined before the first question. */
  readonly core: Area | undefined;
  /** The slot of the state in that core, from the first question on. */
  readonly slot: number;
  /** The waiting calls; undefined before the first of them, because a queue takes a kilobyte. */
  queue: WaitQueue | undefined;
  waits: number;
  waitedMs: number;
  /** The number of merges into the state. */
  readonly restores: number;
  /** Sets the rule for the state in `slot` and returns the core. */
  obey(rule: Rule): Area;
  /**
   * Returns the numbers of the state. They stay in the area until the core saves another state or
   * merges; `next` and `fill` keep them.
   */
  save(): Float64Array;
  /** The inverse of `save`. */
  restore(numbers: Numbers): void;
  /**
   * Merges the numbers of earlier generators: the last spent tick, and the numbers of a snapshot,
   * if there is one.
   */
  merge(known: readonly number[]): void;
}

/**
 * The smallest and the largest value of a state, and its numbers before the first ID. Within one
 * identity, disjoint bounds have independent states, and overlapping bounds throw.
 */
export interface Bounds {
  readonly first: number;
  readonly last: number;
  readonly initial: Numbers;
}

/**
 * The holder of a generator's identity. It has a state, or a reason why there is none now. Given
 * and drawn numbers are held for ever, and leased numbers until the lease loses them.
 */
export interface Holder extends Bounds {
  /** The state for the present call; undefined if `open` must be called. */
  state: State | undefined;
  /**
   * The fixed fields of the present state: one value for each field of the schema, 0 for those that
   * are not fixed.
   */
  fields: readonly number[] | undefined;
  /** Returns the state or throws the reason why there is none. */
  open(): State;
  /** Returns the methods for a generator. A lease replaces some of them. */
  readonly methodsOf: <Methods extends object>(methods: Methods) => Methods;
}

/**
 * The part of a format that a lease uses. `fixed`: one value for each field of the schema. A tuple,
 * because every format contains it and names take bytes.
 */
export type Leasable = readonly [
  schema: Schema,
  /** Makes a new state. */
  newState: (schema: Schema, fixed: readonly number[], bounds: Bounds) => State,
  /** Returns the occupants of an identity in the registry. */
  statesOf: (schema: Schema, fixed: readonly number[]) => Occupant[],
];

/**
 * The function by which a generator joins the lease of its option `lease`. It fills in a copy of
 * the options and returns a function that makes the holder once they are checked. Errors:
 * `CONFLICT` for options that contradict the lease, for another layout, and for bounds that overlap
 * those of another generator.
 */
export type Leased = (options: Given, schema: Schema) => (bounds: Bounds) => Holder;

/** The version of this contract, including the form of the registry's keys. */
const VERSION = 11;

/**
 * The property of a format that is {@link Leasable}, and of a lease that is {@link Leased}, in all
 * copies of the package with this `VERSION`.
 */
export const LEASE: unique symbol = /* @__PURE__ */ Symbol.for(`graupel.lease.${VERSION}`);

/**
 * An occupant of an identity: a state, which has the values within its bounds, or a lease, which
 * has all values.
 */
export interface Occupant {
  readonly first: number;
  readonly last: number;
  readonly kind: Schema["kind"] | "leased";
  /**
   * The message for generators that conflict with a lease. Without it, they conflict because of
   * their bounds.
   */
  readonly words?: string;
}

/** The value under the symbol. */
interface Registry {
  readonly version: number;
  /** The occupants by identity. With disjoint bounds, several states share a partition of sno. */
  readonly states: Map<string, Occupant[]>;
  /** sno's automatic partitions, in the order in which they were taken. */
  readonly drawn: number[];
}

const KEY = Symbol.for("graupel.registry");

/**
 * Returns the registry. Errors: `REGISTRY` if another version of the package has created it, or
 * `globalThis` is frozen.
 */
export function registry(): Registry {
  const globals = globalThis as unknown as Record<symbol, Registry | undefined>;
  try {
    globals[KEY] ??= { version: VERSION, states: new Map(), drawn: [] };
  } catch {
    fail("REGISTRY", undefined, undefined, "globalThis is frozen; generate an ID before you freeze it");
  }
  const found = globals[KEY] as Registry;
  if (found.version !== VERSION) {
    fail("REGISTRY", "version", found.version, "two versions of graupel are loaded; install one");
  }
  return found;
}

/**
 * Returns the occupants of an identity, by places and fixed bits. Creates an empty list on first
 * use. `fixed`: one value for each field.
 */
export function statesOf({ fields, places }: Schema, fixed: readonly number[]): Occupant[] {
  const { states } = registry();
  const bits = fields.reduce((all, field, i) => (all << BigInt(field.bits)) | BigInt(fixed[i] as number), 0n);
  const key = `${places},${bits}`;
  const found = states.get(key) ?? [];
  states.set(key, found);
  return found;
}

/** The values of fixed fields by name. `values` has one for each field. */
export const byName = ({ fields }: Pick<Schema, "fields">, values: readonly number[]) =>
  Object.fromEntries(
    fields.flatMap(({ name, role }, i) => (role === "fixed" ? [[name, values[i] as number]] : [])),
  );

/** Returns an occupant with overlapping or equal bounds. */
export const overlapping = <O extends Occupant>(states: readonly O[], first: number, last: number) =>
  states.find((state) => state.first <= last && first <= state.last);

/**
 * Returns the occupant with these bounds, if there is one. Errors: `CONFLICT` if they overlap those
 * of another, or belong to another kind of generator.
 */
export function sameIn<O extends Occupant>(states: readonly O[], { kind, first, last }: Occupant) {
  const other = overlapping(states, first, last);
  if (other === undefined || (other.first === first && other.last === last && other.kind === kind)) {
    return other;
  }
  const theirs = `${other.first} to ${other.last} of a ${other.kind} generator`;
  const words = `sequence: ${first} to ${last} overlap ${theirs}; use equal or disjoint bounds`;
  return fail("CONFLICT", other.words ? "lease" : "sequence", first, other.words ?? words);
}
