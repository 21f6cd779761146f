/**
 * Reads the saved numbers of a state: the statistics, the common parts of all snapshots, and the
 * snapshots of integer formats.
 */
import { flag, type Given, isArray, numberIn, pickOptions } from "../checks.js";
import { maxOf, type Schema } from "../core/schema.js";
import { typeError } from "../errors.js";
import * as abi from "../generated/constants.js";
import { NEW } from "../generated/layouts.js";
import { type Bounds, byName, type Numbers, type State } from "../identity/shared.js";
import type { AtSnapshot, IntegerSnapshot, LayoutField, Stats } from "../types.js";

/** The version of the snapshot format. */
export const VERSION = 1;

/** The module's counters for an identity, and the waiting time of its calls. */
export function stats(state: State, { tickMs }: Schema): Stats {
  const numbers = state.save();
  const number = (index: number) => numbers[index] as number;
  return {
    issued: number(abi.ISSUED),
    waits: state.waits,
    waitedMs: state.waitedMs,
    clockRegressions: number(abi.REGRESSIONS),
    largestRegressionMs: number(abi.LARGEST_REGRESSION) * tickMs,
    overflows: number(abi.OVERFLOWS),
    // Before the first reading, nothing is ahead. Tick 0 counts as no reading, because sno's states
    // begin there.
    aheadMs: number(abi.HIGHEST) > 0 ? (number(abi.LAST) - number(abi.HIGHEST)) * tickMs : 0,
  };
}

/** The backfill counter, from a saved state. */
export const takeBackfill = (state: Numbers): AtSnapshot => ({
  highest: state[abi.BACKFILL_HIGHEST] as number,
  sequence: state[abi.BACKFILL_VALUE] as number,
  left: state[abi.BACKFILL_LEFT] as number,
  wrapped: state[abi.BACKFILL_WRAPPED] === 1,
  firstLive: state[abi.FIRST_LIVE] as number,
});

/**
 * The numbers of the backfill counter. `last`: the last tick of the clock's counter; `issued`:
 * whether it has issued any ID. Without a saved counter, `at` has issued nothing, and must not
 * issue IDs later, because the clock's first tick is unknown. Values outside the bounds belong to
 * other generators.
 */
export function backfillOf(value: unknown, schema: Schema, last: number, issued: boolean, bounds: Bounds) {
  const { first: min, last: max } = bounds;
  const least = issued ? 0 : -1;
  if (value === undefined) {
    return [least, ...NEW.slice(abi.BACKFILL_HIGHEST, abi.ISSUED)];
  }
  const part = pickOptions(value, "at", ["highest", "sequence", "left", "wrapped", "firstLive"]);
  const counted = (name: keyof typeof part, most: number, lowest?: number) =>
    numberIn(part[name], `at.${name}`, most, lowest);
  const highest = counted("highest", maxOf(schema.fields[0]), -1);
  return [
    counted("firstLive", last, least),
    highest,
    // 0 before the first ID.
    counted("sequence", max, highest < 0 ? 0 : min),
    counted("left", max - min),
    +flag(part.wrapped, "at.wrapped"),
  ];
}

/** Takes a snapshot of a state. `fixed`: one value for each field. */
export function takeSnapshot(state: Numbers, schema: Schema, fixed: readonly number[]) {
  const { name, epoch, fields, tickMs } = schema;
  return {
    version: VERSION,
    format: name,
    epoch,
    layout: fields.map(({ name, bits }) => ({ name, bits })),
    tickMs,
    fields: byName(schema, fixed),
    highest: state[abi.HIGHEST] as number,
    last: state[abi.LAST] as number,
    sequence: state[abi.VALUE] as number,
    left: state[abi.LEFT] as number,
    at: takeBackfill(state),
  } satisfies IntegerSnapshot;
}

/**
 * Whether a snapshot's layout equals this one. Keys may be in any order, because databases reorder
 * them.
 */
const isLayout = (value: unknown, layout: readonly LayoutField[]): boolean =>
  isArray(value) &&
  value.length === layout.length &&
  layout.every((field, i) => {
    const { name, bits } = pickOptions(value[i], "layout", ["name", "bits"]);
    return name === field.name && bits === field.bits;
  });

/** The own keys of an integer format's snapshot. */
export const SAVED = ["epoch", "layout", "tickMs", "fields", "highest", "last", "sequence", "left"];

/** The numbers of a snapshot, which must have the epoch and the layout of the schema. */
export function numbersOf(head: Given, schema: Schema, bounds: Bounds): readonly number[] {
  const { epoch, tickMs, fields, startBytes } = schema;
  numberIn(head.epoch, "epoch", epoch, epoch);
  numberIn(head.tickMs, "tickMs", tickMs, tickMs);
  if (!isLayout(head.layout, fields)) {
    typeError("layout", head.layout, "the layout of this format");
  }
  const ticks = maxOf(fields[0]);
  const top = maxOf(fields[schema.sequence]);
  const highest = numberIn(head.highest, "highest", ticks, -1);
  // A reading is stored only with an ID of its tick or a later one.
  const last = numberIn(head.last, "last", ticks, highest);
  const value = numberIn(head.sequence, "sequence", top);
  // With `sequenceStart: "continue"`, a tick can have more values left than those above its
  // sequence.
  const left = numberIn(head.left, "left", startBytes > 0 ? 1 : last < 0 ? 0 : top);
  return [highest, last, value, left, -1, 0, ...backfillOf(head.at, schema, last, last >= 0, bounds)];
}
