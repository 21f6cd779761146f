/**
 * Same identity, same state. Identity is layout, epoch, fixed fields and clock; a registry on `globalThis` maps
 * it to one cell, so that neither a generator for each call nor a second copy of the package can repeat an ID.
 * The copy that made a cell serves all: a cell carries its core.
 */
import { refuse } from "../errors.js";
import { FIELDS } from "../generated/layouts.js";
import { type Core, views } from "./core.js";
import { type Line, lineOf } from "./line.js";
import { type Schema, use } from "./schema.js";
import { type Clock, systemClock } from "./time.js";

/** The state of one identity. Its shape is the contract between copies of the package. */
export interface Cell {
  readonly core: Core;
  readonly slot: number;
  readonly line: Line;
  /** Bounds of its counter; of one identity, disjoint cells are independent and overlapping ones refused. */
  readonly first: number;
  readonly last: number;
  /** What `rule` was last set to in the slot. */
  rule: number;
  waits: number;
  waitedMs: number;
  /** How often a snapshot was restored onto it. */
  restores: number;
}

/** Everything that tells a cell from another, but the clock. */
export interface Identity {
  readonly schema: Schema;
  /** One value a field; 0 for the time and the sequence. */
  readonly fixed: readonly number[];
  /** A counter's bounds; or where values are random, twice the bytes drawn for a start. */
  readonly first: number;
  readonly last: number;
  readonly random: boolean;
}

/** Cells by identity; more than one where they share a partition by bounds. */
type Cells = Map<string, Cell[]>;

/** What stands under the symbol. `version` is raised when the shape of this or of a cell changes. */
interface Registry {
  readonly version: number;
  readonly system: Cells;
  readonly clocks: WeakMap<Clock, Cells>;
  /** Gives a slot back when the clock function that its cell belonged to is gone. */
  gone: FinalizationRegistry<() => void> | undefined;
  /** sno's automatic partitions: the seed, and how many were handed out. */
  readonly partitions: { seed: number | undefined; taken: number };
}

const KEY = Symbol.for("graupel.registry");
const VERSION = 1;

/** The process's registry. Errors: `REGISTRY` if an unknown version of the package has made it. */
export function registry(): Registry {
  const globals = globalThis as unknown as Record<symbol, Registry | undefined>;
  globals[KEY] ??= {
    version: VERSION,
    system: new Map(),
    clocks: new WeakMap(),
    gone: undefined,
    partitions: { seed: undefined, taken: 0 },
  };
  const found = globals[KEY];
  if (found.version !== VERSION) {
    refuse(
      "REGISTRY",
      `two versions of graupel are loaded that cannot share generators (${found.version}, ${VERSION}); install one`,
      "version",
      found.version,
      VERSION,
      VERSION,
    );
  }
  return found;
}

function open({ schema, fixed, first, last, random }: Identity, forever: boolean): Cell {
  const core = use(schema);
  const { free, wasm } = core;
  const slot = free.pop() ?? core.slots++;
  core.f64.set(fixed, FIELDS >> 3);
  const status = wasm.open(slot, first, last, Number(random));
  // Memory has grown if the views are of a buffer that is no longer there.
  if (core.u8.length === 0) {
    Object.assign(core, views(wasm));
  }
  if (status !== 0) {
    free.push(slot);
    refuse("CORE", "the WebAssembly memory cannot hold another generator");
  }
  const line = lineOf(wasm.notifies);
  const cell = { core, slot, line, first, last, rule: Number.NaN, waits: 0, waitedMs: 0, restores: 0 };
  if (!forever) {
    const all = registry();
    all.gone ??= new FinalizationRegistry((free) => free());
    all.gone.register(cell, () => free.push(slot));
  }
  return cell;
}

/** The cell of an identity; `alone` (an injected `random`) is never shared. */
export function cellOf(identity: Identity, clock: Clock, alone: boolean): { cell: Cell; fresh: boolean } {
  if (alone) {
    return { cell: open(identity, false), fresh: true };
  }
  const { system, clocks } = registry();
  const forever = clock === systemClock;
  const cells: Cells = (forever ? system : clocks.get(clock)) ?? new Map();
  if (!forever) {
    clocks.set(clock, cells);
  }
  const { schema, fixed, first, last, random } = identity;
  // Not of `layout`, which is the user's to see, and to write into.
  const { fields, sequence, epoch, tickMs, unsigned, nearest } = schema;
  const widths = fields.map((field) => field.bits);
  const key = JSON.stringify([widths, sequence, epoch, tickMs, unsigned, nearest, fixed, random]);
  const family = cells.get(key) ?? [];
  const other = family.find((cell) => cell.first <= last && first <= cell.last);
  if (other?.first === first && other.last === last) {
    return { cell: other, fresh: false };
  }
  if (other !== undefined) {
    refuse(
      "CONFLICT",
      `the bounds ${first} to ${last} overlap ${other.first} to ${other.last} of another generator; take equal or disjoint ones`,
      "sequenceMin",
      first,
    );
  }
  const cell = open(identity, forever);
  cells.set(key, [...family, cell]);
  return { cell, fresh: true };
}
