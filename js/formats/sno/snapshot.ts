/** sno's snapshots: the names and units (4 ms since 2010) are the reference's. */

import { most, type Schema } from "../../core/schema.js";
import { GraupelError } from "../../errors.js";
import { DRIFTS, HIGHEST, LAST, SAFE, VALUE } from "../../generated/layouts.js";
import type { Cell } from "../../generator/identity.js";
import { atOf, badSnapshot, headOf, number, save, takeAt, VERSION } from "../../generator/snapshot.js";
import type { SnoSnapshot } from "./index.js";
import { boundsOf, partitionOf } from "./partition.js";

const MAX_DRIFTS = 2 ** 32 - 1;

/** Where a generator stands, at the reading `now`. */
export function takeSnapshot(
  cell: Cell,
  now: number,
  partition: number,
  sequenceMin: number,
  sequenceMax: number,
): SnoSnapshot {
  const state = save(cell);
  const at = (index: number) => state[index] as number;
  return {
    version: VERSION,
    format: "sno",
    partition,
    sequenceMin,
    sequenceMax,
    sequence: at(VALUE),
    now,
    wallHi: at(HIGHEST),
    wallSafe: at(SAFE),
    drifts: at(DRIFTS),
    ...(at(LAST) === at(HIGHEST) ? {} : { last: at(LAST) }),
    at: takeAt(state),
  };
}

/** Part of a snapshot, read as an option is; but what is wrong with it is wrong with the snapshot. */
function stated<T>(field: string, value: unknown, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (GraupelError.is(error)) {
      badSnapshot(field, value);
    }
    throw error;
  }
}

/** What a snapshot says, checked; its state as the module takes it. */
export function readSnapshot(value: unknown, schema: Schema) {
  const head = headOf(value, schema, [
    "partition",
    "sequenceMin",
    "sequenceMax",
    "sequence",
    "now",
    "wallHi",
    "wallSafe",
    "drifts",
    "last",
  ]);
  const { min, max } = stated("sequenceMin", head.sequenceMin, () =>
    boundsOf(head.sequenceMin, head.sequenceMax),
  );
  const ticks = most(schema.fields[0]);
  // One above the upper bound is a pool that is used up; 0 is none yet, and means the lower bound.
  const sequence = number(head, "sequence", 0, MAX_DRIFTS) || min;
  if (sequence < min) {
    badSnapshot("sequence", sequence);
  }
  const wallHi = number(head, "wallHi", 0, ticks);
  // Every reading that counts has issued an ID at it or ahead of it.
  const last = number(head, "last", wallHi, ticks, wallHi);
  return {
    partition: stated("partition", head.partition, () => partitionOf(head.partition)),
    min,
    max,
    state: [
      wallHi,
      last,
      sequence,
      Math.max(0, max - sequence),
      number(head, "wallSafe", 0, ticks),
      number(head, "drifts", 0, MAX_DRIFTS),
      ...atOf(head.at, schema, last, wallHi > 0 || sequence > min),
    ],
  };
}
