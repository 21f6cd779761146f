/** The state of a generator: saved, restored, and what a snapshot of it may say. */

import { expected, or, record } from "../checks.js";
import type { Core } from "../core/load.js";
import { most, type Schema } from "../core/schema.js";
import { refuse } from "../errors.js";
import {
  AT_HIGHEST,
  AT_LEFT,
  AT_VALUE,
  AT_WRAPPED,
  DRIFTS,
  FIELDS,
  FIRST_LIVE,
  HIGHEST,
  ISSUED,
  LAST,
  SAFE,
  SAVED,
} from "../generated/layouts.js";
import type { AtSnapshot } from "../types.js";
import type { Cell, Entry } from "./identity.js";

/** The version of the snapshots' form. */
export const VERSION = 1;

/** A state as the module saves it, or the part of it before the statistics. */
export type State = ArrayLike<number>;

/** The state that the module has saved last; to be read before anything else is asked of it. */
export const saved = ({ f64 }: Core): Float64Array => f64.subarray(FIELDS >> 3, (FIELDS >> 3) + SAVED);

/** A cell's state. */
export function save({ core, slot }: Cell): Float64Array {
  core.wasm.$save(slot);
  return saved(core);
}

/** The inverse of `save`. Positions that are left out stay as they were saved last. */
export function put({ core, slot }: Cell, state: State): void {
  core.f64.set(state, FIELDS >> 3);
  core.wasm.$restore(slot);
}

/** The counter behind `at`, from a saved state. */
export const takeAt = (state: State): AtSnapshot => ({
  highest: state[AT_HIGHEST] as number,
  sequence: state[AT_VALUE] as number,
  left: state[AT_LEFT] as number,
  wrapped: state[AT_WRAPPED] === 1,
  firstLive: state[FIRST_LIVE] as number,
});

/** A counter behind `at` that has given nothing, beside one that has issued nothing: first live tick, and the others. */
export const NEW_AT: readonly number[] = [-1, -1, 0, 0, 0];

/** Whether a time that `at` refuses lies below one that it took, and not among those that the clock has issued. */
export function descends(state: State, ms: number, { epoch, tickMs }: Schema): boolean {
  const tick = (ms - epoch) / tickMs;
  const live = state[FIRST_LIVE] as number;
  return tick < (state[AT_HIGHEST] as number) && (live < 0 || tick < live);
}

/** The state of a generator that has issued nothing. */
export const NEW: State = [-1, -1, 0, 0, -1, 0, ...NEW_AT];

/** Refuses a snapshot that is not one. */
export const badSnapshot = (field: string, value: unknown): never =>
  expected("SNAPSHOT", `snapshot.${field}`, "what a snapshot of this format says", value);

/** An object's number that a snapshot must have. */
export function number(from: object, field: string, min: number, max: number, absent?: number): number {
  const value = or((from as Record<string, unknown>)[field], absent) as number;
  return Number.isInteger(value) && value >= min && value <= max && !Object.is(value, -0)
    ? value
    : badSnapshot(field, value);
}

/** A copy of a snapshot, with what every one says of itself checked, and without keys that none has. */
export function headOf(value: unknown, schema: Schema, keys: readonly string[]) {
  const head = record<string>(value, "snapshot", ["version", "format", "at", ...keys], "SNAPSHOT");
  if (head.version !== VERSION) {
    badSnapshot("version", head.version);
  }
  if (head.format !== schema.name) {
    badSnapshot("format", head.format);
  }
  return head;
}

/** A copy of an object within a snapshot. */
export const partOf = (value: unknown, field: string, keys: readonly string[]) =>
  record<string>(value, `snapshot.${field}`, keys, "SNAPSHOT", "SNAPSHOT");

/**
 * The numbers of the counter behind `at`; `last` is the last tick that the clock's counter has `issued`. Without them, that
 * counter has given nothing; but nobody knows since when the other has issued, and it may not give anything either.
 */
export function atOf(value: unknown, schema: Schema, last: number, issued: boolean): readonly number[] {
  if (value === undefined) {
    return [issued ? 0 : -1, ...NEW_AT.slice(1)];
  }
  const [ticks, sequence] = [most(schema.fields[0]), most(schema.fields[schema.sequence])];
  const part = partOf(value, "at", ["highest", "sequence", "left", "wrapped", "firstLive"]);
  const { wrapped } = part;
  return [
    number(part, "firstLive", issued ? 0 : -1, last),
    number(part, "highest", -1, ticks),
    number(part, "sequence", 0, sequence),
    number(part, "left", 0, sequence),
    typeof wrapped === "boolean" ? Number(wrapped) : badSnapshot("wrapped", wrapped),
  ];
}

/** The refusal of options that a snapshot contradicts. */
export const contradicts = (field: string, value: unknown, stored: unknown): never =>
  refuse("CONFLICT", `${field}: the snapshot says ${stored}; leave the option out`, field, value);

/**
 * Takes note of what a generator that is made knows of earlier ones: a snapshot's state, and a tick up to which all are
 * spent. That counts from now on, also for the other generators of the identity, and needs no module before there is a cell.
 */
export function recall(entry: Entry, snapshot: State | undefined, spent: number): void {
  const { cell, last } = entry;
  const before = cell === undefined ? entry.parked : save(cell);
  const merged = spend(snapshot === undefined ? before : later(before, snapshot, last), spent, last);
  if (cell === undefined) {
    entry.parked = merged;
  } else {
    put(cell, merged);
    cell.restores++;
  }
}

/**
 * A state in which all ticks up to `tick` are spent, on both of sno's lines and for the counter behind `at`. The highest
 * reading stays what it is: until the clock is there, the sequence counts as full, and nothing went back.
 */
function spend(state: State, tick: number, top: number): State {
  if (tick < 0) {
    return state;
  }
  const spent = Array.from(state);
  if ((spent[LAST] as number) <= tick) {
    spent.splice(LAST, 3, tick, top, 0);
  }
  // Formats without a second line have -1 there.
  if ((spent[SAFE] as number) >= 0) {
    spent[SAFE] = Math.max(spent[SAFE] as number, tick);
  }
  spent[FIRST_LIVE] = 0;
  return spent;
}

/** The clock's counter in a state, up to the tick-tock bit. */
type Live = readonly [
  highest: number,
  last: number,
  value: number,
  left: number,
  safe: number,
  drifts: number,
];

/**
 * Whether all that a generator in state `b` may have issued counts as spent in state `a`. On the line that a state is on, ticks
 * up to `last` are used; on the other, ticks up to `safe`. Within one tick, a state is only surely further than another if it
 * has counted on from there: random values, and counters that start a tick anywhere, may have issued others.
 */
function covers(a: readonly number[], b: readonly number[]): boolean {
  const [, last, value, left, safe, drifts] = a as Live;
  const [, bLast, bValue, bLeft, bSafe, bDrifts] = b as Live;
  return (drifts ^ bDrifts) & 1
    ? bLast <= safe && bSafe < last
    : bSafe <= safe && (bLast < last || (bLast === last && bLeft >= left && value - bValue === bLeft - left));
}

/**
 * A state after which neither history is repeated: the later one; or where they have parted, all of both is spent, and the
 * value is `top`, the largest one, so that a snapshot of it says so too.
 */
function later(one: State, other: State, top: number): State {
  const [a, b] = [Array.from(one), Array.from(other)];
  // Nothing issued, and nothing given: as if there was no state yet.
  if ((a[FIRST_LIVE] as number) + (a[AT_HIGHEST] as number) === -2) {
    return b;
  }
  const larger = b.map((number, i) => Math.max(number, a[i] as number));
  const at = (index: number) => larger[index] as number;
  const spent = Math.max(at(HIGHEST), at(LAST), at(SAFE));
  const live = covers(a, b) ? a : covers(b, a) ? b : [at(HIGHEST), spent, top, 0, spent, at(DRIFTS)];
  // On one line, a reading of either is one of both; after a step back, only those since then count.
  if ((((a[DRIFTS] as number) ^ (b[DRIFTS] as number)) & 1) === 0) {
    live[HIGHEST] = at(HIGHEST);
  }
  // The first live tick is the lower one, but for -1, which is none.
  const first = Math.min(a[FIRST_LIVE] as number, b[FIRST_LIVE] as number);
  // Two counters that both gave times, and not the same: only what lies above both is surely new.
  const [given, theirs] = [a.slice(AT_HIGHEST, ISSUED), b.slice(AT_HIGHEST, ISSUED)];
  const backfill =
    (given[0] as number) < 0
      ? theirs
      : (theirs[0] as number) < 0 || given.join() === theirs.join()
        ? given
        : [at(AT_HIGHEST), at(AT_VALUE), 0, 1];
  return [...live.slice(0, FIRST_LIVE), first < 0 ? at(FIRST_LIVE) : first, ...backfill];
}
