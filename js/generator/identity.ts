/**
 * Same identity, same state. Identity is layout, epoch and fixed fields, whatever the clock; a registry on `globalThis`
 * maps it to one entry, so that neither a generator for each call nor a second copy of the package can repeat an ID.
 * The copy that opened a cell serves all: a cell carries its core.
 */

import { type Core, views } from "../core/load.js";
import { type Schema, use } from "../core/schema.js";
import { refuse } from "../errors.js";
import { FIELDS } from "../generated/layouts.js";
import { put, type State, save } from "./snapshot.js";
import { type Line, lineOf } from "./wait-queue.js";

/** The state of one identity in the module. Its shape is part of the contract between copies of the package. */
export interface Cell {
  readonly core: Core;
  readonly slot: number;
  readonly line: Line;
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
  /** What the generators that were made before the first operation know of earlier ones, which that merges; without repeats. */
  readonly parked: Map<string, readonly number[]>;
  /** The state, from the first operation on. */
  cell: Cell | undefined;
}

/** Everything that tells an entry from another. */
export interface Identity {
  readonly schema: Schema;
  /** One value a field; 0 for the time and the sequence. */
  readonly fixed: readonly number[];
  /** The smallest and the largest value. */
  readonly first: number;
  readonly last: number;
  /** Where values are random, the bytes drawn for a start; else 0. */
  readonly startBytes: number;
  /** The state of a generator that has issued nothing. */
  readonly initial: State;
}

/** What stands under the symbol. `version` is raised when the shape of this, of an entry or of a cell changes. */
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
    refuse("REGISTRY", "make an ID before globalThis is frozen");
  }
  const found = globals[KEY] as Registry;
  if (found.version !== VERSION) {
    refuse(
      "REGISTRY",
      `two versions of graupel are loaded (${found.version}, ${VERSION}); install one`,
      "version",
      found.version,
      VERSION,
      VERSION,
    );
  }
  return found;
}

/** The entries with this layout, epoch and fixed fields; their list is made if nobody has used them yet. */
export function family({ schema, fixed, startBytes }: Identity): Entry[] {
  const { entries } = registry();
  // Not of `layout`, which is the user's to see, and to write into.
  const { fields, sequence, epoch, tickMs, unsigned, nearest } = schema;
  const key = String([
    fields.map(({ bits }) => bits),
    sequence,
    epoch,
    tickMs,
    unsigned,
    nearest,
    fixed,
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
    const entry: Entry = { first, last, parked: new Map(), cell: undefined };
    all.push(entry);
    return entry;
  }
  return other.first === first && other.last === last
    ? other
    : refuse(
        "CONFLICT",
        `sequenceMin ${first} to sequenceMax ${last} overlap ${other.first} to ${other.last} of another generator; take equal or disjoint ones`,
        "sequenceMin",
        first,
      );
}

/** The most that is parked: what comes after it opens the cell. */
const MOST_PARKED = 16;

/**
 * Takes note of what a generator that is made knows of earlier ones: a snapshot's state, and a tick up to which all are
 * spent. That counts from now on, also for the other generators of the identity, and needs no module before there is a cell.
 */
export function recall(
  entry: Entry,
  identity: Identity,
  isolated: boolean,
  snapshot: State | undefined,
  spent: number,
): void {
  const known = [spent, ...Array.from(snapshot ?? [])];
  const { cell, parked } = entry;
  if (cell === undefined && parked.size < MOST_PARKED) {
    parked.set(String(known), known);
  } else {
    merge(cell ?? cellOf(entry, identity, isolated), known);
  }
}

/** Merges what is known of earlier generators into a cell. */
function merge(cell: Cell, [spent, ...state]: readonly number[]): void {
  // Without a snapshot, the cell's own state stands in the area: merged with itself it stays what it is.
  save(cell).set(state);
  cell.core.wasm.$merge(cell.slot, spent as number);
  cell.restores++;
}

/** Gives the slot of an isolated generator back when its cell is gone. */
let gone: FinalizationRegistry<() => void> | undefined;

/** The cell of an entry, which the first operation opens. */
export function cellOf(
  entry: Entry,
  { schema, fixed, startBytes, initial }: Identity,
  isolated: boolean,
): Cell {
  if (entry.cell !== undefined) {
    return entry.cell;
  }
  const core = use(schema);
  const { free, wasm } = core;
  const { $open } = wasm;
  const slot = free.pop() ?? core.slots++;
  core.f64.set(fixed, FIELDS >> 3);
  const status = $open(slot, startBytes || entry.first, entry.last, Number(startBytes > 0));
  // Memory has grown if the views are of a buffer that is no longer there.
  if (core.u8.length === 0) {
    Object.assign(core, views(wasm));
  }
  if (status !== 0) {
    free.push(slot);
    refuse("CORE", "no memory for a generator");
  }
  const cell = {
    core,
    slot,
    line: lineOf(wasm.$notifies),
    rule: Number.NaN,
    waits: 0,
    waitedMs: 0,
    restores: 0,
  };
  // What is left out of a state stays as it was saved last.
  save(cell);
  put(cell, initial);
  for (const known of entry.parked.values()) {
    merge(cell, known);
  }
  entry.parked.clear();
  entry.cell = cell;
  if (isolated) {
    gone ??= new FinalizationRegistry((free) => free());
    gone.register(cell, () => free.push(slot));
  }
  return cell;
}
