/** The identity of a sno generator: its partition, given or automatic, and its sequence bounds, checked. */

import { isArray, NO_RANDOM, numberIn, orDefault } from "../../checks.js";
import { afterCloning, fillRandom } from "../../core/entropy.js";
import { texts } from "../../core/id-types.js";
import { maxOf, schemaOf } from "../../core/schema.js";
import { fail, typeError } from "../../errors.js";
import { FIRST_LIVE, SNO_SMALLEST_POOL } from "../../generated/constants.js";
import { NEW, sno as row } from "../../generated/layouts.js";
import { agree } from "../../generator/snapshot.js";
import type { Automatic } from "../../identity/holder.js";
import { type Holder, overlapping, registry, statesOf } from "../../identity/shared.js";

export const schema = /* @__PURE__ */ schemaOf(row, /* @__PURE__ */ texts(row.radix, row.text));

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

/** What a snapshot says: the identity, and the numbers of the state in the module's order. */
export interface Read {
  readonly partition: number;
  readonly min: number;
  readonly max: number;
  readonly state: readonly number[];
}

/** 16 bits from the platform's secure source; of more, because two bytes may be 0 by chance. */
function draw(): number {
  const bytes = new Uint8Array(64);
  const redraw = () => {
    registry().drawn.length = 0;
  };
  return fillRandom(bytes, redraw)
    ? (bytes[0] as number) * 256 + (bytes[1] as number)
    : fail("RANDOM_FAILED", "partition", undefined, `give a partition: ${NO_RANDOM}`);
}

/** An identity on a partition: one value for each field. */
const on = (partition: number): readonly number[] =>
  row.fields.map((_, i) => (i === PARTITION_FIELD ? partition : 0));

/**
 * An automatic partition for the bounds. An isolated generator draws its own. Any other takes the first automatic partition of the realm
 * on which its bounds equal a state's or overlap none. If there is none, it takes the next unused partition after the last automatic
 * one. Only the first one is drawn: realms that draw once collide less often.
 */
function automaticPartition(first: number, last: number, isolated: boolean): number {
  if (isolated) {
    return draw();
  }
  const { drawn } = registry();
  // First, because a mock of the source may ask for a partition, too.
  const start = drawn.length === 0 ? draw() : 0;
  for (const partition of drawn) {
    const other = overlapping(statesOf(schema, on(partition)), first, last);
    if (other === undefined || (other.first === first && other.last === last)) {
      return partition;
    }
  }
  // Not `at(-1)`, which Hermes does not have.
  let partition = drawn[drawn.length - 1] ?? start - 1;
  for (let tried = 0; tried <= MAX_PARTITION; tried++) {
    partition = (partition + 1) & MAX_PARTITION;
    if (statesOf(schema, on(partition)).length === 0) {
      drawn.push(partition);
      return partition;
    }
  }
  return fail(
    "PARTITIONS_EXHAUSTED",
    "partition",
    undefined,
    "every partition has bounds that overlap these; take equal or disjoint ones",
  );
}

/** The sequence bounds that the options of a generator ask for, and its snapshot. */
export function values(
  options: Record<string, unknown>,
  stored: Read | undefined,
): Pick<Holder, "first" | "last" | "initial"> {
  const { min: first, max: last } = boundsOf(
    orDefault(options.sequenceMin, stored?.min ?? 0),
    orDefault(options.sequenceMax, stored?.max ?? MAX_SEQUENCE),
  );
  agree("sequenceMin", options.sequenceMin, first, stored?.min);
  agree("sequenceMax", options.sequenceMax, last, stored?.max);
  // As in the reference, tick 0 has issued the lower bound already: its first ID has the lower bound plus one.
  return { first, last, initial: [0, 0, first, last - first, 0, 0, ...NEW.slice(FIRST_LIVE)] };
}

/** The partition that they ask for. */
export function fields(options: Record<string, unknown>, stored: Read | undefined) {
  const partition = options.partition === undefined ? stored?.partition : partitionOf(options.partition);
  agree("partition", options.partition, partition, stored?.partition);
  return partition === undefined ? partition : on(partition);
}

/** Gives partitions that are left out. */
export const automatic: Automatic = {
  take(first, last, isolated, redraw) {
    afterCloning(redraw);
    return on(automaticPartition(first, last, isolated));
  },
  // Only the realm's first automatic partition is drawn; the next ones follow from it.
  draws: (isolated) => isolated || registry().drawn.length === 0,
};
