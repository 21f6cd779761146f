// `at(time)`: what tests/stories/backfill.json cannot express.
import assert from "node:assert/strict";
import { test } from "node:test";
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
