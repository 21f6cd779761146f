/**
 * Generators with the same identity share one state. The identity is layout, epoch and fixed fields; the clock is no part of
 * it. A registry on `globalThis` maps it to one entry, so that neither a generator for each call nor a second copy of the package
 * can repeat an ID. A state refers to the core that opened it, and all copies of the package use that core.
 */

import { type Core, views } from "../core/load.js";
import { type Schema, use } from "../core/schema.js";
import { refuseSaying } from "../errors.js";
import { FIELDS } from "../generated/constants.js";
import { restore, type State, save } from "./state.js";
import { queueOf, type WaitQueue } from "./wait-queue.js";

/** The state of one identity in the module. Its shape is part of the contract between copies of the package. */
export interface IdentityState {
  readonly core: Core;
  readonly slot: number;
  readonly queue: WaitQueue;
  /** What `rule` was last set to in the slot; -1 before that. */
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
const VERSION = 4;

/** The realm's registry. Errors: `REGISTRY` if another version of the package has created it, or `globalThis` is frozen. */
export function registry(): Registry {
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

/** The list of entries with this layout, epoch and fixed fields; creates an empty one on first use. */
export function family({ schema, fixedFields }: Identity): Entry[] {
  const { entries } = registry();
  const key = schema.family + fixedFields;
  const found = entries.get(key) ?? [];
  entries.set(key, found);
  return found;
}

/** An entry with overlapping or equal bounds. */
export const overlapping = (entries: readonly Entry[], first: number, last: number): Entry | undefined =>
  entries.find((entry) => entry.first <= last && first <= entry.last);

/** The entry of an identity; `isolated`: one that nobody shares. Errors: `CONFLICT` for bounds that overlap another's. */
export function claim(identity: Identity, isolated: boolean): Entry {
  const { first, last } = identity;
  const all = isolated ? [] : family(identity);
  const other = overlapping(all, first, last);
  if (other === undefined) {
    const entry: Entry = { first, last, parked: new Map(), state: undefined };
    all.push(entry);
    return entry;
  }
  return other.first === first && other.last === last
    ? other
    : refuseSaying(
        "CONFLICT",
        "sequenceMin",
        first,
        `sequenceMin ${first} to sequenceMax ${last} overlap ${other.first} to ${other.last} of another generator; take equal or disjoint ones`,
      );
}

/** The most that is parked. Beyond it, the state is opened at once. */
const MOST_PARKED = 16;

/**
 * Records what a new generator knows of earlier ones: a snapshot's state, and the tick up to which all ticks are spent. It applies
 * at once, to all generators of the identity. Until the first operation it is only parked, so that no module is needed.
 */
export function recall(
  entry: Entry,
  identity: Identity,
  isolated: boolean,
  snapshot: State | undefined,
  spent: number,
): void {
  const known = [spent, ...Array.from(snapshot ?? [])];
  const { state, parked } = entry;
  if (state === undefined && parked.size < MOST_PARKED) {
    parked.set(String(known), known);
  } else {
    merge(state ?? stateOf(entry, identity, isolated), known);
  }
}

/** Merges what is known of earlier generators into a state. */
function merge(state: IdentityState, [spent, ...other]: readonly number[]): void {
  // Without a snapshot the area still holds the saved state, and merging that with itself changes nothing.
  save(state).set(other);
  state.core.wasm.$merge(state.slot, spent as number);
  state.restores++;
}

/** Frees the slot of an isolated generator when its state is collected. */
let gone: FinalizationRegistry<() => void> | undefined;

/** The state of an entry; opens it if necessary. */
export function stateOf(
  entry: Entry,
  { schema, fixedFields, initial }: Identity,
  isolated: boolean,
): IdentityState {
  if (entry.state !== undefined) {
    return entry.state;
  }
  const { startBytes } = schema;
  const core = use(schema);
  const { free, wasm } = core;
  const slot = free.pop() ?? core.slots++;
  core.f64.set(fixedFields, FIELDS >> 3);
  const status = wasm.$open(slot, startBytes || entry.first, entry.last, Number(startBytes > 0));
  // The memory has grown.
  if (core.u8.buffer !== wasm.$memory.buffer) {
    Object.assign(core, views(wasm));
  }
  if (status !== 0) {
    free.push(slot);
    refuseSaying("CORE", undefined, undefined, "no memory for a generator");
  }
  const state: IdentityState = {
    core,
    slot,
    queue: queueOf(),
    rule: -1,
    waits: 0,
    waitedMs: 0,
    restores: 0,
  };
  restore(state, initial);
  for (const known of entry.parked.values()) {
    merge(state, known);
  }
  entry.parked.clear();
  entry.state = state;
  // Where nothing tells of collected objects, the slots of isolated generators stay in use.
  if (isolated && typeof FinalizationRegistry !== "undefined") {
    gone ??= new FinalizationRegistry((free) => free());
    gone.register(state, () => free.push(slot));
  }
  return state;
}
