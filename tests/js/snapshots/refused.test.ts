// Snapshots that are refused: damaged, impossible, foreign, or contradicted by options. The order of their keys says nothing. That a
// restart repeats nothing, and that a snapshot counts from the making of a generator, is in tests/stories (restart.json, merging.json)
// and in fuzz/clock.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Stage } from "../generator/stage.ts";
import type { Snapshot } from "../support/any-format.ts";
import { FORMATS, type FormatUnderTest } from "../support/formats.ts";
import { OtherProcess } from "../support/other-process.ts";
import { outcome } from "../support/scripted-clock.ts";

/** A generator in the middle of its format's life, in a process of its own. */
const stageFor = (subject: FormatUnderTest, options: Record<string, unknown> = {}): Stage =>
  new Stage(subject, "scarce", options, new OtherProcess());

/** A snapshot that has been stored as JSON. */
const stored = (stage: Stage): Snapshot => JSON.parse(JSON.stringify(stage.generator.snapshot()));

/** Changes that make a snapshot invalid. They apply to formats with such a field. */
const DAMAGE: Readonly<Record<string, readonly unknown[]>> = {
  version: [undefined, null, 0, 2, 1.5, "1", Number.NaN],
  format: [undefined, null, "", "snowflakes", 1],
  epoch: [undefined, null, 0.5, -1, "0", Number.NaN],
  tickMs: [undefined, 0, 2, "1", Number.NaN],
  layout: [undefined, null, [], "layout", [{ name: "time", bits: 41 }]],
  fields: [undefined, null, 5],
  highest: [undefined, null, -2, 0.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, "5", [5]],
  last: [null, -2, 0.5, 2 ** 53, Number.NaN, "5"],
  sequence: [undefined, null, -1, 0.5, 2 ** 53, Number.NaN, "5"],
  left: [undefined, null, -1, 0.5, 2 ** 53, Number.NaN, "5"],
  at: [null, 5, "at", {}, []],
  partition: [undefined, null, -1, 65_536, 0.5, "7", [1], [1, 2, 3], [256, 0], {}],
  sequenceMin: [undefined, null, -1, 65_536, 0.5, "7"],
  sequenceMax: [undefined, null, -1, 65_536, 0.5, "7"],
  now: [null, 0.5, Number.NaN, "5", Symbol("5")],
  wallHi: [undefined, null, -1, 0.5, 2 ** 39, Number.NaN, "5"],
  wallSafe: [undefined, null, -1, 0.5, 2 ** 39, Number.NaN, "5"],
  drifts: [undefined, null, -1, 0.5, 2 ** 32, Number.NaN, "5"],
};

const AT_DAMAGE: Readonly<Record<string, readonly unknown[]>> = {
  highest: [undefined, null, -2, 0.5, 2 ** 53, "5"],
  sequence: [undefined, null, -1, 0.5, 2 ** 53, "5"],
  left: [undefined, null, -1, 0.5, 2 ** 53, "5"],
  wrapped: [undefined, null, 0, "true"],
  firstLive: [undefined, null, -2, 0.5, 2 ** 53, "5"],
};

test("a damaged snapshot, or one of a later version, is refused as a snapshot", () => {
  let tried = 0;
  for (const subject of FORMATS) {
    const stage = stageFor(subject);
    stage.generator.at(stage.at(-20));
    stage.issue(0, 1);
    const good = stored(stage);
    const refused = (what: string, snapshot: unknown) => {
      tried++;
      const code = outcome(() => stageFor(subject, { snapshot }));
      assert.equal(code, "SNAPSHOT", `${subject.name}: ${what}`);
    };
    for (const [field, values] of Object.entries(DAMAGE)) {
      if (field in good) {
        for (const value of values) {
          refused(`${field} ${String(value)}`, { ...good, [field]: value });
        }
      }
    }
    for (const [field, values] of Object.entries(AT_DAMAGE)) {
      for (const value of values) {
        refused(`at.${field} ${String(value)}`, { ...good, at: { ...(good.at as object), [field]: value } });
      }
    }
    for (const [name, bits] of Object.entries((good.fields as Record<string, number>) ?? {})) {
      for (const value of [undefined, -1, 0.5, 2 ** 20, String(bits)]) {
        refused(`fields.${name} ${value}`, {
          ...good,
          fields: { ...(good.fields as object), [name]: value },
        });
      }
    }
    // The unchanged snapshot is accepted.
    stageFor(subject, { snapshot: good });
  }
  assert.ok(tried > 500);
});

test("a snapshot whose numbers cannot all be true is refused", () => {
  for (const subject of FORMATS) {
    const stage = stageFor(subject);
    stage.issue(0, Math.min(2, subject.perTick));
    const good = stored(stage);
    const at = good.at as object;
    const last = 1_000_000;
    const bad: Record<string, unknown>[] = [
      { last: last - 1 },
      { at: { ...at, firstLive: -1 } },
      { at: { ...at, firstLive: last + 1 } },
    ];
    // A random value leaves one, or none; a counter all but itself, if it goes on from tick to tick.
    bad.push({ left: subject.page === "ulid-flake" ? 2 : subject.format.capacity });
    for (const change of bad) {
      const code = outcome(() => stageFor(subject, { snapshot: { ...good, ...change } }));
      assert.equal(code, "SNAPSHOT", `${subject.name}: ${JSON.stringify(change)}`);
    }
  }
});

test("a foreign snapshot is refused as a snapshot", () => {
  const snapshots = FORMATS.map((subject) => {
    const stage = stageFor(subject);
    stage.issue(0);
    return stored(stage);
  });
  for (const subject of FORMATS) {
    for (const [i, snapshot] of snapshots.entries()) {
      if (subject.format.name !== FORMATS[i]?.format.name) {
        const { format } = subject;
        const code = outcome(() => format.generator({ snapshot }).stats());
        assert.equal(code, "SNAPSHOT", `${FORMATS[i]?.name}'s, given to ${subject.name}`);
      }
    }
    for (const snapshot of [null, 5, "snapshot", () => undefined]) {
      const code = outcome(() => subject.format.generator({ ...subject.fixed, snapshot }));
      assert.ok(code === "TYPE" || code === "SNAPSHOT", `${subject.name}: ${String(snapshot)}: ${code}`);
    }
  }
});

test("options that contradict the snapshot are a conflict; those that agree, or are left out, are not", () => {
  for (const subject of FORMATS) {
    const stage = stageFor(subject);
    stage.issue(0);
    const snapshot = stored(stage);
    const fixed = { ...subject.fixed, ...subject.room("scarce") } as Record<string, unknown>;
    for (const [name, value] of Object.entries(fixed)) {
      if (typeof value === "number") {
        const another = name === "sequenceMax" ? value + 1 : value - 1;
        const code = outcome(() => subject.format.generator({ ...fixed, snapshot, [name]: another }));
        assert.equal(code, "CONFLICT", `${subject.name}: ${name}`);
        const { [name]: _, ...others } = fixed;
        subject.format.generator({ ...others, snapshot });
      }
    }
    subject.format.generator({ ...fixed, snapshot });
    subject.format.generator({ snapshot, clock: () => 0 });
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
  for (const subject of FORMATS) {
    const stage = stageFor(subject);
    stage.issue(0);
    const snapshot = stored(stage);
    const turned = reversed(snapshot) as Snapshot;
    assert.notEqual(JSON.stringify(turned), JSON.stringify(snapshot));
    const restored = (given: unknown) =>
      stageFor(subject, { snapshot: given, sequenceFull: "borrow" }).issue(0)[0];
    assert.equal(restored(turned), restored(snapshot), subject.name);
    if (Array.isArray(turned.layout)) {
      const [time, ...others] = turned.layout as { bits: number }[];
      const wider = [{ ...time, bits: (time?.bits ?? 0) + 1 }, ...others];
      for (const layout of [wider, [time, ...others, time], others]) {
        const code = outcome(() => restored({ ...turned, layout }));
        assert.equal(code, "SNAPSHOT", subject.name);
      }
    }
  }
});
