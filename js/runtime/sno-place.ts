/** Where a sno is made: its partition, given or automatic, and the bounds of its sequence. */
import { refuse } from "../errors.js";
import { sno as row, SNO_SMALLEST_POOL } from "../generated/layouts.js";
import { registry } from "./cells.js";
import { whole, wrongType } from "./check.js";
import { most } from "./schema.js";
import { systemClock } from "./time.js";

const [, , , PARTITION, SEQUENCE] = row.fields;
const MAX_PARTITION = /* @__PURE__ */ most(PARTITION);

/** The largest sequence number. */
export const MAX_SEQUENCE = /* @__PURE__ */ most(SEQUENCE);

/** Whether a value is an array; a revoked proxy is nothing. */
function isArray(value: unknown): value is unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/** A partition from a number or its two bytes. */
export function partitionOf(value: unknown): number {
  if (isArray(value)) {
    if (value.length !== 2) {
      wrongType("partition", value, "a number, or two bytes");
    }
    return whole(value[0], "partition[0]", 255) * 256 + whole(value[1], "partition[1]", 255);
  }
  return whole(value, "partition", MAX_PARTITION);
}

/** Bounds as the reference completes them: 0 for the upper one means the largest, reversed ones are swapped. */
export function boundsOf(low: unknown, high: unknown): { min: number; max: number } {
  const a = whole(low, "sequenceMin", MAX_SEQUENCE);
  const given = whole(high, "sequenceMax", MAX_SEQUENCE);
  const b = given === 0 && a !== MAX_SEQUENCE ? MAX_SEQUENCE : given;
  const [min, max] = a < b ? [a, b] : [b, a];
  const pool = max - min + 1;
  if (pool < SNO_SMALLEST_POOL) {
    const least = min + SNO_SMALLEST_POOL - 1;
    refuse(
      a === b ? "CONFLICT" : "RANGE",
      `sequenceMin ${min} to sequenceMax ${max} is a pool of ${pool}; at least ${SNO_SMALLEST_POOL} are needed`,
      "sequenceMax",
      high,
      // Near the end no upper bound would do.
      a === b || least > MAX_SEQUENCE ? undefined : least,
      MAX_SEQUENCE,
    );
  }
  return { min, max };
}

/** The next automatic partition: from a seed, which is 16 bits of the time of the first use, upwards. */
export function automaticPartition(ticks: (ms: number) => number): number {
  const { partitions } = registry();
  if (partitions.taken > MAX_PARTITION) {
    refuse(
      "PARTITIONS_EXHAUSTED",
      `all ${MAX_PARTITION + 1} automatic partitions of this process are taken; reuse generators, or give partitions yourself`,
      "partition",
    );
  }
  if (partitions.seed === undefined) {
    const units = ticks(systemClock());
    partitions.seed = (Math.floor(units / 2 ** 32) ^ units) & MAX_PARTITION;
  }
  return (partitions.seed + partitions.taken++) & MAX_PARTITION;
}
