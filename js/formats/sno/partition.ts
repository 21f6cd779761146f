/** The identity of a sno generator: its partition, given or automatic, and its sequence bounds. */

import { isArray, numberIn, wrongType } from "../../checks.js";
import { fillRandom } from "../../core/entropy.js";
import { maxOf } from "../../core/schema.js";
import { refuse, refuseSaying } from "../../errors.js";
import { SNO_SMALLEST_POOL } from "../../generated/constants.js";
import { sno as row } from "../../generated/layouts.js";
import { entriesOf, type Identity, overlapping, registry } from "../../generator/identity.js";

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
    refuseSaying(
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

/** 16 bits from the platform's secure source. */
function draw(): number {
  const bytes = new Uint8Array(2);
  const redraw = () => {
    registry().partitions.length = 0;
  };
  return fillRandom(bytes, redraw)
    ? (bytes[0] as number) * 256 + (bytes[1] as number)
    : refuse("RANDOM_FAILED", "partition", undefined, undefined, undefined, undefined, "give a partition");
}

/**
 * An automatic partition; `identityOn` returns the identity with a partition. An isolated generator draws its own. Any other takes the
 * first automatic partition of the realm on which its bounds equal an entry's or overlap none. If there is none, it takes the next
 * unused partition after the last automatic one. Only the first one is drawn: realms that draw once collide less often.
 */
export function automaticPartition(identityOn: (partition: number) => Identity, isolated: boolean): number {
  if (isolated) {
    return draw();
  }
  const { first, last } = identityOn(0);
  const { partitions } = registry();
  // First, because a mock of the source may ask for a partition, too.
  const drawn = partitions.length === 0 ? draw() : 0;
  for (const [partition, entries] of partitions) {
    const other = overlapping(entries, first, last);
    if (other === undefined || (other.first === first && other.last === last)) {
      return partition;
    }
  }
  // Not `at(-1)`, which Hermes does not have.
  let [partition] = partitions[partitions.length - 1] ?? [drawn - 1];
  for (let tried = 0; tried <= MAX_PARTITION; tried++) {
    partition = (partition + 1) & MAX_PARTITION;
    const entries = entriesOf(identityOn(partition));
    if (entries.length === 0) {
      partitions.push([partition, entries]);
      return partition;
    }
  }
  return refuseSaying(
    "PARTITIONS_EXHAUSTED",
    "partition",
    undefined,
    "no partition is free of overlapping bounds; take equal or disjoint ones",
  );
}
