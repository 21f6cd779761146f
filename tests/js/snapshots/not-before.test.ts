/**
 * `notBefore`: all earlier ticks are used up in the shared state as soon as the generator is
 * created. Tests which ticks, to the fraction of a millisecond, and for which generators. For what
 * a generator then returns, see tests/stories/not-before.json.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { sno, snowflake } from "graupel";
import { MIDDLE, Stage } from "../generator/stage.ts";
import { FORMATS, type FormatUnderTest } from "../support/formats.ts";
import { emptyRegistry } from "../support/other-process.ts";
import { outcome } from "../support/scripted-clock.ts";

/**
 * The reading at which the tick of `high` begins: half a millisecond earlier if times are rounded.
 */
const begins = ({ name, format }: FormatUnderTest): number =>
  format.epoch + MIDDLE * format.layout.tickMs - (name === "mastodon" ? 0.5 : 0);

/**
 * The outcome of a call at a reading this many ticks after `high`. For an ID, its tick relative to
 * `high`.
 */
function at(stage: Stage, ticks: number, generator = stage.generator): unknown {
  const found = outcome(() => stage.issue(ticks, 1, generator)[0]);
  return stage.subject.format.isValid(found) ? stage.tickOf(found) : found;
}

test("notBefore: ticks that begin before it are spent, and the first that does not is free", () => {
  for (const subject of FORMATS) {
    const stage = (notBefore: unknown, more = {}) =>
      new Stage(subject, "roomy", { sequenceFull: "throw", notBefore, ...more });
    const limit = begins(subject);
    assert.equal(at(stage(limit), 0), 0, subject.name);
    assert.equal(at(stage(limit + 0.25), 0), "SEQUENCE_FULL", subject.name);
    assert.equal(at(stage(limit + 0.25), 1), 1, subject.name);
    assert.equal(at(stage(limit), -1), "SEQUENCE_FULL", subject.name);
    // A Date has whole milliseconds, so it is at or before the limit. In both cases, the tick after
    // `high` is free.
    const date = new Date(Math.floor(limit + 0.5));
    assert.equal(at(stage(date), 1), 1, subject.name);
    assert.equal(at(stage(date), -1), "SEQUENCE_FULL", subject.name);
    // Times that use up no tick, and one that uses up all.
    for (const early of [subject.format.epoch - 1, -8.64e15]) {
      assert.equal(at(stage(early), -MIDDLE), -MIDDLE, subject.name);
    }
    const { endOfLife, layout } = subject.format;
    const over = stage(Math.min(8.64e15, endOfLife + layout.tickMs), { sequenceFull: "wait" });
    assert.equal(at(over, 0), "END_OF_LIFE", subject.name);
  }
});

test("notBefore: half a millisecond counts, also where a double of the time since the epoch has none", () => {
  const epoch = -(2 ** 52);
  const format = snowflake({ epoch, fields: { time: 53, sequence: 8 } });
  const ids = (notBefore: number, now: number) =>
    outcome(() => {
      const generator = format.generator({
        isolated: true,
        sequenceFull: "throw",
        notBefore,
        clock: () => now,
      });
      return format.inspect(generator.next()).timestamp;
    });
  assert.equal(ids(1000.5, 1000), "SEQUENCE_FULL");
  assert.equal(ids(1000.5, 1001), 1001);
  assert.equal(ids(1000, 1000), 1000);
});

test("sno without a partition: the shared one is spent at once where there is one, else at the first operation", () => {
  emptyRegistry();
  const start = Date.UTC(2025, 0, 1);
  const options = { clock: () => start, sequenceFull: "borrow" } as const;
  const first = sno.generator({ ...options, notBefore: start + 40 });
  assert.equal(sno.inspect(first.next()).timestamp, start + 40);
  const other = sno.generator(options);
  sno.generator({ ...options, notBefore: start + 80 });
  assert.equal(sno.inspect(other.next()).timestamp, start + 80);
});
