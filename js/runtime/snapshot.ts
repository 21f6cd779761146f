/** The state of a generator: saved, restored, and what a snapshot of it may say. */
import { refuse } from "../errors.js";
import { FIELDS } from "../generated/layouts.js";
import type { AtSnapshot } from "../types.js";
import type { Cell } from "./cells.js";
import { or, record, show } from "./check.js";
import type { Core } from "./core.js";
import { most, type Schema } from "./schema.js";

/** The version of the snapshots' form. */
export const VERSION = 1;

/** Positions in a saved state. Up to the first live tick it is the clock's counter, then that of given times. */
export const HIGHEST = 0;
export const LAST = 1;
export const VALUE = 2;
export const LEFT = 3;
export const SAFE = 4;
export const DRIFTS = 5;
const FIRST_LIVE = 6;
const AT_HIGHEST = 7;
const AT_VALUE = 8;
const AT_LEFT = 9;
const AT_WRAPPED = 10;
/** From here on: what `stats()` says. */
export const ISSUED = 11;
export const REGRESSIONS = 12;
export const LARGEST_REGRESSION = 13;
export const OVERFLOWS = 14;
const END = 16;

/** A state as the module saves it, or the part of it before the statistics. */
export type State = ArrayLike<number>;

/** The state that the module has saved last; to be read before anything else is asked of it. */
export const saved = ({ f64 }: Core): Float64Array => f64.subarray(FIELDS >> 3, (FIELDS >> 3) + END);

/** A cell's state. */
export function save({ core, slot }: Cell): Float64Array {
  core.wasm.save(slot);
  return saved(core);
}

/** The inverse of `save`. Positions that are left out stay as they were saved last. */
export function put({ core, slot }: Cell, state: State): void {
  core.f64.set(state, FIELDS >> 3);
  core.wasm.restore(slot);
}

/** The counter behind `at`, from a saved state. */
export const takeAt = (state: State): AtSnapshot => ({
  highest: state[AT_HIGHEST] as number,
  sequence: state[AT_VALUE] as number,
  left: state[AT_LEFT] as number,
  wrapped: state[AT_WRAPPED] === 1,
  firstLive: state[FIRST_LIVE] as number,
});

/** A counter that has given nothing, beside one that has issued nothing: first live tick, and the other numbers. */
export const NEW_AT: readonly number[] = [-1, -1, 0, 0, 0];

/** Refuses a snapshot that is not one. */
export const badSnapshot = (field: string, value: unknown): never =>
  refuse(
    "SNAPSHOT",
    `snapshot: ${field} is ${show(value)}, which no snapshot of this format says`,
    `snapshot.${field}`,
    value,
  );

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

/** Puts a cell into a snapshot's state; on a live cell, into the later of the two, counter by counter. */
export function restore(cell: Cell, fresh: boolean, snapshot: readonly number[]): void {
  const live = [...save(cell)];
  put(cell, fresh ? snapshot : later(live, snapshot));
  cell.restores++;
}

/**
 * Whether all that a generator in state `b` may have issued counts as spent in state `a`. On the line that a state is on, ticks
 * up to `last` are used; on the other, ticks up to `safe`.
 */
function covers(a: readonly number[], b: readonly number[]): boolean {
  const [, last, , left, safe, drifts] = a as [number, number, number, number, number, number];
  const [, bLast, , bLeft, bSafe, bDrifts] = b as [number, number, number, number, number, number];
  return (drifts ^ bDrifts) & 1
    ? bLast <= safe && bSafe < last
    : bSafe <= safe && (bLast < last || (bLast === last && bLeft >= left));
}

/** A state after which neither history is repeated: the later one, or where they have parted, all of both spent. */
function later(a: readonly number[], b: readonly number[]): readonly number[] {
  const max = (...indices: number[]) => Math.max(...indices.flatMap((i) => [a[i] as number, b[i] as number]));
  const spent = max(HIGHEST, LAST, SAFE);
  const live = covers(a, b)
    ? a.slice(0, FIRST_LIVE)
    : covers(b, a)
      ? b.slice(0, FIRST_LIVE)
      : [spent, spent, max(VALUE), 0, spent, max(DRIFTS)];
  const [mine, other] = [a[FIRST_LIVE] as number, b[FIRST_LIVE] as number];
  // Two counters that both gave times, and not the same: only what lies above both is surely new.
  const [given, stored] = [a.slice(AT_HIGHEST, ISSUED), b.slice(AT_HIGHEST, ISSUED)];
  const one =
    (given[0] as number) < 0
      ? stored
      : (stored[0] as number) < 0 || given.join() === stored.join()
        ? given
        : [max(AT_HIGHEST), max(AT_VALUE), 0, 1];
  return [...live, mine < 0 ? other : other < 0 ? mine : Math.min(mine, other), ...one];
}
