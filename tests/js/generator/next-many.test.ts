// `nextMany` and `nextTyped`: all IDs, or an error without a trace, both with callbacks and without, which are different code.
import assert from "node:assert/strict";
import { test } from "node:test";
import { snowflake } from "graupel/snowflake";
import { outcome, rushed } from "../support/scripted-clock.ts";
import { Stage } from "./stage.ts";
import { SUBJECTS, type Subject } from "./subjects.ts";

/** Situations in which a batch for two ticks fails after the first one. */
const ENDINGS = [
  { name: "no wait allowed", code: "SEQUENCE_FULL", end: false, options: { maxWaitMs: 0 }, moves: true },
  { name: "the clock stands still", code: "CLOCK_STUCK", end: false, options: {}, moves: false },
  { name: "the end of the format's time", code: "END_OF_LIFE", end: true, options: {}, moves: true },
  {
    name: "as far ahead as allowed",
    code: "SEQUENCE_FULL",
    end: false,
    options: { maxWaitMs: 0, maxAheadMs: 0, sequenceFull: "borrow" },
    moves: true,
  },
  {
    name: "borrowed up to the end of the format's time",
    code: "END_OF_LIFE",
    end: true,
    options: { sequenceFull: "borrow" },
    moves: true,
  },
] as const;

function twins(subject: Subject, end: boolean, options: Record<string, unknown>): [Stage, Stage] {
  const { endOfLife, layout } = subject.format;
  const own = { maxWaitMs: layout.tickMs + 3, ...options };
  const make = () => new Stage(subject, "scarce", own, undefined, end ? endOfLife : undefined);
  return [make(), make()];
}

for (const { name, code, end, options, moves } of ENDINGS) {
  test(`nextMany, all or an error: ${name}`, () => {
    for (const subject of SUBJECTS) {
      for (const watched of [{}, { onOverflow() {}, onClockBackwards() {} }]) {
        const [mine, twin] = twins(subject, end, { ...options, ...watched });
        for (const stage of [mine, twin]) {
          // If a tick holds several IDs, issue one first, so that the batch starts in the middle of the tick.
          stage.issue(0, subject.perTick > 1 ? 1 : 0);
        }
        const { generator } = mine;
        for (const batch of [generator.nextMany, generator.nextManyText, generator.nextTyped]) {
          mine.run(0, moves ? 1 : 0);
          const count = 2 * subject.perTick;
          assert.equal(
            outcome(() => rushed(() => (batch ?? generator.nextMany)(count))),
            code,
            `${subject.name}, ${batch?.name}`,
          );
        }
        mine.clock.stand(mine.high);
        twin.clock.stand(twin.high);
        assert.deepEqual(mine.generator.snapshot(), twin.generator.snapshot(), subject.name);
        assert.equal(mine.generator.stats().issued, twin.generator.stats().issued, subject.name);
        const rest = (stage: Stage) =>
          stage.generator.nextMany(subject.perTick > 1 ? subject.perTick - 1 : 1);
        assert.deepEqual(rest(mine), rest(twin), subject.name);
      }
    }
  });
}

test("nextMany: as many as asked for, in order, over as many ticks as it takes", () => {
  for (const subject of SUBJECTS) {
    const { perTick } = subject;
    for (const watched of [{}, { onOverflow() {} }]) {
      const [stage] = twins(subject, false, { sequenceFull: "throw", ...watched });
      stage.run(0);
      const ids = stage.generator.nextMany(perTick * 2 + 1);
      assert.equal(ids.length, perTick * 2 + 1);
      assert.equal(new Set(ids).size, ids.length, subject.name);
      const ticks = [0, perTick - 1, perTick, 2 * perTick].map((i) => stage.tickOf(ids[i]));
      assert.deepEqual(ticks, [0, 0, 1, 2], subject.name);
      assert.equal(stage.generator.nextMany(0).length, 0);
    }
  }
});

/** The array of `nextTyped`; none for texts. */
const typedOf = ({ format, page }: Subject) =>
  page === "sno" || page === "ulid-flake"
    ? undefined
    : page === "snowflake-si"
      ? Float64Array
      : format.name === "discord"
        ? BigUint64Array
        : BigInt64Array;

test("nextMany and nextManyText return plain arrays, nextTyped a typed array; texts have none", () => {
  for (const subject of SUBJECTS) {
    for (const watched of [{}, { onOverflow() {} }]) {
      const [stage] = twins(subject, false, watched);
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

test("nextTyped returns what nextMany does, also over several ticks and more than one part", () => {
  for (const subject of SUBJECTS.filter((subject) => typedOf(subject) !== undefined)) {
    for (const watched of [{}, { onOverflow() {} }]) {
      const [mine, twin] = twins(subject, false, watched);
      for (const stage of [mine, twin]) {
        stage.run(0);
      }
      for (const n of [1, 1024, 1025, Math.min(2 * subject.perTick + 1, 10_000)]) {
        const ids = Array.from(mine.generator.nextTyped?.(n) ?? []);
        assert.deepEqual(ids, twin.generator.nextMany(n), `${subject.name}, ${n}`);
      }
    }
  }
});

test("nextMany: the first call after a snapshot takes back its IDs, too, when it fails", () => {
  const format = snowflake({ epoch: 0, fields: { time: 41, worker: 2, sequence: 2 } });
  const options = { worker: 1, clock: () => 1000, maxWaitMs: 0, isolated: true };
  const before = format.generator(options);
  before.next();
  const after = format.generator({ ...options, snapshot: before.snapshot() });
  assert.throws(() => after.nextMany(6), { code: "SEQUENCE_FULL" });
  assert.equal(after.stats().issued, 0);
  assert.deepEqual(after.nextMany(3), before.nextMany(3));
});
