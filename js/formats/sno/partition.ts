/** Where a sno is made: its partition, given or automatic, and the bounds of its sequence. */

import { isArray, numberIn, wrongType } from "../../checks.js";
import { fillRandom } from "../../core/entropy.js";
import { maxOf } from "../../core/schema.js";
import { refuse } from "../../errors.js";
import { SNO_SMALLEST_POOL } from "../../generated/constants.js";
import { sno as row } from "../../generated/layouts.js";
import { family, type Identity, overlapping, registry } from "../../generator/identity.js";

const [, , , PARTITION, SEQUENCE] = row.fields;
const MAX_PARTITION = /* @__PURE__ */ maxOf(PARTITION);

/** The largest sequence number. */
export const MAX_SEQUENCE = /* @__PURE__ */ maxOf(SEQUENCE);

/** A partition from a number or its two bytes. */
export function partitionOf(value: unknown): number {
  if (isArray(value)) {
    if (value.length !== 2) {
      wrongType("partition", value, "a number, or two bytes");
    }
    return numberIn(value[0], "partition[0]", 255) * 256 + numberIn(value[1], "partition[1]", 255);
  }
  return numberIn(value, "partition", MAX_PARTITION);
}

/** Bounds as the reference completes them: 0 for the upper one means the largest, reversed ones are swapped. */
export function boundsOf(low: unknown, high: unknown): { min: number; max: number } {
  const a = numberIn(low, "sequenceMin", MAX_SEQUENCE);
  const given = numberIn(high, "sequenceMax", MAX_SEQUENCE);
  const b = given === 0 && a !== MAX_SEQUENCE ? MAX_SEQUENCE : given;
  const [min, max] = a < b ? [a, b] : [b, a];
  const pool = max - min + 1;
  if (pool < SNO_SMALLEST_POOL) {
    const least = min + SNO_SMALLEST_POOL - 1;
    refuse(
      a === b ? "CONFLICT" : "RANGE",
      "sequenceMax",
      high,
      `sequenceMin ${min} to sequenceMax ${max} is a pool of ${pool}; at least ${SNO_SMALLEST_POOL} are needed`,
      // Near the end no upper bound would do.
      a === b || least > MAX_SEQUENCE ? undefined : least,
      MAX_SEQUENCE,
      undefined,
      "#",
    );
  }
  return { min, max };
}

/** 16 bits from the platform's secure source. */
function draw(): number {
  const bytes = new Uint8Array(2);
  return fillRandom(bytes)
    ? ((bytes[0] as number) << 8) | (bytes[1] as number)
    : refuse(
        "RANDOM_FAILED",
        "partition",
        undefined,
        undefined,
        undefined,
        undefined,
        undefined,
        "no randomness; give a partition",
      );
}

/**
 * An automatic partition for an identity that lacks only that: `at` completes it. An isolated generator draws its own. The
 * others take the first of the realm's where their bounds equal another generator's or overlap none; if there is none, the
 * next upwards from the last one, of which the first was drawn, that nobody in the realm uses. Two realms that draw once
 * meet less often than two that draw each time.
 */
export function automaticPartition(at: (partition: number) => Identity, isolated: boolean): number {
  if (isolated) {
    return draw();
  }
  const { first, last } = at(0);
  const { partitions } = registry();
  for (const [partition, entries] of partitions) {
    const other = overlapping(entries, first, last);
    if (other === undefined || (other.first === first && other.last === last)) {
      return partition;
    }
  }
  let [partition] = partitions.at(-1) ?? [draw() - 1];
  for (let tried = 0; tried <= MAX_PARTITION; tried++) {
    partition = (partition + 1) & MAX_PARTITION;
    const entries = family(at(partition));
    if (entries.length === 0) {
      partitions.push([partition, entries]);
      return partition;
    }
  }
  return refuse(
    "PARTITIONS_EXHAUSTED",
    "partition",
    undefined,
    "no partition is free of overlapping bounds; take equal or disjoint ones",
  );
}
