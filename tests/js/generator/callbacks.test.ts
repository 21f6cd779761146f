// `onClockBackwards` and `onOverflow`: their events, and when they come. (Those that throw or call the generator are in fuzz/clock.)
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Backwards,
  FORMATS,
  type FormatUnderTest,
  FULL,
  type Full,
  type Room,
} from "../support/formats.ts";
import { outcome } from "../support/scripted-clock.ts";
import { ask, CALLS, Stage } from "./stage.ts";

function stageFor(subject: FormatUnderTest, room: Room, options: Record<string, unknown>): Stage {
  const bound = 5000 * subject.format.layout.tickMs;
  return new Stage(subject, room, { maxWaitMs: bound, maxAheadMs: bound, ...options });
}

/** Each way to count; other layouts with as many or more IDs in a tick count as one of these does. */
const COUNTED = FORMATS.filter(({ perTick }) => perTick <= 1024);

/** Every combination of policies. */
function* combinations(): Generator<[FormatUnderTest, Backwards, Full]> {
  for (const subject of COUNTED) {
    for (const backwards of subject.backwards) {
      for (const full of FULL) {
        yield [subject, backwards, full];
      }
    }
  }
}

test("onClockBackwards: the reading and the highest one, once a call that meets it", async () => {
  for (const [subject, clockBackwards, sequenceFull] of combinations()) {
    for (const call of CALLS) {
      const events: unknown[] = [];
      const options = {
        clockBackwards,
        sequenceFull,
        onClockBackwards: (event: unknown) => events.push(event),
      };
      const stage = stageFor(subject, "roomy", options);
      const name = `${subject.name}, ${clockBackwards}, ${sequenceFull}, ${call}`;
      stage.issue(0, 2);
      stage.issue(1);
      stage.issue(1.25);
      assert.deepEqual(events, [], `${name}: a clock that ran on`);
      stage.run(-3);
      await ask(stage, call);
      const event = { reading: stage.at(-3), highest: stage.at(1) };
      // sno's batch continues with the other tick-tock bit, where the clock is not behind; elsewhere it is behind for each ID.
      const times = clockBackwards === "hold" && call === "nextMany" ? 2 : 1;
      assert.deepEqual(events, Array(times).fill(event), name);
    }
  }
});

test("onOverflow: time and count, once a tick that is used up", async () => {
  for (const [subject, clockBackwards, sequenceFull] of combinations()) {
    for (const call of ["next", "nextMany"] as const) {
      const events: unknown[] = [];
      const options = { clockBackwards, sequenceFull, onOverflow: (event: unknown) => events.push(event) };
      const stage = stageFor(subject, "scarce", options);
      const name = `${subject.name}, ${clockBackwards}, ${sequenceFull}, ${call}`;
      stage.fill();
      assert.deepEqual(events, [], `${name}: before the tick is asked for more than it holds`);
      stage.run(0);
      await ask(stage, call);
      // The number of waiting calls: 1 if this call waits.
      const waits = sequenceFull === "wait" || (sequenceFull === "throw" && call === "nextMany");
      const event = { time: stage.high, count: waits ? 1 : 0, ticks: 1 };
      assert.deepEqual(events, [event], name);
      if (sequenceFull === "throw" && call === "next") {
        stage.clock.stand(stage.high);
        outcome(() => stage.generator.next());
        outcome(() => stage.generator.next());
        assert.equal(events.length, 1, `${name}: again in the same tick`);
      }
    }
  }
});
