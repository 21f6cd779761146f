/**
 * Snapshots: the parts that are the same in all formats; and those of the integer formats. They are checked here and not by the core, because
 * making a generator starts none.
 */

import { isArray, orDefault, pickOptions } from "../checks.js";
import { maxOf, type Schema } from "../core/schema.js";
import { fail, typeError } from "../errors.js";
import * as abi from "../generated/constants.js";
import { NEW } from "../generated/layouts.js";
import type { Numbers } from "../identity/shared.js";
import type { AtSnapshot, IntegerSnapshot, LayoutField } from "../types.js";

/** The version of the snapshot format. */
export const VERSION = 1;

/** The backfill counter, from a saved state. */
export const takeBackfill = (state: Numbers): AtSnapshot => ({
  highest: state[abi.BACKFILL_HIGHEST] as number,
  sequence: state[abi.BACKFILL_VALUE] as number,
  left: state[abi.BACKFILL_LEFT] as number,
  wrapped: state[abi.BACKFILL_WRAPPED] === 1,
  firstLive: state[abi.FIRST_LIVE] as number,
});

/** Refuses a snapshot that is not one. */
export const snapshotError = (field: string, value: unknown): never =>
  typeError(`snapshot.${field}`, value, "what a snapshot of this format says", "SNAPSHOT");

/** An integer of a snapshot, or of a part: `at.left` is the part's `left`. Required unless `absent` is given. */
export function number(from: object, field: string, min: number, max: number, absent?: number): number {
  const value = orDefault((from as Record<string, unknown>)[field.replace("at.", "")], absent) as number;
  return Number.isInteger(value) && value >= min && value <= max && !Object.is(value, -0)
    ? value
    : snapshotError(field, value);
}

/** A copy of a snapshot with known keys only; its version and format are checked. */
export function headOf(value: unknown, schema: Schema, keys: readonly string[]) {
  const head = pickOptions<string>(value, "snapshot", ["version", "format", "at", ...keys], "SNAPSHOT");
  number(head, "version", VERSION, VERSION);
  if (head.format !== schema.name) {
    snapshotError("format", head.format);
  }
  return head;
}

/** A copy of an object within a snapshot. */
export const partOf = (value: unknown, field: string, keys: readonly string[]) =>
  pickOptions<string>(value, `snapshot.${field}`, keys, "SNAPSHOT", "SNAPSHOT");

/**
 * The numbers of the backfill counter. `last`: the last tick of the clock's counter; `issued`: whether it has issued any ID.
 * Without them, `at` has given nothing, and must not give anything later either: where the clock began is unknown. `min` and
 * `max`: the bounds of the values; beyond them are those of other generators.
 */
export function backfillOf(
  value: unknown,
  schema: Schema,
  last: number,
  issued: boolean,
  min: number,
  max: number,
): readonly number[] {
  if (value === undefined) {
    return [issued ? 0 : -1, ...NEW.slice(abi.BACKFILL_HIGHEST, abi.ISSUED)];
  }
  const part = partOf(value, "at", ["highest", "sequence", "left", "wrapped", "firstLive"]);
  const highest = number(part, "at.highest", -1, maxOf(schema.fields[0]));
  const { wrapped } = part;
  return [
    number(part, "at.firstLive", issued ? 0 : -1, last),
    highest,
    // 0 before the first one.
    number(part, "at.sequence", highest < 0 ? 0 : min, max),
    number(part, "at.left", 0, max - min),
    typeof wrapped === "boolean" ? +wrapped : snapshotError("at.wrapped", wrapped),
  ];
}

/** Refuses an option, with the value `own`, that contradicts the snapshot. */
export function agree(field: string, given: unknown, own: unknown, stored: unknown): void {
  if (stored !== undefined && own !== stored) {
    fail("CONFLICT", field, given, `${field}: the snapshot says ${stored}; leave the option out`);
  }
}

/** What a snapshot says: the fixed fields by name, and the numbers of the state. */
export interface Read {
  readonly fields: Record<string, number>;
  readonly state: readonly number[];
}

/** A snapshot of a state; `fixed`: one value for each field. `restarts`: see {@link readSnapshot}. */
export function takeSnapshot(
  state: Numbers,
  schema: Schema,
  fixed: readonly number[],
  restarts: boolean,
): IntegerSnapshot {
  const { name, epoch, fields, tickMs, sequence } = schema;
  const left = state[abi.LEFT] as number;
  const value = state[abi.VALUE] as number;
  return {
    version: VERSION,
    format: name,
    epoch,
    layout: fields.map(({ name, bits }) => ({ name, bits })),
    tickMs,
    fields: Object.fromEntries(
      fields.flatMap(({ name, role }, i) => (role === "fixed" ? [[name, fixed[i] as number]] : [])),
    ),
    highest: state[abi.HIGHEST] as number,
    last: state[abi.LAST] as number,
    sequence: value,
    // Another format on the same bits may have kept its sequence, and so has more left than follow in this one.
    left: restarts ? Math.min(left, maxOf(fields[sequence]) - value) : left,
    at: takeBackfill(state),
  };
}

/** Whether a snapshot's layout equals this one. Keys may be in any order: databases reorder them. */
const isLayout = (value: unknown, layout: readonly LayoutField[]): boolean =>
  isArray(value) &&
  value.length === layout.length &&
  layout.every((field, i) => {
    const { name, bits } = partOf(value[i], "layout", ["name", "bits"]);
    return name === field.name && bits === field.bits;
  });

/**
 * Checks a snapshot. `free`: the fields that options set. `random`: values are random. `restarts`: the counter restarts in every tick, so
 * that `sequence` bounds `left`.
 */
export function readSnapshot(
  given: unknown,
  schema: Schema,
  free: readonly LayoutField[],
  random: boolean,
  restarts: boolean,
): Read {
  const own = ["epoch", "layout", "tickMs", "fields", "highest", "last", "sequence", "left"];
  const head = headOf(given, schema, own);
  number(head, "epoch", schema.epoch, schema.epoch);
  number(head, "tickMs", schema.tickMs, schema.tickMs);
  if (!isLayout(head.layout, schema.fields)) {
    snapshotError("layout", head.layout);
  }
  const names = free.map(({ name }) => name);
  const part = partOf(head.fields, "fields", names);
  const fields = Object.fromEntries(
    free.map((field) => [field.name, number(part, field.name, 0, maxOf(field))]),
  );
  const ticks = maxOf(schema.fields[0]);
  const sequence = maxOf(schema.fields[schema.sequence]);
  const highest = number(head, "highest", -1, ticks);
  // A reading is recorded only with an ID at its tick or later.
  const last = number(head, "last", highest, ticks);
  const value = number(head, "sequence", 0, sequence);
  // A smaller number is safe. Another format with the same bits may keep its sequence from tick to tick.
  const most = restarts ? sequence - value : sequence;
  const left = number(head, "left", 0, random ? 1 : last < 0 ? 0 : most);
  const backfill = backfillOf(head.at, schema, last, last >= 0, 0, sequence);
  return { fields, state: [highest, last, value, left, -1, 0, ...backfill] };
}
