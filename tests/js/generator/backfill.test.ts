// `at(time)`: the cases that tests/stories/backfill.json does not have.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Id } from "../support/any-format.ts";
import type { OtherProcess } from "../support/other-process.ts";
import { ask, CALLS, outcome, Stage, stands } from "./scripted-clock.ts";
import { FULL, SUBJECTS, type Subject } from "./subjects.ts";

const counters = SUBJECTS.filter((subject) => subject.page !== "ulid-flake");

function stageFor(subject: Subject, options: Record<string, unknown> = {}, process?: OtherProcess): Stage {
  const { epoch, layout } = subject.format;
  return new Stage(subject, epoch + 1_000_000 * layout.tickMs, "scarce", options, process);
}

/** The outcome of `at` for a time this many ticks after the stage's. */
const at = (stage: Stage, ticks: number) => outcome(() => stage.generator.at(stage.at(ticks)));

/** The tick relative to the stage's, and the sequence field. */
function parts({ subject, high, tick }: Stage, id: unknown): [number, number] {
  assert.ok(subject.format.isValid(id), `${subject.name}: ${id}`);
  const found = subject.format.inspect(id as Id);
  return [found.ticks - (high - subject.format.epoch) / tick, found[subject.counts] as number];
}

test("at: a time is floored to its tick, and may be a Date", () => {
  for (const subject of SUBJECTS) {
    const stage = stageFor(subject);
    const late = stage.high + stage.tick - (subject.name === "mastodon" ? 0.6 : 0.001);
    assert.equal(parts(stage, stage.generator.at(late))[0], 0, subject.name);
    assert.equal(parts(stage, stage.generator.at(new Date(stage.at(1))))[0], 1, subject.name);
  }
});

test("at: no more IDs in a tick than fit", () => {
  for (const subject of counters) {
    const stage = stageFor(subject);
    const ids = Array.from({ length: subject.perTick }, () => at(stage, 7));
    assert.equal(new Set(ids).size, subject.perTick, subject.name);
    assert.equal(at(stage, 7), "SEQUENCE_FULL", subject.name);
    // The refusal left no trace: the next ID is that of a twin without a refusal.
    const twin = stageFor(subject);
    for (let i = 0; i < subject.perTick; i++) {
      at(twin, 7);
    }
    assert.equal(at(stage, 8), at(twin, 8), subject.name);
  }
});

test("at: no time at or after the first live tick", () => {
  for (const subject of SUBJECTS) {
    const stage = stageFor(subject);
    stage.issue(20);
    stage.issue(30);
    assert.equal(parts(stage, at(stage, 19))[0], 19, subject.name);
    for (const ticks of [20, 21, 30, 31, 1000]) {
      assert.equal(at(stage, ticks), "TIME_TAKEN", `${subject.name}: ${ticks}`);
    }
    assert.throws(() => stage.generator.at(stage.at(20)), /identity of its own/);
  }
});

test("at: the refusal of a lower time says that times must ascend, once the counter has wrapped", () => {
  for (const subject of counters) {
    const stage = stageFor(subject);
    const wrap = (ticks: number) => {
      Array.from({ length: subject.perTick }, () => at(stage, ticks));
      at(stage, ticks + 1);
      assert.throws(() => stage.generator.at(stage.at(ticks)), /times must ascend; sort them/, subject.name);
    };
    wrap(7);
    stage.issue(20);
    wrap(17);
    assert.throws(() => stage.generator.at(stage.at(20)), /identity of its own/, subject.name);
  }
});

test("at: live ticks at or below the highest time given are refused, whatever the policies", async () => {
  for (const subject of SUBJECTS) {
    for (const clockBackwards of subject.backwards) {
      for (const sequenceFull of FULL) {
        for (const call of CALLS) {
          const stage = stageFor(subject, { clockBackwards, sequenceFull });
          at(stage, 40);
          for (const ticks of [0, 39, 40]) {
            stage.clock.script([stage.at(ticks)], stands);
            const seen = await ask(stage, call);
            assert.equal(
              seen.error?.code,
              "TIME_TAKEN",
              `${subject.name}, ${clockBackwards}, ${call}: ${ticks}`,
            );
          }
          stage.clock.script([stage.at(41)], stands);
          const { ids } = await ask(stage, call);
          assert.equal(parts(stage, ids[0])[0], 41);
        }
      }
    }
  }
});

test("at: the ends of the format's time", () => {
  for (const subject of SUBJECTS) {
    const { epoch, endOfLife, layout } = subject.format;
    const stage = stageFor(subject);
    const times = [epoch - 1, epoch, endOfLife, endOfLife + layout.tickMs - 1, endOfLife + layout.tickMs];
    const found = times.map((time) => outcome(() => stage.generator.at(time)));
    assert.deepEqual(
      found.map((id) => (typeof id === "string" && /^[A-Z]+_/.test(id) ? id : "issued")),
      [
        "BEFORE_EPOCH",
        "issued",
        "issued",
        stage.room === "scarce" && subject.perTick === 1 ? "SEQUENCE_FULL" : "issued",
        "END_OF_LIFE",
      ],
      subject.name,
    );
  }
});

test("at: never the tick-tock bit, and with a metabyte", async () => {
  const { sno } = await import("graupel/sno");
  let now = sno.epoch + 4_000_000;
  const generator = sno.generator({ partition: 3, clock: () => now, isolated: true });
  generator.next();
  now -= 400;
  assert.equal(sno.inspect(generator.next()).tickTock, 1);
  const { tickTock, metabyte, partition, ticks } = sno.inspect(generator.at(now - 4, 200));
  assert.deepEqual([tickTock, metabyte, partition, ticks], [0, 200, 3, 999_899]);
  // The first live tick is the lower of the two tick-tock lines.
  assert.equal(
    outcome(() => generator.at(now)),
    "TIME_TAKEN",
  );
});
