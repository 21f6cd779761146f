// Calls and options: what tests/stories cannot express. (For callbacks that throw or call the
// generator, see fuzz/clock. conformance/facts.test.ts checks that generators without options follow
// the defaults.)
import assert from "node:assert/strict";
import { test } from "node:test";
import type { GraupelError } from "graupel";
import { snowflake } from "graupel/snowflake";
import { FORMATS, type FormatUnderTest, FULL, optionOf, type Room } from "../support/formats.ts";
import { OtherProcess } from "../support/other-process.ts";
import { replace } from "../support/replace.ts";
import { outcome, rushed } from "../support/scripted-clock.ts";
import { told } from "../support/user-project.ts";
import { ask, CALLS, type Call, MIDDLE, Stage } from "./stage.ts";

const WATCHED = [{}, { onOverflow() {} }];

/** The array class of `nextTyped`; undefined for text IDs. */
function typedOf({ facts: { id }, format: { layout } }: FormatUnderTest) {
  const ofBigInts = layout.isUnsigned ? BigUint64Array : BigInt64Array;
  return { string: undefined, number: Float64Array, bigint: ofBigInts }[id.type];
}

test("nextMany and nextManyText return plain arrays, nextTyped a typed array; texts have none", () => {
  for (const subject of FORMATS) {
    for (const watched of WATCHED) {
      const stage = new Stage(subject, "scarce", { maxWaitMs: 1e9, ...watched });
      const { generator } = stage;
      stage.run(0);
      for (const n of [0, 1, 3]) {
        for (const ids of [generator.nextMany(n), generator.nextManyText(n)]) {
          assert.ok(Array.isArray(ids) && ids.constructor === Array, subject.name);
          assert.deepEqual(Object.keys(ids), Object.keys("x".repeat(n)), subject.name);
        }
        const typed = typedOf(subject);
        assert.equal("nextTyped" in generator, typed !== undefined, subject.name);
        assert.equal(generator.nextTyped?.(n).constructor, typed, subject.name);
      }
    }
  }
});

test("nextMany: if the first call after a snapshot fails, it takes back its IDs", () => {
  const format = snowflake({ epoch: 0, fields: { time: 41, worker: 2, sequence: 2 } });
  const options = { worker: 1, clock: () => 1000, maxWaitMs: 0, isolated: true };
  const before = format.generator(options);
  before.next();
  const after = format.generator({ ...options, snapshot: before.snapshot() });
  assert.throws(() => after.nextMany(6), { code: "SEQUENCE_FULL" });
  assert.equal(after.stats().issued, 0);
  assert.deepEqual(after.nextMany(3), before.nextMany(3));
});

test("a batch that fails after a wait leaves no trace", () => {
  for (const subject of FORMATS) {
    for (const watched of WATCHED) {
      const options = { maxWaitMs: subject.format.layout.tickMs + 3, ...watched };
      const [mine, twin] = [new Stage(subject, "scarce", options), new Stage(subject, "scarce", options)];
      for (const one of [mine, twin]) one.issue(0, subject.perTick > 1 ? 1 : 0);
      mine.run(0, 0);
      const stuck = () => rushed(() => mine.generator.nextMany(2 * subject.perTick));
      assert.equal(outcome(stuck), "CLOCK_STUCK", subject.name);
      for (const one of [mine, twin]) one.clock.stand(one.high);
      assert.deepEqual(mine.generator.snapshot(), twin.generator.snapshot(), subject.name);
    }
  }
});

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

test("stats: each call at a reading that is behind counts", () => {
  for (const subject of FORMATS) {
    const stage = new Stage(subject, "roomy", { clockBackwards: "hold" });
    stage.issue(0);
    stage.issue(-3, 3);
    assert.equal(stage.generator.stats().clockRegressions, 3, subject.name);
  }
});

/**
 * Calls `check` under every policy, with the events of a callback. `onClockBackwards` is always set,
 * so an unexpected call of it is among the events. The formats with small ticks cover every way of
 * counting.
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
          const note = (event: unknown) => events.push(event);
          const own = { clockBackwards, sequenceFull, onClockBackwards: note, [callback]: note };
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

test("the default policies: hold (sno: tick-tock) and wait", () => {
  for (const subject of FORMATS) {
    const found = ["clockBackwards", "sequenceFull"].map((name) => optionOf(subject.facts, name)?.default);
    assert.deepEqual(found, [subject.page === "sno" ? "tick-tock" : "hold", "wait"], subject.name);
  }
});

test("ulidFlake.next() does not throw when a random step leaves the millisecond", async () => {
  const seen = await told(`
    crypto.getRandomValues = (bytes) => bytes.fill(255);
    const { ulidFlake, ulidFlakeScalable } = await import("graupel");
    const distinct = (format) => new Set(Array.from({ length: 100 }, () => format.next())).size;
    console.log(JSON.stringify([ulidFlake, ulidFlakeScalable].map(distinct)));`);
  assert.deepEqual(seen, [100, 100]);
});

test("the defaults of maxWaitMs, 100, and of maxAheadMs, 10,000", () => {
  for (const subject of FORMATS) {
    const rows = [
      [{ maxWaitMs: 0 }, "maxAheadMs", 10_000],
      [{ maxAheadMs: 0 }, "maxWaitMs", 100],
    ] as const;
    for (const [options, name, ms] of rows) {
      assert.equal(optionOf(subject.facts, name)?.default, ms, `${subject.name}, ${name}`);
      const isRefused = (ticks: number) => {
        const stage = new Stage(subject, "roomy", { clockBackwards: "hold", ...options });
        stage.issue(0);
        stage.clock.script([stage.at(-ticks), stage.high]);
        return outcome(() => stage.generator.next()) === "CLOCK_BACKWARDS";
      };
      const most = Math.floor(ms / subject.format.layout.tickMs);
      const found = [isRefused(most), isRefused(most + 1)];
      assert.deepEqual(found, [false, true], `${subject.name}, ${JSON.stringify(options)}`);
    }
  }
});

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
    const wanted = 8_100_000;
    const clock = () => (++readings < wanted ? stage.high : stage.at(1));
    const stage = new Stage(subject, "scarce", { sequenceFull: "wait", maxWaitMs: 2e6, clock });
    stage.generator.nextMany(subject.perTick);
    readings = 0;
    assert.equal(subject.format.inspect(stage.generator.next()).ticks, MIDDLE + 1);
    assert.equal(readings, wanted);
    assert.ok(naps > 100_000);
  } finally {
    restore();
  }
});
