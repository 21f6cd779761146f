// `at(time)`: what tests/stories/backfill.json cannot express.
import assert from "node:assert/strict";
import { test } from "node:test";
import { sno } from "graupel/sno";
import { FORMATS } from "../support/formats.ts";
import { Stage } from "./stage.ts";

test("at: a time is floored to its tick, and may be a Date", () => {
  for (const subject of FORMATS) {
    const stage = new Stage(subject, "scarce");
    const late = stage.high + stage.tick - (subject.name === "mastodon" ? 0.6 : 0.001);
    assert.equal(stage.tickOf(stage.generator.at(late)), 0, subject.name);
    assert.equal(stage.tickOf(stage.generator.at(new Date(stage.at(1)))), 1, subject.name);
  }
});

test("at: a refusal says which times are free", () => {
  for (const subject of FORMATS) {
    const stage = new Stage(subject, "scarce");
    const fill = () => {
      for (;;) stage.generator.at(stage.at(7));
    };
    const advice = new RegExp(
      `${subject.counts} is used up; give a time ${stage.tick} ms later, or use compose`,
    );
    assert.throws(fill, advice, subject.name);
    assert.equal(stage.tickOf(stage.generator.at(stage.at(7) + stage.tick)), 8, subject.name);
  }
  for (const subject of FORMATS.filter(({ isRandom }) => !isRandom)) {
    const stage = new Stage(subject, "scarce");
    const at = (ticks: number) => stage.generator.at(stage.at(ticks));
    const wrap = (ticks: number) => {
      Array.from({ length: subject.perTick }, () => at(ticks));
      at(ticks + 1);
      assert.throws(() => at(ticks), /times must ascend now; sort them, or use compose/, subject.name);
    };
    wrap(7);
    stage.issue(20);
    wrap(17);
    assert.throws(() => at(20), /another worker ID/, subject.name);
  }
});

test("at: with a metabyte", () => {
  const generator = sno.generator({ partition: 3, isolated: true });
  const time = sno.epoch + 4_000_000;
  const { tickTock, metabyte, partition, ticks } = sno.inspect(generator.at(time - 4, 200));
  assert.deepEqual([tickTock, metabyte, partition, ticks], [0, 200, 3, 999_999]);
});
