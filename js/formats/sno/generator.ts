/** sno's generator. Its identity is a partition and sequence bounds; each call may have a metabyte. */
import { noMoreArguments, numberIn } from "../../checks.js";
import { maxOf } from "../../core/schema.js";
import { CALL_SHIFT, LAST, VALUE } from "../../generated/constants.js";
import { sno as row } from "../../generated/layouts.js";
import { methodsOf } from "../../generator/generator.js";
import { type Kind, makerOf } from "../../generator/maker.js";
import { opened } from "../../identity/holder.js";
import { tickOf } from "../../verbs/compose.js";
import { wanted } from "./identity.js";
import { PARTITION_FIELD } from "./partition.js";
import { schema } from "./schema.js";
import { type Read, readSnapshot, takeSnapshot } from "./snapshot.js";
import type { SnoGenerator, SnoOptions } from "./types.js";

/** The largest metabyte. */
const MAX_METABYTE = /* @__PURE__ */ maxOf(row.fields[2]);

/** The call bits of a metabyte; 0 if it is left out. */
function bitsOf(call: readonly unknown[]): number {
  const [metabyte] = call;
  noMoreArguments(call.length - 1);
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
  callOptions: ["metabyte"],
  bitsOf,
  read: readSnapshot,
  sequenceRule: () => 0,
  random: () => undefined,
  wanted,
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
  const methods = methodsOf(maker, (state) => takeSnapshot(state, policy.read(), partition()));
  return {
    get partition() {
      return partition();
    },
    sequenceMin: first,
    sequenceMax: last,
    capacity: last - first + 1,
    sequence: () => present() ?? first,
    len() {
      const value = present();
      return value === undefined ? 0 : Math.min(value, last) - first + 1;
    },
    // Last: an object that is copied first takes another 6 microseconds to add to.
    ...methods,
  } as SnoGenerator;
}
