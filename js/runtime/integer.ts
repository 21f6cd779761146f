/** Formats whose IDs are integers: generators with fixed fields by name, and snapshots. Three files build on it. */
import { refuse } from "../errors.js";
import type { AtSnapshot, Generator, IntegerSnapshot, Snapshot } from "../types.js";
import type { Cell } from "./cells.js";
import { record, show, whole, wrongType } from "./check.js";
import type { Natural } from "./codec.js";
import type { Inner } from "./format.js";
import { contradicts, type Engine, engine, type Kind, nothing, STATE, save } from "./generator.js";
import { type Policy, policyOf, SHARED } from "./options.js";
import { most, type Schema } from "./schema.js";

/** The version of the snapshots' form. */
export const SNAPSHOT_VERSION = 1;

/** What a format adds to the plain counter. */
export interface Special {
  /** Names of further options. */
  readonly options?: readonly string[];
  /** The slot's rule from them. */
  rule?(options: Partial<Record<string, unknown>>): number;
  /** Bytes drawn at the start of a tick, where values are random. */
  readonly startBytes?: number;
  /** Fixed fields that may be left out, and are then 0. */
  readonly optional?: readonly string[];
  random?(options: Partial<Record<string, unknown>>): ((bytes: Uint8Array) => void) | undefined;
}

/** The indices of the fields that an option fixes. */
export function fixedFields({ fields, sequence, optional }: Schema): readonly number[] {
  return fields.map((_, i) => i).filter((i) => i > 0 && i !== sequence && !optional.includes(i));
}

/** A generator maker for a schema. */
export function integerGenerators<Id extends Natural, Many>(
  inner: Inner<Id>,
  kind: Kind<Id, Many>,
  text: (id: Id) => string,
  special: Special = {},
): (options?: unknown) => Generator<Id, Many, IntegerSnapshot> {
  const { schema } = inner;
  const free = fixedFields(schema);
  const names = free.map((i) => schema.fields[i]?.name as string);
  const known = [...names, ...(special.options ?? []), ...SHARED];
  const random = special.startBytes !== undefined;

  return (given = {}) => {
    const options = record(given, "options", known);
    const snapshot = options.snapshot === undefined ? undefined : readSnapshot(options.snapshot, schema, random);
    const policy: Policy = policyOf(options, schema);
    const rule = special.rule?.(options) ?? 0;
    const source = special.random?.(options);
    const fixed = schema.fields.map(() => 0);
    for (const i of free) {
      const field = schema.fields[i];
      const name = field?.name as string;
      const stored = snapshot?.fields[name];
      const value = options[name] ?? stored ?? (special.optional?.includes(name) ? 0 : undefined);
      if (value === undefined) {
        wrongType(name, value, `a number of 0 to ${most(field)}, different in everything that generates at the same time`);
      }
      fixed[i] = whole(value, name, most(field));
      if (stored !== undefined && stored !== fixed[i]) {
        contradicts(name, value, stored);
      }
    }
    const made: Engine<Id, Many> = engine({
      inner,
      kind,
      policy,
      rule,
      random: source,
      extra: nothing,
      identity: () => ({
        schema,
        fixed,
        first: random ? (special.startBytes ?? 0) : 0,
        last: random ? 0 : most(schema.fields[schema.sequence]),
        random,
      }),
      restore: snapshot && ((cell, fresh) => restore(cell, fresh, stateOf(snapshot))),
    });
    const fieldsByName = Object.fromEntries(free.map((i) => [schema.fields[i]?.name, fixed[i]])) as Record<string, number>;
    const many = (n: number) => Array.from(made.nextMany(n) as unknown as ArrayLike<Id>, text);
    return {
      next: () => made.next(),
      nextText: () => text(made.next()),
      nextMany: (n) => made.nextMany(n),
      nextManyText: many,
      nextAsync: (options) => made.nextAsync(options),
      at: (time) => made.at(time),
      snapshot: () => takeSnapshot(made.cell(), schema, fieldsByName),
      stats: () => made.stats(),
    };
  };
}

/** A state as the module saves it: highest, last, value, left, safe, drifts, first live tick; then the other counter. */
export type State = readonly number[];

function takeSnapshot(cell: Cell, schema: Schema, fields: Record<string, number>): IntegerSnapshot {
  const f64 = save(cell);
  const number = (index: number) => f64[index] as number;
  return {
    version: SNAPSHOT_VERSION,
    format: schema.name,
    epoch: schema.epoch,
    layout: schema.fields.map(({ name, bits }) => ({ name, bits })),
    tickMs: schema.tickMs,
    fields,
    highest: number(STATE.highest),
    last: number(STATE.last),
    sequence: number(STATE.value),
    left: number(STATE.left),
    at: takeAt(f64),
  };
}

/** The counter behind `at`, from a saved state. */
export function takeAt(f64: Float64Array): AtSnapshot {
  const number = (index: number) => f64[index] as number;
  return {
    highest: number(STATE.atHighest),
    sequence: number(STATE.atValue),
    left: number(STATE.atLeft),
    wrapped: number(STATE.atWrapped) === 1,
    firstLive: number(STATE.firstLive),
  };
}

const NEW_AT: AtSnapshot = { highest: -1, sequence: 0, left: 0, wrapped: false, firstLive: -1 };

function stateOf({ highest, last, sequence, left, at }: IntegerSnapshot): State {
  return [highest, last, sequence, left, -1, 0, ...atNumbers(at ?? NEW_AT)];
}

/** First live tick, and the other counter's numbers. */
export function atNumbers(at: AtSnapshot): State {
  return [at.firstLive, at.highest, at.sequence, at.left, at.wrapped ? 1 : 0];
}

/** Refuses a snapshot that is not one. */
function badSnapshot(field: string, value: unknown): never {
  return refuse("SNAPSHOT", `snapshot: ${field} is ${show(value)}, which no snapshot of this format says`, {
    field: `snapshot.${field}`,
    value,
  });
}

/** An object's number that a snapshot must have. */
export function snapshotNumber(from: object, field: string, min: number, max: number, absent?: number): number {
  const value = (from as Record<string, unknown>)[field] ?? absent;
  return typeof value === "number" && Number.isInteger(value) && value >= min && value <= max
    ? value
    : badSnapshot(field, value);
}

/** What every snapshot says of itself. */
export function snapshotHead(value: unknown, schema: Schema): Snapshot & Record<string, unknown> {
  if (typeof value !== "object" || value === null) {
    return wrongType("snapshot", value, "an object");
  }
  const head = value as Snapshot & Record<string, unknown>;
  if (head.version !== SNAPSHOT_VERSION) {
    badSnapshot("version", head.version);
  }
  if (head.format !== schema.name) {
    badSnapshot("format", head.format);
  }
  return head;
}

/** The part of a snapshot that the counter behind `at` is in. */
export function snapshotAt(value: unknown, ticks: number, sequence: number): AtSnapshot {
  if (value === undefined) {
    return NEW_AT;
  }
  if (typeof value !== "object" || value === null) {
    return badSnapshot("at", value);
  }
  const { wrapped } = value as AtSnapshot;
  return {
    highest: snapshotNumber(value, "highest", -1, ticks),
    sequence: snapshotNumber(value, "sequence", 0, sequence),
    left: snapshotNumber(value, "left", 0, sequence),
    wrapped: typeof wrapped === "boolean" ? wrapped : badSnapshot("wrapped", wrapped),
    firstLive: snapshotNumber(value, "firstLive", -1, ticks),
  };
}

function readSnapshot(value: unknown, schema: Schema, random: boolean): IntegerSnapshot {
  const head = snapshotHead(value, schema);
  const ticks = most(schema.fields[0]);
  const sequence = most(schema.fields[schema.sequence]);
  for (const field of ["epoch", "tickMs"] as const) {
    if (head[field] !== schema[field]) {
      badSnapshot(field, head[field]);
    }
  }
  const layout = schema.fields.map(({ name, bits }) => ({ name, bits }));
  if (JSON.stringify(head.layout) !== JSON.stringify(layout)) {
    badSnapshot("layout", head.layout);
  }
  const { fields } = head;
  if (typeof fields !== "object" || fields === null) {
    return badSnapshot("fields", fields);
  }
  const fixed: Record<string, number> = {};
  for (const i of fixedFields(schema)) {
    const { name, bits } = schema.fields[i] as { name: string; bits: number };
    fixed[name] = snapshotNumber(fields, name, 0, 2 ** bits - 1);
  }
  return {
    version: SNAPSHOT_VERSION,
    format: schema.name,
    epoch: schema.epoch,
    layout,
    tickMs: schema.tickMs,
    fields: fixed,
    highest: snapshotNumber(head, "highest", -1, ticks),
    last: snapshotNumber(head, "last", -1, ticks),
    sequence: snapshotNumber(head, "sequence", 0, sequence),
    left: snapshotNumber(head, "left", 0, random ? 1 : sequence),
    at: snapshotAt(head.at, ticks, sequence),
  };
}

/** Positions in a state. */
const [HIGHEST, LAST, VALUE, LEFT, SAFE, DRIFTS, FIRST_LIVE, AT_HIGHEST, AT_VALUE, AT_LEFT, AT_WRAPPED] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
] as const;

/** Puts a cell into a snapshot's state; on a live cell, into the later of the two, counter by counter. */
export function restore(cell: Cell, fresh: boolean, snapshot: State): void {
  const live = Array.from(save(cell).subarray(STATE.highest, STATE.issued));
  const next = fresh ? snapshot : later(live, snapshot);
  cell.core.f64.set(next, STATE.highest);
  cell.core.wasm.restore(cell.slot);
}

function later(a: State, b: State): State {
  const at = (state: State, i: number) => state[i] as number;
  const max = (i: number) => Math.max(at(a, i), at(b, i));
  const order =
    at(a, DRIFTS) - at(b, DRIFTS) || at(a, LAST) - at(b, LAST) || at(b, LEFT) - at(a, LEFT) || at(a, VALUE) - at(b, VALUE);
  const ahead = order >= 0 ? a : b;
  const lives = [at(a, FIRST_LIVE), at(b, FIRST_LIVE)].filter((tick) => tick >= 0);
  // Two counters that both gave times, and not the same: only what lies above both is surely new.
  const given = [AT_HIGHEST, AT_VALUE, AT_LEFT, AT_WRAPPED];
  const same = given.every((i) => at(a, i) === at(b, i));
  const one = at(a, AT_HIGHEST) < 0 ? b : at(b, AT_HIGHEST) < 0 || same ? a : undefined;
  return [
    max(HIGHEST),
    at(ahead, LAST),
    at(ahead, VALUE),
    at(ahead, LEFT),
    max(SAFE),
    at(ahead, DRIFTS),
    lives.length > 0 ? Math.min(...lives) : -1,
    ...(one === undefined ? [max(AT_HIGHEST), max(AT_VALUE), 0, 1] : given.map((i) => at(one, i))),
  ];
}
