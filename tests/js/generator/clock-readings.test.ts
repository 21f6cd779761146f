// The monotonic clock or the time slept limits a wait. (For invalid readings, see
// fuzz/input/twins.ts and fuzz/clock.)
import assert from "node:assert/strict";
import { test } from "node:test";
import type { GraupelError } from "graupel";
import { FORMATS } from "../support/formats.ts";
import { replace } from "../support/replace.ts";
import { ask, CALLS, MIDDLE, Stage } from "./stage.ts";

test("if the clock moves, but not far enough, the monotonic clock ends the wait", async () => {
  for (const subject of FORMATS) {
    const maxWaitMs = subject.format.layout.tickMs + 3;
    for (const call of CALLS) {
      const stage = new Stage(subject, "scarce", { sequenceFull: "wait", maxWaitMs });
      stage.fill();
      stage.clock.script([stage.high, stage.high, stage.at(0.25)]);
      const { code, field } = (await ask(stage, call)) as GraupelError;
      assert.deepEqual([code, field], ["SEQUENCE_FULL", "maxWaitMs"], `${subject.name}, ${call}`);
    }
  }
});

test("if the monotonic clock stands still, a wait naps, and may take any number of readings", () => {
  // Naps end at once, because this many readings would otherwise take half a minute.
  let naps = 0;
  const restore = replace([Atomics, "wait", () => ++naps], [performance, "now", () => 1000]);
  try {
    const [subject] = FORMATS as [(typeof FORMATS)[0]];
    let readings = 0;
    const wanted = 12_100_000;
    const clock = () => (++readings < wanted ? stage.high : stage.at(1));
    const stage = new Stage(subject, "scarce", { sequenceFull: "wait", maxWaitMs: 60_000, clock });
    stage.generator.nextMany(subject.perTick);
    readings = 0;
    assert.equal(subject.format.inspect(stage.generator.next()).ticks, MIDDLE + 1);
    assert.equal(readings, wanted);
    assert.ok(naps > 100_000);
  } finally {
    restore();
  }
});
