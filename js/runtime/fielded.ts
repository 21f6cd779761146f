/** Generators whose fixed fields are options by name, and their snapshots: all formats but sno. */
import type { Generator, IntegerSnapshot, LayoutField } from "../types.js";
import type { Cell } from "./cells.js";
import { or, record, whole, wrongType } from "./check.js";
import type { Natural } from "./codec.js";
import type { Inner } from "./format.js";
import { type Engine, engine, nothing } from "./generator.js";
import type { Kind } from "./kinds.js";
import { type Policy, policyOf, SHARED } from "./options.js";
import { most, type Schema } from "./schema.js";
import {
  atNumbers,
  badSnapshot,
  contradicts,
  NEW_AT,
  restore,
  SNAPSHOT_VERSION,
  STATE,
  type State,
  save,
  snapshotAt,
  snapshotHead,
  snapshotNumber,
  snapshotPart,
  takeAt,
} from "./snapshot.js";

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
    const snapshot =
      options.snapshot === undefined
        ? undefined
        : readSnapshot(options.snapshot, schema, random, special.rule === undefined);
    const policy: Policy = policyOf(options, schema);
    const rule = special.rule?.(options) ?? 0;
    const source = special.random?.(options);
    const fixed = schema.fields.map(() => 0);
    for (const i of free) {
      const field = schema.fields[i];
      const name = field?.name as string;
      const stored = snapshot?.fields[name];
      const value = or(options[name], stored ?? (special.optional?.includes(name) ? 0 : undefined));
      if (value === undefined) {
        wrongType(
          name,
          value,
          `a number of 0 to ${most(field)}, different in everything that generates at the same time`,
        );
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
    const fieldsByName = Object.fromEntries(free.map((i) => [schema.fields[i]?.name, fixed[i]])) as Record<
      string,
      number
    >;
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

function takeSnapshot(cell: Cell, schema: Schema, fields: Record<string, number>): IntegerSnapshot {
  const f64 = save(cell);
  const number = (index: number) => f64[index] as number;
  return {
    version: SNAPSHOT_VERSION,
    format: schema.name,
    epoch: schema.epoch,
    layout: schema.fields.map(({ name, bits }) => ({ name, bits })),
    tickMs: schema.tickMs,
    fields: { ...fields },
    highest: number(STATE.highest),
    last: number(STATE.last),
    sequence: number(STATE.value),
    left: number(STATE.left),
    at: takeAt(f64),
  };
}

function stateOf({ highest, last, sequence, left, at }: IntegerSnapshot): State {
  return [highest, last, sequence, left, -1, 0, ...atNumbers(at ?? NEW_AT)];
}

/** Whether a snapshot's layout is this one. What cannot be written as JSON is none. */
function sameLayout(value: unknown, layout: readonly LayoutField[]): boolean {
  try {
    return JSON.stringify(value) === JSON.stringify(layout);
  } catch {
    return false;
  }
}

/** `plain`: a counter that starts every tick anew, where one number follows from the other. */
function readSnapshot(given: unknown, schema: Schema, random: boolean, plain: boolean): IntegerSnapshot {
  const head = snapshotHead(given, schema, [
    "epoch",
    "layout",
    "tickMs",
    "fields",
    "highest",
    "last",
    "sequence",
    "left",
    "at",
  ]);
  const ticks = most(schema.fields[0]);
  const sequence = most(schema.fields[schema.sequence]);
  for (const field of ["epoch", "tickMs"] as const) {
    if (head[field] !== schema[field]) {
      badSnapshot(field, head[field]);
    }
  }
  const layout = schema.fields.map(({ name, bits }) => ({ name, bits }));
  if (!sameLayout(head.layout, layout)) {
    badSnapshot("layout", head.layout);
  }
  const named = fixedFields(schema).map((i) => schema.fields[i] as LayoutField);
  const stored = snapshotPart(
    head.fields,
    "fields",
    named.map(({ name }) => name),
  );
  const fixed = Object.fromEntries(
    named.map((field) => [field.name, snapshotNumber(stored, field.name, 0, most(field))]),
  );
  const highest = snapshotNumber(head, "highest", -1, ticks);
  // Every reading that counts has issued an ID at it or ahead of it.
  const last = snapshotNumber(head, "last", highest, ticks);
  const value = snapshotNumber(head, "sequence", 0, sequence);
  const left = snapshotNumber(head, "left", 0, random ? 1 : sequence);
  if (plain && left !== (last < 0 ? 0 : sequence - value)) {
    badSnapshot("left", left);
  }
  return {
    version: SNAPSHOT_VERSION,
    format: schema.name,
    epoch: schema.epoch,
    layout,
    tickMs: schema.tickMs,
    fields: fixed,
    highest,
    last,
    sequence: value,
    left,
    at: snapshotAt(head.at, schema, last, last >= 0),
  };
}
