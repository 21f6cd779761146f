/** Scripted clocks: every generator, under every policy, when the clock stands still, jumps, goes back or ends; and refusals. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GraupelError } from "graupel";
import { sightings } from "./play.ts";
import { outcome, Stage } from "./scripted-clock.ts";
import { SUBJECTS } from "./subjects.ts";

for (const subject of SUBJECTS) {
  test(`${subject.name}: every situation, every policy, every call`, async (t) => {
    const all = await sightings(subject);
    t.diagnostic(`${all.length} stories`);
    const wrong = all.filter(({ found, wanted }) => found !== wanted);
    assert.deepEqual(
      wrong.map(({ situation, clockBackwards, sequenceFull, call, found, wanted }) =>
        [situation.name, clockBackwards, sequenceFull, call, `found ${found}, wanted ${wanted}`].join(" | "),
      ),
      [],
    );
    assert.ok(all.length > 700);
  });
}

test("refusals name the argument or field, the value, and the bound", () => {
  for (const subject of SUBJECTS) {
    const { epoch, endOfLife, layout } = subject.format;
    const tick = layout.tickMs;
    const high = epoch + 1_000_000 * tick;
    const [back, full, stuck] = [
      { clockBackwards: "wait" },
      { sequenceFull: "wait" },
      { maxWaitMs: tick + 3 },
    ];
    const range = (max: number) => ({ min: 0, max });
    const ends = { min: epoch, max: endOfLife + tick };
    const rows = [
      ["CLOCK_BACKWARDS", { clockBackwards: "throw" }, high - 9, "clock", high - 9, undefined],
      ["CLOCK_BACKWARDS", { ...back, maxWaitMs: 5 }, high - 9, "maxWaitMs", 9, range(5)],
      ["SEQUENCE_FULL", { sequenceFull: "throw" }, high, subject.counts, high, undefined],
      ["SEQUENCE_FULL", { ...full, maxWaitMs: 0.25 }, high, "maxWaitMs", tick, range(0.25)],
      ["CLOCK_STUCK", { ...full, ...stuck }, high, "clock", high, undefined],
      ["BEFORE_EPOCH", {}, epoch - 9, "clock", epoch - 9, ends],
      ["END_OF_LIFE", {}, endOfLife + tick, "clock", endOfLife + tick, ends],
      ["CLOCK_INVALID", {}, Number.NaN, "clock", Number.NaN, { min: -8.64e15, max: 8.64e15 }],
    ] as const;
    for (const [code, options, reading, field, value, bound] of rows) {
      const stage = new Stage(subject, high, "scarce", options);
      stage.fill();
      stage.clock.stand(reading);
      assert.throws(
        () => stage.generator.next(),
        (error) => {
          assert.ok(GraupelError.is(error));
          const found = [error.code, error.field, error.value, error.range];
          assert.deepEqual(found, [code, field, value, bound], `${subject.name}, ${JSON.stringify(options)}`);
          return true;
        },
      );
    }
  }
});

test("what is left out: waits of 100 ms, and 10,000 ms ahead of the clock", () => {
  for (const subject of SUBJECTS) {
    const tick = subject.format.layout.tickMs;
    const high = subject.format.epoch + 1_000_000 * tick;
    const rows = [
      [{ maxWaitMs: 0 }, Math.floor(10_000 / tick)],
      [{ maxAheadMs: 0 }, Math.floor(100 / tick)],
    ] as const;
    for (const [options, most] of rows) {
      const isRefused = (ticks: number) => {
        const stage = new Stage(subject, high, "roomy", { clockBackwards: "hold", ...options });
        stage.issue(0);
        stage.clock.script([stage.at(-ticks), high]);
        return outcome(() => stage.generator.next()) === "CLOCK_BACKWARDS";
      };
      const found = [isRefused(most), isRefused(most + 1)];
      assert.deepEqual(found, [false, true], `${subject.name}, ${JSON.stringify(options)}`);
    }
  }
});
