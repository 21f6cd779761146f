// Snowflake-SI's `sequenceResetThreshold`: compared with a sequence that continues from tick to tick. Rolling over within a tick does
// not bring it below the threshold again.
import assert from "node:assert/strict";
import { test } from "node:test";
import { snowflakeSI } from "graupel/snowflake-si";
import { emptyRegistry } from "../support/other-process.ts";

const epoch = Date.UTC(2024, 0, 1);
const format = snowflakeSI({ epoch, machineBits: 11, sequenceBits: 2 });

/** Requests a number of IDs in each of the following milliseconds; `restart` continues from a snapshot before each. */
async function sequences(
  sequenceResetThreshold: number,
  counts: readonly number[],
  call: "next" | "nextMany" | "nextAsync",
  restart: boolean,
): Promise<number[][]> {
  let now = epoch;
  const options = { machineId: 5, sequenceResetThreshold, clock: () => now };
  let generator = format.generator({ ...options, isolated: true });
  const found: number[][] = [];
  for (const count of counts) {
    now++;
    if (restart) {
      const snapshot = generator.snapshot();
      emptyRegistry();
      generator = format.generator({ ...options, snapshot });
    }
    const ids: number[] = call === "nextMany" ? generator.nextMany(count) : [];
    while (ids.length < count) {
      ids.push(call === "next" ? generator.next() : await generator.nextAsync());
    }
    found.push(ids.map((id) => format.inspect(id).sequence));
  }
  return found;
}

const CALLS = ["next", "nextMany", "nextAsync"] as const;

test("sequenceResetThreshold: every story of four ticks, against a sequence that only a reset ends", async () => {
  const { capacity } = format;
  for (let threshold = 0; threshold < capacity; threshold++) {
    for (let story = 0; story < capacity ** 4; story++) {
      const counts = [0, 1, 2, 3].map((tick) => 1 + (Math.floor(story / capacity ** tick) % capacity));
      let sequence = 0;
      const wanted = counts.map((count) => {
        sequence = sequence >= threshold ? 0 : sequence;
        return Array.from({ length: count }, () => sequence++ % capacity);
      });
      const call = CALLS[story % 2] as "next" | "nextMany";
      const found = await sequences(threshold, counts, call, story % 3 === 0);
      assert.deepEqual(found, wanted, `threshold ${threshold}, ${counts}, ${call}`);
    }
  }
});
