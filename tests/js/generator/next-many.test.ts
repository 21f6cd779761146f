// `nextMany` and `nextTyped` return all IDs in the right arrays. Generators with and without
// callbacks use different code.
import assert from "node:assert/strict";
import { test } from "node:test";
import { snowflake } from "graupel/snowflake";
import { FORMATS, type FormatUnderTest } from "../support/formats.ts";
import { outcome, rushed } from "../support/scripted-clock.ts";
import { Stage } from "./stage.ts";

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
