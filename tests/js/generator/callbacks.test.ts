// `onClockBackwards` and `onOverflow`: their events, and callbacks that throw. (Those that call the generator are in fuzz/clock.)
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { OtherProcess } from "../support/other-process.ts";
import { outcome, settled } from "../support/scripted-clock.ts";
import { fakeTimers } from "./full-tick.ts";
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

test("onOverflow: calls that wait in nextAsync are counted each millisecond, and their end is told", async () => {
  const timers = fakeTimers("setTimeout");
  for (const subject of SUBJECTS) {
    const events: { time: number; count: number; ticks: number }[] = [];
    const stage = stageFor(subject, "scarce", {
      onOverflow: (event: (typeof events)[0]) => events.push(event),
    });
    stage.fill();
    stage.clock.stand(stage.high);
    const calls = [stage.generator.nextAsync(), stage.generator.nextAsync()];
    for (let ms = 0; ms < 6; ms++) {
      timers.tick(1);
      await settled();
    }
    stage.run(1);
    for (let ms = 0; ms < 4; ms++) {
      timers.tick(1);
      await settled();
    }
    await Promise.all(calls);
    const told = events.map(({ count, ticks }) => [count, ticks]);
    assert.deepEqual(
      told.slice(0, 2),
      [
        [2, 1],
        [2, 5],
      ],
      subject.name,
    );
    assert.equal(told.at(-1)?.[0], 0, `${subject.name}: the end`);
    assert.deepEqual([events[0]?.time, events[1]?.time], [stage.high, stage.high], subject.name);
  }
});

test("callbacks may throw: it comes through, and does the generator no harm", () => {
  const mine = new Error("the callback's own");
  for (const [subject, clockBackwards, sequenceFull] of combinations()) {
    for (const callback of ["onClockBackwards", "onOverflow"] as const) {
      for (const call of ["next", "nextMany"] as const) {
        const name = [subject.name, clockBackwards, sequenceFull, callback, call].join(", ");
        const options = { clockBackwards, sequenceFull };
        const fail = () => {
          throw mine;
        };
        const stage = stageFor(subject, "scarce", { ...options, [callback]: fail });
        stage.clock.stand(stage.high);
        const before = stage.generator.nextMany(subject.perTick);
        stage.run(callback === "onOverflow" ? 0 : -3);
        assert.throws(
          () => stage.generator[call](2),
          (error) => error === mine,
          name,
        );
        // It continues as a generator does that is restored from its snapshot.
        const snapshot = stage.generator.snapshot();
        const heir = stageFor(subject, "scarce", { ...options, snapshot }, new OtherProcess());
        stage.run(20_000);
        heir.run(20_000);
        const id = stage.generator.next();
        assert.equal(id, heir.generator.next(), name);
        assert.ok(!before.includes(id), name);
      }
    }
  }
});

test("onClockBackwards may throw in nextAsync: the call is rejected with it", async () => {
  for (const subject of SUBJECTS) {
    const mine = new Error("the callback's own");
    const onClockBackwards = () => {
      throw mine;
    };
    const stage = stageFor(subject, "roomy", { onClockBackwards });
    const [first] = stage.issue(0);
    stage.clock.stand(stage.at(-1));
    await assert.rejects(stage.generator.nextAsync(), (error) => error === mine);
    stage.clock.stand(stage.at(0));
    const next = await stage.generator.nextAsync();
    assert.ok(next !== first && subject.format.isValid(next), subject.name);
  }
});

/** Waits until an event reports this many waiting calls. Fails after far more turns of the event loop than that takes. */
async function seen(counts: number[], count: number, name: string): Promise<void> {
  for (let turn = 0; !counts.includes(count); turn++) {
    assert.ok(turn < 5000, `${name}: no word of ${count} calls that wait`);
    await pause(1);
  }
  counts.length = 0;
}

test("onOverflow may throw while calls wait: they are served, and it is reported once, as nobody's", async () => {
  const mine = new Error("the callback's own");
  const thrown: unknown[] = [];
  process.setUncaughtExceptionCaptureCallback((error) => thrown.push(error));
  try {
    for (const subject of SUBJECTS) {
      const counts: number[] = [];
      const onOverflow = ({ count }: { count: number }) => {
        counts.push(count);
        throw mine;
      };
      const stage = stageFor(subject, "scarce", { onOverflow });
      for (const ticks of [0, 100]) {
        stage.clock.stand(stage.at(ticks));
        stage.generator.nextMany(subject.perTick);
        const calls = [stage.generator.nextAsync(), stage.generator.nextAsync()];
        const all = Promise.all(calls);
        all.catch(() => undefined);
        await seen(counts, 2, subject.name);
        stage.run(ticks + 1);
        assert.equal(new Set(await all).size, 2, subject.name);
        // The end of the wait is reported, too.
        await seen(counts, 0, subject.name);
      }
      await pause(1);
      assert.deepEqual(thrown.splice(0), [mine], `${subject.name}: told ${counts.length} times`);
    }
  } finally {
    process.setUncaughtExceptionCaptureCallback(null);
  }
});
