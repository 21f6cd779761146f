// `stats()`: what tests/stories/stats.json cannot express, such as calls for texts and for many
// IDs, and readings within a tick.
import assert from "node:assert/strict";
import { test } from "node:test";
import { FORMATS } from "../support/formats.ts";
import { OtherProcess } from "../support/other-process.ts";
import { rushed } from "../support/scripted-clock.ts";
import { Stage } from "./stage.ts";

const zeros = { issued: 0, waits: 0, waitedMs: 0, clockRegressions: 0, largestRegressionMs: 0 };
const NONE = { ...zeros, overflows: 0, aheadMs: 0 };

for (const subject of FORMATS) {
  test(`stats: ${subject.name}`, () => {
    const stage = new Stage(subject, "roomy", { clockBackwards: "throw" }, new OtherProcess());
    const { generator } = stage;
    // Each call counts its IDs. If the clock goes back within a tick, that does not count as a step
    // back.
    const steps = [
      ["two", 2, () => stage.issue(0, 2)],
      ["a batch", 2, () => generator.nextMany(2)],
      ["as text", 1, () => generator.nextText()],
      ["many texts", 1, () => generator.nextManyText(1)],
      ["for a given time", 1, () => generator.at(stage.at(-50))],
      ["later in the same tick", 1, () => stage.issue(1 - 0.5 / stage.tick)],
      ["earlier in it", 1, () => stage.issue(0)],
    ] as const;
    let issued = 0;
    for (const [name, count, call] of steps) {
      assert.deepEqual(generator.stats(), { ...NONE, issued }, `before ${name}`);
      call();
      issued += count;
    }
    // Another generator of the identity has the same counters.
    if (!subject.isRandom) assert.deepEqual(stage.another({}).stats(), { ...NONE, issued });

    // A batch that waits twice counts as one waiting call.
    const scarce = new Stage(subject, "scarce", { maxWaitMs: 1e9 });
    scarce.run(0);
    rushed(() => scarce.generator.nextMany(3 * subject.perTick));
    const waited = { issued: 3 * subject.perTick, waits: 1, waitedMs: 2 * stage.tick, overflows: 2 };
    assert.deepEqual(scarce.generator.stats(), { ...NONE, ...waited });
  });
}
