/** The partition and the sequence bounds of a sno generator, checked. */

import { isArray, numberIn } from "../../checks.js";
import { maxOf } from "../../core/schema.js";
import { fail, typeError } from "../../errors.js";
import { SNO_SMALLEST_POOL } from "../../generated/constants.js";
import { sno as row } from "../../generated/layouts.js";

/** Which field the partition is. */
export const PARTITION_FIELD = 3;

/** The largest partition. */
export const MAX_PARTITION = /* @__PURE__ */ maxOf(row.fields[PARTITION_FIELD]);

/** The largest sequence number. */
export const MAX_SEQUENCE = /* @__PURE__ */ maxOf(row.fields[row.sequence]);

/** A partition from a number or its two bytes. */
export function partitionOf(value: unknown): number {
  if (isArray(value)) {
    if (value.length !== 2) {
      typeError("partition", value, "a number, or two bytes");
    }
    return numberIn(value[0], "partition[0]", 255) * 256 + numberIn(value[1], "partition[1]", 255);
  }
  return numberIn(value, "partition", MAX_PARTITION);
}

/** Bounds, completed as in the reference: an upper bound of 0 means the largest, and reversed bounds are swapped. */
export function boundsOf(low: unknown, high: unknown): { min: number; max: number } {
  const a = numberIn(low, "sequenceMin", MAX_SEQUENCE);
  const given = numberIn(high, "sequenceMax", MAX_SEQUENCE);
  const b = given === 0 && a !== MAX_SEQUENCE ? MAX_SEQUENCE : given;
  const min = Math.min(a, b);
  const max = Math.max(a, b);
  const pool = max - min + 1;
  if (pool < SNO_SMALLEST_POOL) {
    const least = min + SNO_SMALLEST_POOL - 1;
    fail(
      a === b ? "CONFLICT" : "RANGE",
      "sequenceMax",
      high,
      `sequenceMin ${min} to sequenceMax ${max} is a pool of ${pool}; at least ${SNO_SMALLEST_POOL} are needed`,
      // Near the maximum, no upper bound is large enough.
      a === b || least > MAX_SEQUENCE ? undefined : least,
      MAX_SEQUENCE,
    );
  }
  return { min, max };
}
