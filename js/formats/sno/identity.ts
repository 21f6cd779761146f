/** The identity of a sno generator: its partition, given or automatic, and its sequence bounds. */

import { NO_RANDOM, orDefault } from "../../checks.js";
import { afterCloning, fillRandom } from "../../core/entropy.js";
import { fail } from "../../errors.js";
import { FIRST_LIVE } from "../../generated/constants.js";
import { NEW, sno as row } from "../../generated/layouts.js";
import type { Given } from "../../generator/maker.js";
import { agree } from "../../generator/snapshot.js";
import type { Wanted } from "../../identity/holder.js";
import { overlapping, registry, statesOf } from "../../identity/shared.js";
import { boundsOf, MAX_PARTITION, MAX_SEQUENCE, PARTITION_FIELD, partitionOf } from "./partition.js";
import { schema } from "./schema.js";
import type { Read } from "./snapshot.js";

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

/** The identity that the options of a generator ask for, and its snapshot. */
export function wanted(options: Given, stored: Read | undefined, isolated: boolean): Wanted {
  const { min: first, max: last } = boundsOf(
    orDefault(options.sequenceMin, stored?.min ?? 0),
    orDefault(options.sequenceMax, stored?.max ?? MAX_SEQUENCE),
  );
  agree("sequenceMin", options.sequenceMin, first, stored?.min);
  agree("sequenceMax", options.sequenceMax, last, stored?.max);
  return {
    first,
    last,
    // As in the reference, tick 0 has issued the lower bound already: its first ID has the lower bound plus one.
    initial: [0, 0, first, last - first, 0, 0, ...NEW.slice(FIRST_LIVE)],
    fields() {
      const partition = options.partition === undefined ? stored?.partition : partitionOf(options.partition);
      agree("partition", options.partition, partition, stored?.partition);
      return partition === undefined ? partition : on(partition);
    },
    automatic(redraw) {
      afterCloning(redraw);
      return on(automaticPartition(first, last, isolated));
    },
    // Only the realm's first automatic partition is drawn; the next ones follow from it.
    draws: () => isolated || registry().drawn.length === 0,
  };
}
