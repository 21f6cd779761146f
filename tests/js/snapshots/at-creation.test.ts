// A snapshot applies as soon as a generator is made with it, to all generators of the identity.
import assert from "node:assert/strict";
import { test } from "node:test";
import { MIDDLE, Stage } from "../generator/stage.ts";
import { isRandom } from "../generator/story.ts";
import { SUBJECTS, type Subject } from "../generator/subjects.ts";
import type { AnyGenerator, Snapshot } from "../support/any-format.ts";
import { OtherProcess } from "../support/other-process.ts";
import { outcome, ScriptedClock } from "../support/scripted-clock.ts";

/** Without Ulid-Flake: generators with an injected source of randomness are isolated. */
const sharing = SUBJECTS.filter((subject) => !isRandom(subject));

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
