/** sno's generator. Its identity is a partition and sequence bounds; each call may have a metabyte. */
import { noMoreArguments, numberIn, orDefault, pickOptions } from "../../checks.js";
import { afterCloning } from "../../core/entropy.js";
import { maxOf } from "../../core/schema.js";
import { CALL_SHIFT, FIRST_LIVE, LAST, VALUE } from "../../generated/constants.js";
import { NEW, sno as row } from "../../generated/layouts.js";
import { nextAsync } from "../../generator/async.js";
import { at } from "../../generator/backfill.js";
import { nextMany, plain } from "../../generator/batch.js";
import { makerOf, opened } from "../../generator/generator.js";
import { claim, type Identity, registry } from "../../generator/identity.js";
import { next } from "../../generator/next.js";
import { policyOf, SHARED } from "../../generator/options.js";
import { agree } from "../../generator/snapshot.js";
import { save } from "../../generator/state.js";
import { stats } from "../../generator/stats.js";
import { tickOf } from "../../verbs/compose.js";
import { automaticPartition, boundsOf, MAX_SEQUENCE, partitionOf } from "./partition.js";
import { schema } from "./schema.js";
import { readSnapshot, takeSnapshot } from "./snapshot.js";
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

/** Creates a generator. */
export function generator(given: SnoOptions = {}): SnoGenerator {
  const options = pickOptions(given, "options", ["partition", "sequenceMin", "sequenceMax", ...SHARED]);
  const stored = options.snapshot === undefined ? undefined : readSnapshot(options.snapshot, schema);
  const policy = policyOf(options, schema);
  const { min: first, max: last } = boundsOf(
    orDefault(options.sequenceMin, stored?.min ?? 0),
    orDefault(options.sequenceMax, stored?.max ?? MAX_SEQUENCE),
  );
  let partition = options.partition === undefined ? stored?.partition : partitionOf(options.partition);
  agree("partition", options.partition, partition, stored?.partition);
  agree("sequenceMin", options.sequenceMin, first, stored?.min);
  agree("sequenceMax", options.sequenceMax, last, stored?.max);
  const identityOn = (partition: number): Identity => ({
    schema,
    fixedFields: [0, 0, 0, partition, 0],
    first,
    last,
    // As in the reference, tick 0 has issued the lower bound already: its first ID has the lower bound plus one.
    initial: [0, 0, first, last - first, 0, 0, ...NEW.slice(FIRST_LIVE)],
  });
  const ownPartition = () => {
    if (partition === undefined) {
      const found = automaticPartition(identityOn, policy.isolated);
      // Claimed at once, so that the next generator sees these bounds; and first, in case the call is cut off.
      claim(identityOn(found), policy.isolated);
      partition ??= found;
      afterCloning(() => {
        partition = undefined;
        maker.forget();
      });
    }
    return partition;
  };
  const maker = makerOf<string, never>({
    schema,
    policy,
    sequenceRule: 0,
    random: undefined,
    snapshot: stored?.state,
    // Only the realm's first automatic partition is drawn; the next ones follow from it.
    drawn: () => partition === undefined && (policy.isolated || registry().partitions.length === 0),
    identity: () => identityOn(ownPartition()),
  });
  const nextOne = (metabyte?: unknown, ...beyond: unknown[]) => next(maker, bitsOf(metabyte, beyond.length));
  const many = (n: number, metabyte?: unknown, ...beyond: unknown[]) =>
    nextMany(maker, n, bitsOf(metabyte, beyond.length), plain<string>);
  /** The sequence number last issued in the current tick; `undefined` if there was none. */
  const present = () => {
    const now = tickOf(schema, policy.read(), "clock");
    const state = save(opened(maker));
    return state[LAST] === now ? state[VALUE] : undefined;
  };
  return {
    next: nextOne,
    nextText: nextOne,
    nextMany: many,
    nextManyText: many,
    nextAsync: (options) => nextAsync(maker, options, ["metabyte"], ({ metabyte }) => bitsOf(metabyte, 0)),
    at: (time, metabyte?: unknown, ...beyond: unknown[]) => at(maker, time, bitsOf(metabyte, beyond.length)),
    stats: () => stats(maker),
    get partition() {
      return ownPartition();
    },
    sequenceMin: first,
    sequenceMax: last,
    capacity: last - first + 1,
    sequence: () => present() ?? first,
    len() {
      const value = present();
      return value === undefined ? 0 : Math.min(value, last) - first + 1;
    },
    snapshot: () => takeSnapshot(opened(maker), policy.read(), ownPartition(), first, last),
  };
}
