/**
 * Same identity, same state. Identity is layout, epoch and fixed fields, whatever the clock; a registry on `globalThis`
 * maps it to one entry, so that neither a generator for each call nor a second copy of the package can repeat an ID.
 * The copy that opened a state serves all copies: a state carries its core.
 */

import { type Core, views } from "../core/load.js";
import { type Schema, use } from "../core/schema.js";
import { refuse } from "../errors.js";
import { FIELDS } from "../generated/constants.js";
import { restore, type State, save } from "./state.js";
import { queueOf, type WaitQueue } from "./wait-queue.js";

/** The state of one identity in the module. Its shape is part of the contract between copies of the package. */
export interface IdentityState {
  readonly core: Core;
  readonly slot: number;
  readonly queue: WaitQueue;
  /** What `rule` was last set to in the slot. */
  rule: number;
  waits: number;
  waitedMs: number;
  /** How often a snapshot or a time was merged into it. */
  restores: number;
}

/** What all generators of one identity share. Its shape is part of the contract between copies of the package. */
export interface Entry {
  /** Bounds of the values; of one identity, entries with disjoint bounds are independent and overlapping ones refused. */
  readonly first: number;
  readonly last: number;
  /** What generators made before the first operation know of earlier ones, without repeats; the first operation merges it. */
  readonly parked: Map<string, readonly number[]>;
  /** The state, from the first operation on. */
  state: IdentityState | undefined;
}

/** Everything that tells an entry from another. */
export interface Identity {
  readonly schema: Schema;
  /** One value a field; 0 for the time and the sequence. */
  readonly fixedFields: readonly number[];
  /** The smallest and the largest value. */
  readonly first: number;
  readonly last: number;
  /** The state of a generator that has issued nothing, where the format has one of its own. */
  readonly initial: State | undefined;
}

/** What stands under the symbol. `version` is raised when the shape of this, of an entry or of a state changes. */
interface Registry {
  readonly version: number;
  /** By identity; more than one where they share a partition by bounds. */
  readonly entries: Map<string, Entry[]>;
  /** sno's automatic partitions, in the order of their drawing, with the entries on them. */
  readonly partitions: (readonly [partition: number, entries: readonly Entry[]])[];
}

const KEY = Symbol.for("graupel.registry");
const VERSION = 3;

/** The realm's registry. Errors: `REGISTRY` if an unknown version of the package has made it, or it cannot be made. */
export function registry(): Registry {
  const globals = globalThis as unknown as Record<symbol, Registry | undefined>;
  try {
    globals[KEY] ??= { version: VERSION, entries: new Map(), partitions: [] };
  } catch {
    refuse("REGISTRY", undefined, undefined, "make an ID before globalThis is frozen");
  }
  const found = globals[KEY] as Registry;
  if (found.version !== VERSION) {
    refuse(
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

/** The entries with this layout, epoch and fixed fields; their list is made if nobody has used them yet. */
export function family({ schema, fixedFields }: Identity): Entry[] {
  const { entries } = registry();
  // Not of `layout`, which is the user's to see, and to write into.
  const { fields, sequence, epoch, tickMs, unsigned, roundsToNearest, startBytes } = schema;
  const key = String([
    fields.map(({ bits }) => bits),
    sequence,
    epoch,
    tickMs,
    unsigned,
    roundsToNearest,
    fixedFields,
    startBytes,
  ]);
  const found = entries.get(key) ?? [];
  entries.set(key, found);
  return found;
}

/** An entry whose bounds overlap these, or are these. */
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
    : refuse(
        "CONFLICT",
        "sequenceMin",
        first,
        `sequenceMin ${first} to sequenceMax ${last} overlap ${other.first} to ${other.last} of another generator; take equal or disjoint ones`,
      );
}

/** How much is parked; what exceeds it opens the state. */
const MOST_PARKED = 16;

/**
 * Records what a new generator knows of earlier ones: a snapshot's state, and a tick up to which all are spent. It counts from
 * now on, for all generators of the identity, and needs no module before the first operation.
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
  // Without a snapshot, the state itself stands in the area, and merging it with itself changes nothing.
  save(state).set(other);
  state.core.wasm.$merge(state.slot, spent as number);
  state.restores++;
}

/** Frees the slot of an isolated generator when its state is collected. */
let gone: FinalizationRegistry<() => void> | undefined;

/** The state of an entry, which the first operation opens. */
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
  const { $open } = wasm;
  const slot = free.pop() ?? core.slots++;
  core.f64.set(fixedFields, FIELDS >> 3);
  const status = $open(slot, startBytes || entry.first, entry.last, Number(startBytes > 0));
  // Memory has grown if the views are of a buffer that is no longer there.
  if (core.u8.length === 0) {
    Object.assign(core, views(wasm));
  }
  if (status !== 0) {
    free.push(slot);
    refuse("CORE", undefined, undefined, "no memory for a generator");
  }
  const state: IdentityState = {
    core,
    slot,
    queue: queueOf(),
    rule: Number.NaN,
    waits: 0,
    waitedMs: 0,
    restores: 0,
  };
  if (initial !== undefined) {
    // What is left out of a state stays as it was saved last.
    save(state);
    restore(state, initial);
  }
  for (const known of entry.parked.values()) {
    merge(state, known);
  }
  entry.parked.clear();
  entry.state = state;
  if (isolated) {
    gone ??= new FinalizationRegistry((free) => free());
    gone.register(state, () => free.push(slot));
  }
  return state;
}
