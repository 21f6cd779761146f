/** Which ticks an interval allows, where ticks are longer than a millisecond. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { snowflake } from "graupel";
import type { LeaseStore } from "../../../js/lease/types.ts";
import { START, Stage } from "./stage.ts";

test("a tick counts if it lies within the interval, both ends included: not if a part of it is another's", async () => {
  const stage = new Stage();
  const tickMs = 10;
  const format = snowflake({ epoch: START, tickMs, fields: { time: 39, worker: 1, sequence: 8 } });
  const interval = { from: START + 15, until: START + 1025 };
  const store: LeaseStore = {
    durable: true,
    acquire: async () => ({ number: 1, ...interval, now: stage.now() }),
    renew: async () => ({ number: 1, ...interval, now: stage.now() }),
    release: async () => {},
  };
  const lease = await stage.granted(store, { format });
  let clock = START;
  const ids = format.generator({ lease, clock: () => clock, maxWaitMs: 0 });
  const at = (ms: number) => {
    clock = START + ms;
    return ids.next();
  };
  const timeAt = (ms: number) => format.inspect(at(ms)).timestamp - START;
  // While the clock is before the interval, IDs have its first tick.
  for (const before of [0, 15, 19, 20]) assert.equal(timeAt(before), 20);
  assert.equal(timeAt(1019), 1010);
  for (const after of [1020, 1024, 1030])
    assert.throws(() => at(after), { code: "OUTSIDE_INTERVAL" }, `${after}`);
});
