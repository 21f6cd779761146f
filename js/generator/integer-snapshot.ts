/** Snapshots of the integer formats: written from a state, and read strictly. */

import { isArray } from "../checks.js";
import { maxOf, type Schema } from "../core/schema.js";
import { HIGHEST, LAST, LEFT, VALUE } from "../generated/constants.js";
import type { Numbers } from "../identity/numbers.js";
import type { IntegerSnapshot, LayoutField } from "../types.js";
import { backfillOf, headOf, number, partOf, snapshotError, takeBackfill, VERSION } from "./snapshot.js";

/** What a snapshot says: the fixed fields by name, and the numbers of the state. */
export interface Read {
  readonly fields: Record<string, number>;
  readonly state: readonly number[];
}

/** A snapshot of a state; `fixed`: the fixed fields by name. `restarts`: see {@link readSnapshot}. */
export function takeSnapshot(
  state: Numbers,
  schema: Schema,
  fixed: Iterable<readonly [string, number]>,
  restarts: boolean,
): IntegerSnapshot {
  const { name, epoch, fields, tickMs, sequence } = schema;
  const left = state[LEFT] as number;
  const value = state[VALUE] as number;
  return {
    version: VERSION,
    format: name,
    epoch,
    layout: fields.map(({ name, bits }) => ({ name, bits })),
    tickMs,
    fields: Object.fromEntries(fixed),
    highest: state[HIGHEST] as number,
    last: state[LAST] as number,
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
  const part = partOf(
    head.fields,
    "fields",
    free.map(({ name }) => name),
  );
  const fields = Object.fromEntries(
    free.map((field) => [field.name, number(part, field.name, 0, maxOf(field))]),
  );
  const ticks = maxOf(schema.fields[0]);
  const sequence = maxOf(schema.fields[schema.sequence]);
  const highest = number(head, "highest", -1, ticks);
  // A reading is recorded only with an ID at its tick or later.
  const last = number(head, "last", highest, ticks);
  const value = number(head, "sequence", 0, sequence);
  // Fewer are safe: another format on the same bits may have kept its sequence from tick to tick.
  const most = restarts ? sequence - value : sequence;
  const left = number(head, "left", 0, random ? 1 : last < 0 ? 0 : most);
  const backfill = backfillOf(head.at, schema, last, last >= 0, 0, sequence);
  return { fields, state: [highest, last, value, left, -1, 0, ...backfill] };
}
