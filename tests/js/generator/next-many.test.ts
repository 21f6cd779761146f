// `nextMany` and `nextTyped`: all IDs, in the right arrays, both with callbacks and without, which are different code.
import assert from "node:assert/strict";
import { test } from "node:test";
import { snowflake } from "graupel/snowflake";
import { FORMATS, type FormatUnderTest } from "../support/formats.ts";
import { outcome, rushed } from "../support/scripted-clock.ts";
import { Stage } from "./stage.ts";

function twins(subject: FormatUnderTest, options: Record<string, unknown>): [Stage, Stage] {
  const own = { maxWaitMs: subject.format.layout.tickMs + 3, ...options };
  const make = () => new Stage(subject, "scarce", own);
  return [make(), make()];
}

/** The array of `nextTyped`; none for texts. */
const typedOf = ({ format, page }: FormatUnderTest) =>
  page === "sno" || page === "ulid-flake"
    ? undefined
    : page === "snowflake-si"
      ? Float64Array
      : format.name === "discord"
        ? BigUint64Array
        : BigInt64Array;

test("nextMany and nextManyText return plain arrays, nextTyped a typed array; texts have none", () => {
  for (const subject of FORMATS) {
    for (const watched of [{}, { onOverflow() {} }]) {
      const [stage] = twins(subject, watched);
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

test("a batch that fails after a wait leaves no trace", () => {
  for (const subject of FORMATS) {
    for (const watched of [{}, { onOverflow() {} }]) {
      const [mine, twin] = twins(subject, watched);
      for (const one of [mine, twin]) one.issue(0, subject.perTick > 1 ? 1 : 0);
      mine.run(0, 0);
      const stuck = () => rushed(() => mine.generator.nextMany(2 * subject.perTick));
      assert.equal(outcome(stuck), "CLOCK_STUCK", subject.name);
      for (const one of [mine, twin]) one.clock.stand(one.high);
      assert.deepEqual(mine.generator.snapshot(), twin.generator.snapshot(), subject.name);
    }
  }
});
