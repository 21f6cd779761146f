/** The state of a generator: saved, restored, and what a snapshot of it may say. */
import { refuse } from "../errors.js";
import { FIELDS } from "../generated/layouts.js";
import type { AtSnapshot } from "../types.js";
import type { Cell } from "./cells.js";
import { isPlain, or, record, show } from "./check.js";
import { most, type Schema } from "./schema.js";

/** The version of the snapshots' form. */
export const SNAPSHOT_VERSION = 1;

/** Indices of a saved state, in `f64`. */
export const STATE = {
  highest: FIELDS >> 3,
  last: (FIELDS >> 3) + 1,
  value: (FIELDS >> 3) + 2,
  left: (FIELDS >> 3) + 3,
  safe: (FIELDS >> 3) + 4,
  drifts: (FIELDS >> 3) + 5,
  firstLive: (FIELDS >> 3) + 6,
  atHighest: (FIELDS >> 3) + 7,
  atValue: (FIELDS >> 3) + 8,
  atLeft: (FIELDS >> 3) + 9,
  atWrapped: (FIELDS >> 3) + 10,
  issued: (FIELDS >> 3) + 11,
  regressions: (FIELDS >> 3) + 12,
  largestRegression: (FIELDS >> 3) + 13,
  overflows: (FIELDS >> 3) + 14,
  end: (FIELDS >> 3) + 16,
} as const;

/** A cell's state in the area, to be read by the indices above. */
export function save({ core, slot }: Cell): Float64Array {
  core.wasm.save(slot);
  return core.f64;
}

/** A state as the module saves it: highest, last, value, left, safe, drifts, first live tick; then the other counter. */
export type State = readonly number[];

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

/** A counter that has given nothing, beside one that has issued nothing. */
export const NEW_AT: AtSnapshot = { highest: -1, sequence: 0, left: 0, wrapped: false, firstLive: -1 };

/** First live tick, and the other counter's numbers. */
export function atNumbers(at: AtSnapshot): State {
  return [at.firstLive, at.highest, at.sequence, at.left, at.wrapped ? 1 : 0];
}

/** Refuses a snapshot that is not one. */
export function badSnapshot(field: string, value: unknown): never {
  return refuse("SNAPSHOT", `snapshot: ${field} is ${show(value)}, which no snapshot of this format says`, {
    field: `snapshot.${field}`,
    value,
  });
}

/** An object's number that a snapshot must have. */
export function snapshotNumber(
  from: object,
  field: string,
  min: number,
  max: number,
  absent?: number,
): number {
  const value = or((from as Record<string, unknown>)[field], absent);
  return Number.isInteger(value) &&
    (value as number) >= min &&
    (value as number) <= max &&
    !Object.is(value, -0)
    ? (value as number)
    : badSnapshot(field, value);
}

/** A copy of a snapshot, with what every one says of itself checked, and without keys that none has. */
export function snapshotHead(
  value: unknown,
  schema: Schema,
  keys: readonly string[],
): Partial<Record<string, unknown>> {
  const head = record<string>(value, "snapshot", ["version", "format", ...keys], "SNAPSHOT");
  if (head.version !== SNAPSHOT_VERSION) {
    badSnapshot("version", head.version);
  }
  if (head.format !== schema.name) {
    badSnapshot("format", head.format);
  }
  return head;
}

/**
 * The part of a snapshot that the counter behind `at` is in; `last` is the last tick that the clock's counter has `issued`.
 * Without it, that counter has given nothing; but nobody knows since when the other has issued, and it may not give anything either.
 */
export function snapshotAt(value: unknown, schema: Schema, last: number, issued: boolean): AtSnapshot {
  if (value === undefined) {
    return issued ? { ...NEW_AT, firstLive: 0 } : NEW_AT;
  }
  const [ticks, sequence] = [most(schema.fields[0]), most(schema.fields[schema.sequence])];
  const part = snapshotPart(value, "at", ["highest", "sequence", "left", "wrapped", "firstLive"]);
  const { wrapped } = part;
  return {
    highest: snapshotNumber(part, "highest", -1, ticks),
    sequence: snapshotNumber(part, "sequence", 0, sequence),
    left: snapshotNumber(part, "left", 0, sequence),
    wrapped: typeof wrapped === "boolean" ? wrapped : badSnapshot("wrapped", wrapped),
    firstLive: snapshotNumber(part, "firstLive", issued ? 0 : -1, last),
  };
}

/** A copy of an object within a snapshot. */
export function snapshotPart(
  value: unknown,
  field: string,
  keys: readonly string[],
): Partial<Record<string, unknown>> {
  if (!isPlain(value)) {
    badSnapshot(field, value);
  }
  return record<string>(value, `snapshot.${field}`, keys, "SNAPSHOT");
}

/** The refusal of options that a snapshot contradicts. */
export function contradicts(field: string, value: unknown, stored: unknown): never {
  return refuse("CONFLICT", `${field}: the snapshot says ${String(stored)}; leave the option out`, {
    field,
    value,
  });
}

/** Positions in a state. */
const [HIGHEST, LAST, VALUE, LEFT, SAFE, DRIFTS, FIRST_LIVE, AT_HIGHEST, AT_VALUE] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8,
] as const;

/** Puts a cell into a snapshot's state; on a live cell, into the later of the two, counter by counter. */
export function restore(cell: Cell, fresh: boolean, snapshot: State): void {
  const live = Array.from(save(cell).subarray(STATE.highest, STATE.issued));
  const next = fresh ? snapshot : later(live, snapshot);
  cell.core.f64.set(next, STATE.highest);
  cell.core.wasm.restore(cell.slot);
  cell.restores++;
}

/** Which of the two lines a state is on. */
const line = (state: State) => (state[DRIFTS] as number) % 2;

/**
 * Whether all that a generator in state `b` may have issued counts as spent in state `a`. On the line that a state is on, ticks
 * up to `last` are used; on the other, ticks up to `safe`.
 */
function covers(a: State, b: State): boolean {
  const at = (state: State, i: number) => state[i] as number;
  return line(a) === line(b)
    ? at(b, SAFE) <= at(a, SAFE) &&
        (at(b, LAST) < at(a, LAST) || (at(b, LAST) === at(a, LAST) && at(b, LEFT) >= at(a, LEFT)))
    : at(b, LAST) <= at(a, SAFE) && at(b, SAFE) < at(a, LAST);
}

/** A state after which neither history is repeated: the later one, or where they have parted, all of both spent. */
function later(a: State, b: State): State {
  const max = (...indices: number[]) => Math.max(...indices.flatMap((i) => [a[i] as number, b[i] as number]));
  const spent = max(HIGHEST, LAST, SAFE);
  const live = covers(a, b)
    ? a.slice(0, FIRST_LIVE)
    : covers(b, a)
      ? b.slice(0, FIRST_LIVE)
      : [spent, spent, max(VALUE), 0, spent, max(DRIFTS)];
  const lives = [a[FIRST_LIVE] as number, b[FIRST_LIVE] as number].filter((tick) => tick >= 0);
  // Two counters that both gave times, and not the same: only what lies above both is surely new.
  const [given, other] = [a.slice(AT_HIGHEST), b.slice(AT_HIGHEST)];
  const same = given.every((number, i) => number === other[i]);
  const one =
    (a[AT_HIGHEST] as number) < 0 ? other : (b[AT_HIGHEST] as number) < 0 || same ? given : undefined;
  return [
    ...live,
    lives.length > 0 ? Math.min(...lives) : -1,
    ...(one ?? [max(AT_HIGHEST), max(AT_VALUE), 0, 1]),
  ];
}
