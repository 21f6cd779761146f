// `onClockBackwards` and `onOverflow`: their events, and when they occur. (For callbacks that throw
// or call the generator, see fuzz/clock.)
import assert from "node:assert/strict";
import { test } from "node:test";
import { FORMATS, FULL, type Room } from "../support/formats.ts";
import { outcome } from "../support/scripted-clock.ts";
import { ask, CALLS, type Call, Stage } from "./stage.ts";

/**
 * Calls `check` under every policy, with the events of a callback. The formats with small ticks
 * cover every way of counting.
 */
async function underEach(
  callback: "onClockBackwards" | "onOverflow",
  [room, calls]: readonly [Room, readonly Call[]],
  check: (stage: Stage, call: Call, events: readonly unknown[], name: string) => Promise<void>,
): Promise<void> {
  for (const subject of FORMATS.filter(({ perTick }) => perTick <= 1024)) {
    const bound = 5000 * subject.format.layout.tickMs;
    for (const clockBackwards of subject.backwards) {
      for (const sequenceFull of FULL) {
        for (const call of calls) {
          const events: unknown[] = [];
          const own = { clockBackwards, sequenceFull, [callback]: (event: unknown) => events.push(event) };
          const stage = new Stage(subject, room, { maxWaitMs: bound, maxAheadMs: bound, ...own });
          await check(stage, call, events, `${subject.name}, ${clockBackwards}, ${sequenceFull}, ${call}`);
        }
      }
    }
  }
}

test("onClockBackwards: the reading and the highest one, once per call", () =>
  underEach("onClockBackwards", ["roomy", CALLS], async (stage, call, events, name) => {
    stage.issue(0, 2);
    stage.issue(1);
    stage.issue(1.25);
    assert.deepEqual(events, [], `${name}: a clock that ran on`);
    stage.run(-3);
    await ask(stage, call);
    const event = { reading: stage.at(-3), highest: stage.at(1) };
    // sno's batch continues with the other tick-tock bit, so that the clock is no longer behind.
    // With "hold", the clock is behind for each ID.
    const times = stage.options.clockBackwards === "hold" && call === "nextMany" ? 2 : 1;
    assert.deepEqual(events, Array(times).fill(event), name);
  }));

test("onOverflow: time and count, once per full tick", () =>
  underEach("onOverflow", ["scarce", ["next", "nextMany"]], async (stage, call, events, name) => {
    const { sequenceFull } = stage.options;
    stage.fill();
    assert.deepEqual(events, [], `${name}: before the tick is asked for more than it holds`);
    stage.run(0);
    await ask(stage, call);
    // The number of waiting calls is 1 if this call waits.
    const waits = sequenceFull === "wait" || (sequenceFull === "throw" && call === "nextMany");
    assert.deepEqual(events, [{ time: stage.high, count: waits ? 1 : 0, ticks: 1 }], name);
    if (sequenceFull === "throw" && call === "next") {
      stage.clock.stand(stage.high);
      outcome(() => stage.generator.next());
      outcome(() => stage.generator.next());
      assert.equal(events.length, 1, `${name}: again in the same tick`);
    }
  }));
