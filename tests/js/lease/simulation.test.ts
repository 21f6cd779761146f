/**
 * Worlds in which everything goes wrong, and planted mistakes that they must find.
 * `GRAUPEL_RUNS=100` runs a hundred times as many worlds.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { seedOfRun } from "../support/random.ts";
import { happen, MISTAKES, Repeated } from "./simulation/world.ts";

const WORLDS = 3 * Number(process.env.GRAUPEL_RUNS ?? 1);
const first = seedOfRun();

test("no ID repeats, whatever happens to clocks, messages, processes and servers", async (t) => {
  let ids = 0;
  for (let seed = first; seed < first + WORLDS; seed++) {
    await happen({ seed, minutes: 1, batch: 100 }).then(
      (told) => {
        ids += told.ids;
      },
      (cause) => assert.fail(new Error(`GRAUPEL_SEED=${seed}: ${cause.message}`, { cause })),
    );
  }
  t.diagnostic(`${ids} IDs`);
  assert.ok(ids > 3000, `${ids} IDs are too few`);
});

for (const mistake of MISTAKES) {
  test(`a planted mistake repeats an ID: ${mistake}`, async () => {
    const worlds = async () => {
      for (let seed = 0; seed < 40; seed++) await happen({ seed, minutes: 2, batch: 200, mistake });
    };
    await assert.rejects(worlds, Repeated);
  });
}
