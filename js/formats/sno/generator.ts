/** sno's generator. Its identity is a partition and sequence bounds; each call may have a metabyte. */
import { noMoreArguments, numberIn } from "../../checks.js";
import { maxOf } from "../../core/schema.js";
import { CALL_SHIFT, LAST, VALUE } from "../../generated/constants.js";
import { sno as row } from "../../generated/layouts.js";
import { nextAsync } from "../../generator/async.js";
import { at } from "../../generator/backfill.js";
import { nextMany, plain } from "../../generator/batch.js";
import { type Kind, makerOf } from "../../generator/maker.js";
import { next } from "../../generator/next.js";
import { stats } from "../../generator/stats.js";
import { opened } from "../../identity/holder.js";
import { tickOf } from "../../verbs/compose.js";
import { wanted } from "./identity.js";
import { PARTITION_FIELD } from "./partition.js";
import { schema } from "./schema.js";
import { type Read, readSnapshot, takeSnapshot } from "./snapshot.js";
import type { SnoGenerator, SnoOptions } from "./types.js";

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

const kind: Kind<string, never, Read> = {
  schema,
  options: ["partition", "sequenceMin", "sequenceMax"],
  read: readSnapshot,
  sequenceRule: () => 0,
  random: () => undefined,
  wanted,
};

/** Creates a generator. */
export function generator(given: SnoOptions = {}): SnoGenerator {
  const maker = makerOf(kind, given);
  const { holder, policy, fields } = maker;
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
    fields
      ? { partition: fields[PARTITION_FIELD], ...methods }
      : {
          get partition() {
            return partition();
          },
          ...methods,
        }
  ) as SnoGenerator;
}
