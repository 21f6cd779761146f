// `onClockBackwards` and `onOverflow`: their events, when they come, and what they throw. (Those that call the generator are in fuzz/clock.)
import assert from "node:assert/strict";
import { test } from "node:test";
import { OtherProcess } from "../support/other-process.ts";
import { hurried, outcome } from "../support/scripted-clock.ts";
import { ask, CALLS, Stage } from "./stage.ts";
import { type Backwards, FULL, type Full, type Room, SUBJECTS, type Subject } from "./subjects.ts";

function stageFor(
  subject: Subject,
  room: Room,
  options: Record<string, unknown>,
  process?: OtherProcess,
): Stage {
  const bound = 5000 * subject.format.layout.tickMs;
  return new Stage(subject, room, { maxWaitMs: bound, maxAheadMs: bound, ...options }, process);
}

/** Every combination of policies. */
function* combinations(): Generator<[Subject, Backwards, Full]> {
  for (const subject of SUBJECTS) {
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

test("callbacks may throw: it comes through as it is, and does the generator no harm", async () => {
  const mine = new Error("the callback's own");
  const throws = () => {
    throw mine;
  };
  const isMine = (error: unknown) => error === mine;
  for (const [subject, clockBackwards, sequenceFull] of combinations()) {
    for (const callback of ["onClockBackwards", "onOverflow"] as const) {
      for (const call of CALLS.filter((call) => call !== "nextAsync" || callback === "onClockBackwards")) {
        const name = [subject.name, clockBackwards, sequenceFull, callback, call].join(", ");
        const options = { clockBackwards, sequenceFull };
        const stage = stageFor(subject, "scarce", { ...options, [callback]: throws });
        stage.fill();
        stage.run(callback === "onOverflow" ? 0 : -3);
        if (call === "nextAsync")
          await assert.rejects(
            hurried(() => stage.generator.nextAsync()),
            isMine,
            name,
          );
        else assert.throws(() => stage.generator[call](2), isMine, name);
        // It continues as a generator does that is restored from its snapshot.
        const snapshot = stage.generator.snapshot();
        const heir = stageFor(subject, "scarce", { ...options, snapshot }, new OtherProcess());
        stage.run(20_000);
        heir.run(20_000);
        assert.equal(stage.generator.next(), heir.generator.next(), name);
      }
    }
  }
});
