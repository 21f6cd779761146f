// `stats()`: what tests/stories/stats.json cannot say, of calls for texts and many IDs, and of readings within a tick.
import assert from "node:assert/strict";
import { test } from "node:test";
import { FORMATS } from "../support/formats.ts";
import { OtherProcess } from "../support/other-process.ts";
import { rushed } from "../support/scripted-clock.ts";
import { Stage } from "./stage.ts";

const NONE = {
  issued: 0,
  waits: 0,
  waitedMs: 0,
  clockRegressions: 0,
  largestRegressionMs: 0,
  overflows: 0,
  aheadMs: 0,
};

test("stats: each call counts its IDs, and going back within a tick is no step back", () => {
  for (const subject of FORMATS) {
    const stage = new Stage(subject, "roomy", { clockBackwards: "throw" }, new OtherProcess());
    const { generator } = stage;
    const steps = [
      ["nothing yet", 0, () => undefined],
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
      call();
      issued += count;
      assert.deepEqual(generator.stats(), { ...NONE, issued }, `${subject.name}: ${name}`);
    }
    // Another generator of the identity has the same counters.
    if (!subject.isRandom) {
      assert.deepEqual(stage.another({}).stats(), generator.stats());
    }
  }
});

test("stats: two waits of a batch are one call that waits", () => {
  for (const subject of FORMATS) {
    const stage = new Stage(subject, "scarce", { maxWaitMs: 1e9 });
    stage.run(0);
    const issued = 3 * subject.perTick;
    rushed(() => stage.generator.nextMany(issued));
    const waited = { waits: 1, waitedMs: 2 * stage.tick, overflows: 2 };
    assert.deepEqual(stage.generator.stats(), { ...NONE, ...waited, issued }, subject.name);
  }
});

test("stats: with hold, each of many calls at one reading below the highest is a step back", () => {
  for (const subject of FORMATS) {
    const stage = new Stage(subject, "roomy", { clockBackwards: "hold" }, new OtherProcess());
    stage.issue(2);
    stage.issue(0, 3);
    stage.generator.nextMany(2);
    const { issued, clockRegressions } = stage.generator.stats();
    assert.deepEqual([issued, clockRegressions], [6, 5], subject.name);
  }
});
