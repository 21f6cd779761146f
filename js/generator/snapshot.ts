/** What a snapshot may say, checked: the parts that are the same in all formats. */

import { orDefault, pickOptions } from "../checks.js";
import { maxOf, type Schema } from "../core/schema.js";
import { fail, typeError } from "../errors.js";
import {
  BACKFILL_HIGHEST,
  BACKFILL_LEFT,
  BACKFILL_VALUE,
  BACKFILL_WRAPPED,
  FIRST_LIVE,
  ISSUED,
} from "../generated/constants.js";
import { NEW } from "../generated/layouts.js";
import type { Numbers } from "../identity/numbers.js";
import type { AtSnapshot } from "../types.js";

/** The version of the snapshot format. */
export const VERSION = 1;

/** The backfill counter, from a saved state. */
export const takeBackfill = (state: Numbers): AtSnapshot => ({
  highest: state[BACKFILL_HIGHEST] as number,
  sequence: state[BACKFILL_VALUE] as number,
  left: state[BACKFILL_LEFT] as number,
  wrapped: state[BACKFILL_WRAPPED] === 1,
  firstLive: state[FIRST_LIVE] as number,
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
    return [issued ? 0 : -1, ...NEW.slice(BACKFILL_HIGHEST, ISSUED)];
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
