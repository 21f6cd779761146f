/**
 * A short run of `npm run test:long -- leases`: worlds in which everything goes wrong, and planted
 * mistakes that they must find.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { seedOfRun } from "../support/seed.ts";
import { Repeated } from "./simulation/issued.ts";
import { happen, MISTAKES } from "./simulation/world.ts";

const seed = seedOfRun();

test("no ID repeats, whatever happens to clocks, messages, processes and servers", async (t) => {
  let ids = 0;
  for (let n = 0; n < 8; n++) {
    t.diagnostic(`seed ${seed + n}`);
    const told = await happen({ seed: seed + n, minutes: 1, batch: 100 });
    ids += told.ids;
  }
  t.diagnostic(`${ids} IDs`);
  assert.ok(ids > 10_000, `${ids} IDs are no test`);
});

for (const mistake of MISTAKES) {
  test(`a world finds a mistake: ${mistake}`, async () => {
    let found = 0;
    for (let n = 0; n < 40 && found === 0; n++) {
      await happen({ seed: n, minutes: 2, batch: 200, mistake }).catch((error: unknown) => {
        assert.ok(error instanceof Repeated, String(error));
        found++;
      });
    }
    assert.equal(found, 1);
  });
}
