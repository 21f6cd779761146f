// A snapshot or `notBefore` applies as soon as a generator is made with it, to all generators of the identity.
import assert from "node:assert/strict";
import { test } from "node:test";
import { MIDDLE, Stage } from "../generator/stage.ts";
import { SUBJECTS, type Subject } from "../generator/subjects.ts";
import type { AnyGenerator, Snapshot } from "../support/any-format.ts";
import { OtherProcess } from "../support/other-process.ts";
import { outcome, ScriptedClock } from "../support/scripted-clock.ts";

/** Without Ulid-Flake: generators with an injected source of randomness are isolated. */
const sharing = SUBJECTS.filter(({ page }) => page !== "ulid-flake");

const highOf = ({ format }: Subject): number => format.epoch + MIDDLE * format.layout.tickMs;

/** Makes unused generators in a new process. */
function unused(subject: Subject, common: Record<string, unknown> = {}) {
  const process = new OtherProcess();
  const clock = new ScriptedClock();
  const { format, fixed } = subject;
  const make = (options: Record<string, unknown> = {}): AnyGenerator =>
    process.run(() =>
      format.generator({ ...fixed, ...subject.room("roomy"), ...common, clock: clock.read, ...options }),
    );
  return { make, clock, use: process.run.bind(process) as OtherProcess["run"] };
}

/** A snapshot, stored as JSON, of a generator that has issued this many IDs in the tick of `high`. */
function snapshotOf(subject: Subject, count: number): { snapshot: Snapshot; ids: readonly unknown[] } {
  const stage = new Stage(subject, "roomy", {});
  const ids = stage.issue(0, count);
  return { snapshot: JSON.parse(JSON.stringify(stage.generator.snapshot())), ids };
}

test("a snapshot counts from the making of a generator, which need never be used", () => {
  for (const subject of sharing) {
    const { snapshot, ids } = snapshotOf(subject, 3);
    for (const live of [false, true]) {
      for (const first of [false, true]) {
        const { make, clock, use } = unused(subject);
        clock.stand(highOf(subject) - subject.format.layout.tickMs);
        const before = first ? make() : undefined;
        if (live && before !== undefined) {
          use(() => before.next());
        }
        make({ snapshot });
        const plain = before ?? make();
        clock.stand(highOf(subject));
        const id = use(() => plain.next());
        assert.ok(!ids.includes(id), `${subject.name}: repeated, ${live}, ${first}`);
        const field = subject.format.inspect(id)[subject.counts];
        assert.equal(field, 3, `${subject.name}: goes on, ${live}, ${first}`);
      }
    }
  }
});

test("of several snapshots the latest counts, in whatever order they are given", () => {
  for (const subject of sharing) {
    const all = [2, 5, 3].map((count) => snapshotOf(subject, count).snapshot);
    const { make, clock, use } = unused(subject);
    const generators = all.map((snapshot) => make({ snapshot }));
    clock.stand(highOf(subject));
    const counts = generators.map(
      (generator) => subject.format.inspect(use(() => generator.next()))[subject.counts],
    );
    assert.deepEqual(counts, [5, 6, 7], subject.name);
  }
});

/** The same values, with the keys of all objects in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(reversed);
  }
  return typeof value === "object" && value !== null
    ? Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, part]) => [key, reversed(part)]),
      )
    : value;
}

test("a snapshot is what its values say, in whatever order its keys are", () => {
  for (const subject of SUBJECTS) {
    const { snapshot } = snapshotOf(subject, 2);
    const turned = reversed(snapshot) as Snapshot;
    assert.notEqual(JSON.stringify(turned), JSON.stringify(snapshot));
    const restored = (given: unknown) =>
      new Stage(subject, "roomy", { snapshot: given }, new OtherProcess()).issue(0)[0];
    assert.equal(restored(turned), restored(snapshot), subject.name);
    if (Array.isArray(turned.layout)) {
      const [time, ...others] = turned.layout as { bits: number }[];
      const wider = [{ ...time, bits: (time?.bits ?? 0) + 1 }, ...others];
      assert.equal(
        outcome(() => restored({ ...turned, layout: wider })),
        "SNAPSHOT",
        subject.name,
      );
    }
  }
});

/** The reading at which the tick of `high` begins: half a millisecond earlier if times are rounded. */
const begins = (subject: Subject): number => highOf(subject) - (subject.name === "mastodon" ? 0.5 : 0);

/** The outcome of a call at a reading this many ticks after `high`; for an ID, its tick relative to `high`. */
function at(stage: Stage, ticks: number): unknown {
  const found = outcome(() => stage.issue(ticks)[0]);
  const { format } = stage.subject;
  return format.isValid(found) ? format.inspect(found as never).ticks - MIDDLE : found;
}

test("notBefore: ticks that begin before it are spent, and the first that does not is free", () => {
  for (const subject of SUBJECTS) {
    const stage = (notBefore: unknown, more = {}) =>
      new Stage(subject, "roomy", { sequenceFull: "throw", notBefore, ...more });
    const limit = begins(subject);
    assert.equal(at(stage(limit), 0), 0, subject.name);
    assert.equal(at(stage(limit + 0.25), 0), "SEQUENCE_FULL", subject.name);
    assert.equal(at(stage(limit + 0.25), 1), 1, subject.name);
    assert.equal(at(stage(limit), -1), "SEQUENCE_FULL", subject.name);
    // A Date has whole milliseconds, so it is at or before the limit; in both cases, the tick after `high` is free.
    assert.equal(at(stage(new Date(highOf(subject))), 1), 1, subject.name);
    assert.equal(at(stage(new Date(highOf(subject))), -1), "SEQUENCE_FULL", subject.name);
    // A time that spends nothing, and one that spends everything.
    assert.equal(at(stage(subject.format.epoch - 1), -MIDDLE), 0 - MIDDLE, subject.name);
    const { endOfLife, layout } = subject.format;
    const over = stage(Math.min(8.64e15, endOfLife + layout.tickMs), { sequenceFull: "wait" });
    assert.equal(at(over, 0), "END_OF_LIFE", subject.name);
    for (const [wrong, code] of [
      ["2025", "TYPE"],
      [Number.NaN, "RANGE"],
      [new Date(Number.NaN), "RANGE"],
    ] as const) {
      assert.throws(() => stage(wrong), { code, field: "notBefore" }, `${subject.name}: ${String(wrong)}`);
    }
  }
});

test("notBefore: the clock has not gone back; calls wait for the time, or borrow", async () => {
  for (const subject of SUBJECTS) {
    const tick = subject.format.layout.tickMs;
    const options = { notBefore: begins(subject), clockBackwards: "throw", maxWaitMs: 10 * tick };
    const stage = (sequenceFull: string) => new Stage(subject, "roomy", { ...options, sequenceFull });
    for (const ticks of [-1, -10]) {
      const waiting = stage("wait");
      waiting.run(ticks);
      const id = waiting.generator.next();
      assert.equal(subject.format.inspect(id).ticks, MIDDLE, `${subject.name}: ${ticks}`);
      const { clockRegressions, overflows } = waiting.generator.stats();
      assert.deepEqual([clockRegressions, overflows > 0], [0, true], subject.name);
      assert.equal(at(stage("borrow"), ticks), 0, subject.name);
    }
    assert.equal(at(stage("wait"), -11), "SEQUENCE_FULL", `${subject.name}: longer than maxWaitMs`);
  }
});

test("notBefore: it counts for all generators of the identity, also in a snapshot, and for given times", () => {
  for (const subject of sharing) {
    for (const live of [false, true]) {
      const { make, clock, use } = unused(subject, { sequenceFull: "throw" });
      const plain = make();
      const [high, tick] = [highOf(subject), subject.format.layout.tickMs];
      clock.stand(high - 20 * tick);
      if (live) {
        use(() => plain.next());
      }
      make({ notBefore: begins(subject) });
      clock.stand(high - tick);
      const found = use(() => outcome(() => plain.next()));
      assert.equal(found, "SEQUENCE_FULL", `${subject.name}: ${live}`);
      for (const ticks of [-1, -1000]) {
        assert.equal(
          outcome(() => plain.at(high + ticks * tick)),
          "TIME_TAKEN",
          `${subject.name}: given`,
        );
      }
      const snapshot = JSON.parse(JSON.stringify(plain.snapshot()));
      const options = { sequenceFull: "throw", snapshot };
      const heir = new Stage(subject, "roomy", options, new OtherProcess());
      assert.equal(at(heir, -1), "SEQUENCE_FULL", `${subject.name}: restored`);
      assert.equal(at(heir, 0), 0, `${subject.name}: restored`);
      clock.stand(high);
      assert.equal(subject.format.inspect(plain.next()).ticks, MIDDLE, subject.name);
    }
  }
});

test("notBefore: on sno's other line the ticks before it are spent as well", () => {
  const [subject] = SUBJECTS as [Subject];
  const options = { notBefore: highOf(subject), maxWaitMs: 0, clockBackwards: "tick-tock" };
  const stage = () => {
    const made = new Stage(subject, "roomy", options);
    made.issue(5);
    return made;
  };
  assert.equal(at(stage(), 0), 0, "the first tick that is free, with the bit toggled");
  assert.equal(at(stage(), -1), "CLOCK_BACKWARDS");
});
