/**
 * sno's generator. Its identity is a given or automatic partition and the sequence bounds; each
 * call may have a metabyte. Its snapshots use the reference's names and units (4 ms since 2010).
 */
import { isArray, noMoreArguments, numberIn } from "../../checks.js";
import { textIds } from "../../core/ids.js";
import { maxOf, schemaOf } from "../../core/schema.js";
import { fillRandom } from "../../entropy.js";
import { fail, typeError } from "../../errors.js";
import * as abi from "../../generated/constants.js";
import { NEW, sno as row } from "../../generated/layouts.js";
import { at, next, nextAsync, nextMany, plain } from "../../generator/next.js";
import { type Kind, PLAIN, settingsOf, share } from "../../generator/settings.js";
import * as snapshots from "../../generator/snapshot.js";
import { opened } from "../../identity/holder.js";
import { overlapping, registry, type State, statesOf } from "../../identity/shared.js";
import { tickOf } from "../../verbs/all.js";
import type { SnoGenerator, SnoOptions, SnoSnapshot } from "./types.js";

export const schema = /* @__PURE__ */ schemaOf(
  row,
  /* @__PURE__ */ textIds(row.radix, row.text, row.facts.ignoresCase),
);

const MAX_METABYTE = /* @__PURE__ */ maxOf(row.fields[2]);
const MAX_PARTITION = /* @__PURE__ */ maxOf(row.fields[3]);
const MAX_SEQUENCE = /* @__PURE__ */ maxOf(row.fields[4]);

/** Converts a metabyte to `perCallBits`; 0 by default. `beyond`: the number of arguments after it. */
function perCallBitsOf(metabyte: unknown, beyond: number): number {
  noMoreArguments(beyond);
  if (metabyte === undefined) return 0;
  // Checked here first, because engines do not inline `numberIn`, which has many callers.
  const fits = typeof metabyte === "number" && metabyte > 0 && (metabyte & MAX_METABYTE) === metabyte;
  return (fits ? metabyte : numberIn(metabyte, "metabyte", MAX_METABYTE)) << abi.PER_CALL_SHIFT;
}

/** Reads a partition from a number or its two bytes. */
function partitionOf(value: unknown): number {
  if (isArray(value)) {
    if (value.length !== 2) {
      typeError("partition", value, "a number, or two bytes");
    }
    return numberIn(value[0], "partition[0]", 255) * 256 + numberIn(value[1], "partition[1]", 255);
  }
  return numberIn(value, "partition", MAX_PARTITION);
}

/**
 * Completes the bounds like the reference: an upper bound of 0 means the largest, and reversed
 * bounds are swapped.
 */
function boundsOf(low: unknown, high: unknown): { readonly first: number; readonly last: number } {
  const a = numberIn(low, "sequenceMin", MAX_SEQUENCE);
  const given = numberIn(high, "sequenceMax", MAX_SEQUENCE);
  const b = given === 0 && a !== MAX_SEQUENCE ? MAX_SEQUENCE : given;
  const [first, last] = a < b ? [a, b] : [b, a];
  const least = first + abi.SNO_SMALLEST_POOL - 1;
  if (last < least) {
    const words = `sequenceMin ${first} to sequenceMax ${last}: expected at least ${abi.SNO_SMALLEST_POOL} values, got ${last - first + 1}`;
    // Near the maximum, no upper bound is large enough.
    const from = a === b || least > MAX_SEQUENCE ? undefined : least;
    fail(a === b ? "CONFLICT" : "RANGE", "sequenceMax", high, words, from, MAX_SEQUENCE);
  }
  return { first, last };
}

/** The identity of a partition: one value for each field. */
const on = (partition: number): readonly number[] => [0, 0, 0, partition, 0];

/** The inverse of `on`. */
const partitionIn = (fields: readonly number[] | undefined): number => fields?.[3] as number;

/**
 * Draws 16 bits from the platform's secure source. It draws more, because two bytes may be 0 by
 * chance.
 */
function draw(): number {
  const bytes = new Uint8Array(64);
  fillRandom(bytes, "partition", "pass a partition");
  return (bytes[0] as number) * 256 + (bytes[1] as number);
}

/**
 * Chooses an automatic partition for the bounds. An isolated generator draws its own. Any other
 * takes the realm's first automatic partition on which its bounds equal those of a state or overlap
 * none, or else the next unused partition after the last automatic one. Only the first one is
 * drawn, because realms that draw once collide less often.
 */
function automaticPartition(first: number, last: number, isolated: boolean): number {
  if (isolated) return draw();
  const { drawn } = registry();
  // Draw first, because a mock of the source may itself take a partition.
  const start = drawn.length === 0 ? draw() : 0;
  for (const partition of drawn) {
    const other = overlapping(statesOf(schema, on(partition)), first, last);
    if (other === undefined || (other.first === first && other.last === last)) return partition;
  }
  // Hermes does not have `at(-1)`.
  let partition = drawn[drawn.length - 1] ?? start - 1;
  for (let tried = 0; tried <= MAX_PARTITION; tried++) {
    partition = (partition + 1) & MAX_PARTITION;
    if (statesOf(schema, on(partition)).length === 0) {
      drawn.push(partition);
      return partition;
    }
  }
  const words = "every partition has a generator whose bounds overlap these; use equal or disjoint bounds";
  return fail("PARTITIONS_EXHAUSTED", "partition", undefined, words);
}

/**
 * The number of values after this one. As in the reference, the value after the largest means that
 * the tick is full.
 */
const following = (value: number, last: number) => Math.max(0, last - value);

/** Takes a snapshot of a generator's state at the reading `now`. */
function takeSnapshot(state: State, now: number, partition: number): SnoSnapshot {
  const saved = state.save();
  const numberOf = (index: number) => saved[index] as number;
  const left = numberOf(abi.LEFT);
  return {
    version: snapshots.VERSION,
    format: "sno",
    partition,
    sequenceMin: state.first,
    sequenceMax: state.last,
    sequence: numberOf(abi.VALUE),
    // For information only; may be out of range.
    now: Math.floor((now - row.epoch) / row.tickMs),
    wallHi: numberOf(abi.HIGHEST),
    wallSafe: numberOf(abi.SAFE),
    drifts: numberOf(abi.TICK_TOCKS),
    ...(numberOf(abi.LAST) === numberOf(abi.HIGHEST) ? {} : { last: numberOf(abi.LAST) }),
    ...(left === following(numberOf(abi.VALUE), state.last) ? {} : { left }),
    at: snapshots.takeBackfill(saved),
  };
}

const IDENTITY = ["partition", "sequenceMin", "sequenceMax"];

const kind: Kind<string, never> = {
  ...PLAIN,
  schema,
  identity: IDENTITY,
  saved: [...IDENTITY, "sequence", "now", "wallHi", "wallSafe", "drifts", "last", "left"],
  numbersIn(head, bounds) {
    const { first, last } = bounds;
    const ticks = maxOf(schema.fields[0]);
    // A sequence above the upper bound means a used-up pool. 0 means no ID yet, which is the lower
    // bound.
    const given = head.sequence === 0 ? first : head.sequence;
    const sequence = numberIn(given, "sequence", abi.SNO_MAX_SAVED_SEQUENCE, first);
    const wallHi = numberIn(head.wallHi, "wallHi", ticks);
    const { now = 0, last: lastSaved = wallHi, left = following(sequence, last) } = head;
    // Checked, but not used.
    numberIn(now, "now", abi.UNIX_MS_MAX, -abi.UNIX_MS_MAX);
    // A reading is stored only with an ID of its tick or a later one.
    const lastTick = numberIn(lastSaved, "last", ticks, wallHi);
    return [
      wallHi,
      lastTick,
      sequence,
      numberIn(left, "left", last - first),
      numberIn(head.wallSafe, "wallSafe", ticks),
      numberIn(head.drifts, "drifts", abi.MAX_TICK_TOCKS),
      ...snapshots.backfillOf(head.at, schema, lastTick, wallHi > 0 || sequence > first, bounds),
    ];
  },
  bounds({ sequenceMin = 0, sequenceMax = MAX_SEQUENCE }) {
    const { first, last } = boundsOf(sequenceMin, sequenceMax);
    // As in the reference, the lower bound counts as issued in tick 0, so its first ID has the
    // lower bound plus one.
    return { first, last, initial: [0, 0, first, last - first, 0, 0, ...NEW.slice(abi.FIRST_LIVE)] };
  },
  fields: ({ partition }) => (partition === undefined ? partition : on(partitionOf(partition))),
  automatic: {
    take: (first, last, isolated) => on(automaticPartition(first, last, isolated)),
    // Only the realm's first automatic partition is drawn, and the next ones follow from it.
    draws: (isolated) => isolated || registry().drawn.length === 0,
  },
};

const kept = /* @__PURE__ */ new Map<unknown, object>();

/** Creates a generator. */
export function generator(given: SnoOptions = {}): SnoGenerator {
  const settings = settingsOf(kind, given);
  const { holder, policy } = settings;
  const { first, last } = holder;
  const capacity = last - first + 1;
  const partition = () => {
    opened(settings);
    return partitionIn(holder.fields);
  };
  /** Returns a saved number if the current tick has issued an ID, else `undefined`. */
  const present = (index: number) => {
    const now = tickOf(schema, policy.read(), "clock");
    const numbers = opened(settings).save();
    return numbers[abi.LAST] === now ? numbers[index] : undefined;
  };
  const one = (metabyte?: unknown, ...beyond: unknown[]) =>
    next(settings, perCallBitsOf(metabyte, beyond.length));
  const many = (n: number, metabyte?: unknown, ...beyond: unknown[]) =>
    nextMany(settings, n, perCallBitsOf(metabyte, beyond.length), plain<string>);
  const make = () => ({
    ...(settings.fields && { partition: partitionIn(settings.fields) }),
    next: one,
    nextText: one,
    nextMany: many,
    nextManyText: many,
    nextAsync: (options?: unknown) =>
      nextAsync(settings, options, ["metabyte"], ({ metabyte }) => perCallBitsOf(metabyte, 0)),
    at: (time: unknown, metabyte?: unknown, ...beyond: unknown[]) =>
      at(settings, time, perCallBitsOf(metabyte, beyond.length)),
    stats: () => snapshots.stats(opened(settings), schema),
    snapshot: () => takeSnapshot(opened(settings), policy.read(), partition()),
    sequenceMin: first,
    sequenceMax: last,
    capacity,
    sequence: () => present(abi.VALUE) ?? first,
    len: () => capacity - (present(abi.LEFT) ?? capacity),
  });
  const methods = share(settings, kept, make);
  // An accessor turns the object into a hash table, which makes method calls slower, so use it only
  // for an automatic partition.
  const property = { __proto__: null, enumerable: true, configurable: true, get: partition };
  return (settings.fields ? methods : Object.defineProperty(methods, "partition", property)) as SnoGenerator;
}
