/**
 * Generators with the same identity share one state. The identity is what IDs look like outside: where time and sequence are, the tick,
 * the epoch, and all fixed bits. The clock is no part of it. A registry on `globalThis` maps it to one entry, so that neither a
 * generator for each call nor a second copy of the package can repeat an ID. A state refers to the core that opened it, and all copies
 * of the package use that core.
 *
 * Any call may be cut off, at any point, by a stack overflow or a time limit. So each step here is stored by one assignment, after
 * all that it needs; what was cut off is done again by the next call.
 */

import { type Core, load, type Resident } from "../core/load.js";
import { type Schema, use } from "../core/schema.js";
import { refuseSaying } from "../errors.js";
import { FIELDS, SLOTS } from "../generated/constants.js";
import { type State, save } from "./state.js";
import type { WaitQueue } from "./wait-queue.js";

/** The state of one identity. Its shape is part of the contract between copies of the package. */
export interface IdentityState extends Resident {
  readonly core: Core;
  /** From the first asynchronous call on: a queue takes a kilobyte. */
  queue: WaitQueue | undefined;
  /** Moves its numbers to a slot of the core, if they are not in one. */
  admit(): void;
  /** What `rule` was last set to in the slot; NaN if nobody knows. */
  rule: number;
  waits: number;
  waitedMs: number;
  /** How often a snapshot or a time was merged into it. */
  restores: number;
}

/** What all generators of one identity share. Its shape is part of the contract between copies of the package. */
export interface Entry {
  /** Bounds of the values. Within one identity, disjoint bounds are independent entries, and overlapping ones are refused. */
  readonly first: number;
  readonly last: number;
  /** Whether the values are random. */
  readonly random: boolean;
  /** Snapshots and spent ticks from before the first operation, without repeats. The first operation merges them. */
  readonly parked: Map<string, readonly number[]>;
  /** The state, from the first operation on. */
  state: IdentityState | undefined;
}

/** What distinguishes one entry from another. */
export interface Identity {
  readonly schema: Schema;
  /** One value for each field; 0 for the time and the sequence. */
  readonly fixedFields: readonly number[];
  /** The smallest and the largest value. */
  readonly first: number;
  readonly last: number;
  /** The state of a generator that has issued nothing. */
  readonly initial: State;
}

/** The value under the symbol. `version` changes with the text of a key, and with the shape of a registry, an entry or a state. */
interface Registry {
  readonly version: number;
  /** By identity. Several entries share a partition of sno by disjoint bounds. */
  readonly entries: Map<string, Entry[]>;
  /** sno's automatic partitions, in the order of their drawing, with the entries on them. */
  readonly partitions: (readonly [partition: number, entries: readonly Entry[]])[];
}

const KEY = Symbol.for("graupel.registry");

/** The registry. Errors: `REGISTRY` if another version of the package has created it, or `globalThis` is frozen. */
export function registry(): Registry {
  const VERSION = 5;
  const globals = globalThis as unknown as Record<symbol, Registry | undefined>;
  try {
    globals[KEY] ??= { version: VERSION, entries: new Map(), partitions: [] };
  } catch {
    refuseSaying("REGISTRY", undefined, undefined, "make an ID before globalThis is frozen");
  }
  const found = globals[KEY] as Registry;
  if (found.version !== VERSION) {
    refuseSaying(
      "REGISTRY",
      "version",
      found.version,
      `two versions of graupel are loaded (${found.version}, ${VERSION}); install one`,
      VERSION,
      VERSION,
    );
  }
  return found;
}

/** The list of entries with these places and fixed bits; creates an empty one on first use. */
export function entriesOf({ schema, fixedFields }: Identity): Entry[] {
  const { entries } = registry();
  const bits = schema.fields.reduce(
    (all, field, i) => (all << BigInt(field.bits)) | BigInt(fixedFields[i] as number),
    0n,
  );
  const key = `${schema.places},${bits}`;
  const found = entries.get(key) ?? [];
  entries.set(key, found);
  return found;
}

/** An entry with overlapping or equal bounds. */
export const overlapping = (entries: readonly Entry[], first: number, last: number): Entry | undefined =>
  entries.find((entry) => entry.first <= last && first <= entry.last);

/** The entry of an identity; `isolated`: one that nobody shares. Errors: `CONFLICT` for bounds that overlap another's. */
export function claim(identity: Identity, isolated: boolean): Entry {
  const { first, last, schema } = identity;
  const random = schema.startBytes > 0;
  const all = isolated ? [] : entriesOf(identity);
  const other = overlapping(all, first, last);
  if (other === undefined) {
    const entry: Entry = { first, last, random, parked: new Map(), state: undefined };
    all.push(entry);
    return entry;
  }
  return other.first === first && other.last === last && other.random === random
    ? other
    : refuseSaying(
        "CONFLICT",
        "sequence",
        first,
        `sequence: ${first} to ${last} overlap ${other.first} to ${other.last} of a ${other.random ? "random" : "counting"} generator; take equal or disjoint ones, or other fixed fields`,
      );
}

/**
 * Records what a new generator knows of earlier ones: a snapshot's state, and the tick up to which all ticks are spent. It applies
 * at once, to all generators of the identity. Until the first operation it is only parked, so that no module is needed.
 */
export function recall(
  entry: Entry,
  identity: Identity,
  snapshot: readonly number[] | undefined,
  spent: number,
): void {
  /** The most that is parked. Beyond it, the state is opened at once. */
  const MOST_PARKED = 16;
  const known = [spent, ...(snapshot ?? [])];
  const { state, parked } = entry;
  if (state === undefined && parked.size < MOST_PARKED) {
    parked.set(String(known), known);
  } else {
    merge(state ?? stateOf(entry, identity), known);
  }
}

/** Merges what is known of earlier generators into a state. */
function merge(state: IdentityState, [spent, ...other]: readonly number[]): void {
  // Without a snapshot the area still holds the saved state, and merging that with itself changes nothing.
  save(state).set(other);
  state.core.wasm.$merge(state.slot, spent as number);
  state.restores++;
}

/** The state of an entry; opens it if necessary. */
export function stateOf(entry: Entry, identity: Identity): IdentityState {
  if (entry.state === undefined) {
    const state = newState(identity);
    for (const known of entry.parked.values()) {
      merge(state, known);
    }
    entry.state = state;
    entry.parked.clear();
  }
  return entry.state;
}

/**
 * A new state. The core has a fixed number of slots; while a state has none, its numbers are in JavaScript, where they are freed
 * with it. Which of the two places counts is one assignment, to `slot`.
 */
function newState({ schema, fixedFields, first, last, initial }: Identity): IdentityState {
  const core = load();
  const { wasm, f64, residents } = core;
  const numbers = Float64Array.from(initial);
  const state: IdentityState = {
    core,
    slot: -1,
    queue: undefined,
    rule: Number.NaN,
    waits: 0,
    waitedMs: 0,
    restores: 0,
    evict() {
      numbers.set(save(state));
      state.rule = Number.NaN;
      state.slot = -1;
    },
    admit() {
      if (state.slot >= 0) {
        return;
      }
      const slot = core.hand;
      const other = residents[slot];
      if (other?.slot === slot) {
        other.evict();
      }
      use(schema, core);
      f64.set(fixedFields, FIELDS >> 3);
      wasm.$open(slot, schema.startBytes || first, last, Number(schema.startBytes > 0));
      f64.set(numbers, FIELDS >> 3);
      wasm.$restore(slot);
      residents[slot] = state;
      core.hand = (slot + 1) % SLOTS;
      state.slot = slot;
    },
  };
  return state;
}
