/**
 * sno's generator. Its identity is a partition and sequence bounds; each call may have a metabyte. The names and units of its snapshots
 * (4 ms since 2010) are the reference's.
 */
import { noMoreArguments, numberIn } from "../../checks.js";
import { maxOf } from "../../core/schema.js";
import { GraupelError } from "../../errors.js";
import {
  CALL_SHIFT,
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
import { nextAsync } from "../../generator/async.js";
import { nextMany, plain } from "../../generator/batch.js";
import { type Kind, makerOf } from "../../generator/maker.js";
import { at, next } from "../../generator/next.js";
import {
  backfillOf,
  headOf,
  number,
  snapshotError,
  takeBackfill,
  VERSION,
} from "../../generator/snapshot.js";
import { stats } from "../../generator/stats.js";
import { opened } from "../../identity/holder.js";
import type { State } from "../../identity/shared.js";
import { tickOf } from "../../verbs/fields.js";
import {
  automatic,
  boundsOf,
  fields,
  PARTITION_FIELD,
  partitionOf,
  type Read,
  schema,
  values,
} from "./identity.js";
import type { SnoGenerator, SnoOptions, SnoSnapshot } from "./types.js";

/** The largest metabyte. */
const MAX_METABYTE = /* @__PURE__ */ maxOf(row.fields[2]);

/** The call bits of a metabyte; 0 if it is left out. `beyond`: how many arguments follow it. */
function bitsOf(metabyte: unknown, beyond: number): number {
  noMoreArguments(beyond);
  if (metabyte === undefined) {
    return 0;
  }
  // Checked here first: engines do not inline `numberIn`, which has many callers.
  const fits = typeof metabyte === "number" && metabyte > 0 && (metabyte & MAX_METABYTE) === metabyte;
  return (fits ? metabyte : numberIn(metabyte, "metabyte", MAX_METABYTE)) << CALL_SHIFT;
}

/** A snapshot of a generator's state, taken at the reading `now`. */
function takeSnapshot(state: State, now: number, partition: number): SnoSnapshot {
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

/** Checks a snapshot. */
function readSnapshot(value: unknown): Read {
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

const kind: Kind<string, never, Read> = {
  schema,
  options: ["partition", "sequenceMin", "sequenceMax"],
  read: readSnapshot,
  sequenceRule: () => 0,
  random: () => undefined,
  values,
  fields,
  automatic,
};

/** Creates a generator. */
export function generator(given: SnoOptions = {}): SnoGenerator {
  const maker = makerOf(kind, given);
  const { holder, policy } = maker;
  const { first, last } = holder;
  const partition = () => {
    if (!holder.fields) {
      opened(maker);
    }
    return (holder.fields as readonly number[])[PARTITION_FIELD] as number;
  };
  /** The sequence number last issued in the current tick; `undefined` if there was none. */
  const present = () => {
    const now = tickOf(schema, policy.read(), "clock");
    const numbers = opened(maker).save();
    return numbers[LAST] === now ? numbers[VALUE] : undefined;
  };
  const one = (metabyte?: unknown, ...beyond: unknown[]) => next(maker, bitsOf(metabyte, beyond.length));
  const many = (n: number, metabyte?: unknown, ...beyond: unknown[]) =>
    nextMany(maker, n, bitsOf(metabyte, beyond.length), plain<string>);
  const methods = holder.methodsOf({
    next: one,
    nextText: one,
    nextMany: many,
    nextManyText: many,
    nextAsync: (options?: unknown) =>
      nextAsync(maker, options, ["metabyte"], ({ metabyte }) => bitsOf(metabyte, 0)),
    at: (time: unknown, metabyte?: unknown, ...beyond: unknown[]) =>
      at(maker, time, bitsOf(metabyte, beyond.length)),
    stats: () => stats(maker),
    snapshot: () => takeSnapshot(opened(maker), policy.read(), partition()),
    sequenceMin: first,
    sequenceMax: last,
    capacity: last - first + 1,
    sequence: () => present() ?? first,
    len() {
      const value = present();
      return value === undefined ? 0 : Math.min(value, last) - first + 1;
    },
  });
  // An accessor turns the object into a hash table, of which each call looks a method up: not where the partition is given.
  return (
    maker.fields
      ? { partition: maker.fields[PARTITION_FIELD], ...methods }
      : {
          get partition() {
            return partition();
          },
          ...methods,
        }
  ) as SnoGenerator;
}
