/** sno's snapshots: the names and units (4 ms since 2010) are the reference's. */

import { maxOf } from "../../core/schema.js";
import { GraupelError } from "../../errors.js";
import {
  HIGHEST,
  LAST,
  MAX_TICK_TOCKS,
  SAFE,
  SNO_MAX_SAVED_SEQUENCE,
  TICK_TOCKS,
  UNIX_MS_MAX,
  VALUE,
} from "../../generated/constants.js";
import { sno as row } from "../../generated/layouts.js";
import {
  backfillOf,
  headOf,
  number,
  snapshotError,
  takeBackfill,
  VERSION,
} from "../../generator/snapshot.js";
import type { State } from "../../identity/shared.js";
import { boundsOf, partitionOf } from "./partition.js";
import { schema } from "./schema.js";
import type { SnoSnapshot } from "./types.js";

/** A snapshot of a generator's state, taken at the reading `now`. */
export function takeSnapshot(state: State, now: number, partition: number): SnoSnapshot {
  const saved = state.save();
  const numberOf = (index: number) => saved[index] as number;
  return {
    version: VERSION,
    format: "sno",
    partition,
    sequenceMin: state.first,
    sequenceMax: state.last,
    sequence: numberOf(VALUE),
    // For information only; may be out of range.
    now: Math.floor((now - row.epoch) / row.tickMs),
    wallHi: numberOf(HIGHEST),
    wallSafe: numberOf(SAFE),
    drifts: numberOf(TICK_TOCKS),
    ...(numberOf(LAST) === numberOf(HIGHEST) ? {} : { last: numberOf(LAST) }),
    at: takeBackfill(saved),
  };
}

/** Reads part of a snapshot with the check of an option. Its errors become errors of the snapshot. */
function stated<T>(field: string, value: unknown, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (GraupelError.is(error)) {
      snapshotError(field, value);
    }
    throw error;
  }
}

/** What a snapshot says: the identity, and the numbers of the state in the module's order. */
export interface Read {
  readonly partition: number;
  readonly min: number;
  readonly max: number;
  readonly state: readonly number[];
}

/** Checks a snapshot. */
export function readSnapshot(value: unknown): Read {
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
  const ticks = maxOf(schema.fields[0]);
  // A sequence above the upper bound is a used-up pool. 0 means none yet, which is the lower bound.
  const sequence = number(head, "sequence", 0, SNO_MAX_SAVED_SEQUENCE) || min;
  if (sequence < min) {
    snapshotError("sequence", sequence);
  }
  // Nothing depends on it.
  number(head, "now", -UNIX_MS_MAX, UNIX_MS_MAX, 0);
  const wallHi = number(head, "wallHi", 0, ticks);
  // A reading is recorded only with an ID at its tick or later.
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
      number(head, "drifts", 0, MAX_TICK_TOCKS),
      ...backfillOf(head.at, schema, last, wallHi > 0 || sequence > min, min, max),
    ],
  };
}
