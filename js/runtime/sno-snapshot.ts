/** sno's snapshots: the names and units (4 ms since 2010) are the reference's. */
import { GraupelError } from "../errors.js";
import { sno as row } from "../generated/layouts.js";
import type { SnoSnapshot } from "../sno.js";
import type { Cell } from "./cells.js";
import { most } from "./schema.js";
import {
  atNumbers,
  badSnapshot,
  SNAPSHOT_VERSION,
  STATE,
  save,
  snapshotAt,
  snapshotHead,
  snapshotNumber,
  takeAt,
} from "./snapshot.js";
import { boundsOf, partitionOf } from "./sno-place.js";

const MAX_TICK = /* @__PURE__ */ most(row.fields[0]);
const MAX_DRIFTS = 2 ** 32 - 1;

/** Where a generator stands, at the reading `now`. */
export function takeSnapshot(
  cell: Cell,
  now: number,
  partition: number,
  sequenceMin: number,
  sequenceMax: number,
): SnoSnapshot {
  const f64 = save(cell);
  const number = (index: number) => f64[index] as number;
  const wallHi = number(STATE.highest);
  return {
    version: SNAPSHOT_VERSION,
    format: row.name,
    partition,
    sequenceMin,
    sequenceMax,
    sequence: number(STATE.value),
    now,
    wallHi,
    wallSafe: number(STATE.safe),
    drifts: number(STATE.drifts),
    ...(number(STATE.last) === wallHi ? {} : { last: number(STATE.last) }),
    at: takeAt(f64),
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
export function readSnapshot(value: unknown) {
  const head = snapshotHead(value, row, [
    "partition",
    "sequenceMin",
    "sequenceMax",
    "sequence",
    "now",
    "wallHi",
    "wallSafe",
    "drifts",
    "last",
    "at",
  ]);
  const { min, max } = stated("sequenceMin", head.sequenceMin, () =>
    boundsOf(head.sequenceMin, head.sequenceMax),
  );
  // One above the upper bound is a pool that is used up; 0 is none yet, and means the lower bound.
  const sequence = snapshotNumber(head, "sequence", 0, MAX_DRIFTS) || min;
  if (sequence < min) {
    badSnapshot("sequence", sequence);
  }
  const wallHi = snapshotNumber(head, "wallHi", 0, MAX_TICK);
  // Every reading that counts has issued an ID at it or ahead of it.
  const last = snapshotNumber(head, "last", wallHi, MAX_TICK, wallHi);
  const at = snapshotAt(head.at, row, last, wallHi > 0 || sequence > min);
  return {
    partition: stated("partition", head.partition, () => partitionOf(head.partition)),
    min,
    max,
    state: [
      wallHi,
      last,
      sequence,
      Math.max(0, max - sequence),
      snapshotNumber(head, "wallSafe", 0, MAX_TICK),
      snapshotNumber(head, "drifts", 0, MAX_DRIFTS),
      ...atNumbers(at),
    ],
  };
}
