// Snapshots that are rejected: damaged, impossible, foreign, of a class, or contradicted by
// options. The order of their keys does not matter. tests/stories (restart.json, merging.json) and
// fuzz/clock check that a restart repeats nothing and that a snapshot counts from the creation of a
// generator. bounds.test.ts checks the effect of each number.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { GraupelError } from "graupel";
import { HEIRS, PLAIN } from "../fuzz/input/objects.ts";
import { Stage } from "../generator/stage.ts";
import type { Snapshot } from "../support/any-format.ts";
import { FORMATS, type FormatUnderTest } from "../support/formats.ts";
import { OtherProcess } from "../support/other-process.ts";
import { outcome } from "../support/scripted-clock.ts";

/** A generator in the middle of its format's life, in a separate process. */
const stageFor = (subject: FormatUnderTest, options: Record<string, unknown> = {}): Stage =>
  new Stage(subject, "scarce", options, new OtherProcess());

/** The snapshot of a generator that has issued IDs, after a round trip through JSON. */
function stored(subject: FormatUnderTest, count = 1): Snapshot {
  const stage = stageFor(subject);
  if (count > 0) stage.generator.at(stage.at(-20));
  stage.issue(0, Math.min(count, subject.perTick));
  return JSON.parse(JSON.stringify(stage.generator.snapshot()));
}

const refuses = (subject: FormatUnderTest, snapshot: unknown, what: string, code = "SNAPSHOT") =>
  assert.equal(
    outcome(() => stageFor(subject, { snapshot })),
    code,
    `${subject.name}: ${what}`,
  );

/**
 * Values that no number in a snapshot can have. Some keys are optional, because snapshots of
 * earlier versions lack them.
 */
const NO_NUMBER = [undefined, null, 0.5, -2, 2 ** 53, Number.NaN, "5", [5]];
const MAY_LACK = ["last", "at", "now"];

/**
 * Values of another type, and numbers beyond the limits of certain keys. They apply to formats with
 * such a key.
 */
const DAMAGE: Readonly<Record<string, readonly unknown[]>> = {
  version: [0, 2],
  format: [undefined, null, "", "snowflakes", 1],
  tickMs: [0, 2],
  layout: [undefined, null, [], "layout", [{ name: "time", bits: 41 }]],
  fields: [undefined, null, 5],
  at: [null, 5, "at", {}, []],
  partition: [65_536, [1, 2, 3], [256, 0], {}],
  sequenceMin: [65_536],
  sequenceMax: [65_536],
  now: [Symbol("5")],
  wallHi: [2 ** 39],
  wallSafe: [2 ** 39],
  drifts: [2 ** 32],
  wrapped: [undefined, null, 0, "true"],
};

/** Damages each property of an object in turn. Yields the path, the value and the damaged object. */
function* damaged(good: Readonly<Record<string, unknown>>): Generator<[string, unknown, object]> {
  for (const [key, own] of Object.entries(good)) {
    // A reading has no limits.
    const numbers = key === "now" ? [null, 0.5, Number.NaN, "5"] : NO_NUMBER;
    const wrong = [...(DAMAGE[key] ?? []), ...(typeof own === "number" ? numbers : [])];
    for (const value of wrong) {
      if (value === undefined && MAY_LACK.includes(key)) continue;
      yield [key, value, { ...good, [key]: value }];
    }
    if (key === "at" || key === "fields") {
      for (const [path, value, part] of damaged(own as typeof good))
        yield [`${key}.${path}`, value, { ...good, [key]: part }];
    }
  }
}

test("a damaged snapshot, or one of a later version, is refused as a snapshot", () => {
  let tried = 0;
  for (const subject of FORMATS) {
    const good = stored(subject);
    for (const [path, value, snapshot] of damaged(good)) {
      tried++;
      assert.throws(
        () => stageFor(subject, { snapshot }),
        // The error also names an element of a partition.
        ({ code, field }: GraupelError) => code === "SNAPSHOT" && field?.startsWith(`snapshot.${path}`),
        `${subject.name}: ${path} ${String(value)}`,
      );
    }
    // The unchanged snapshot is accepted.
    stageFor(subject, { snapshot: good });
  }
  assert.ok(tried > 500);
});

test("a snapshot whose numbers cannot all be true is refused", () => {
  const last = 1_000_000;
  for (const subject of FORMATS) {
    const good = stored(subject, 2);
    const at = good.at as object;
    for (const change of [
      { last: last - 1, at: { ...at, firstLive: last - 1 } },
      { at: { ...at, firstLive: -1 } },
      { highest: 0, last: 0, at: { ...at, firstLive: -1 } },
      { at: { ...at, firstLive: last + 1 } },
      // In a random format, `left` is 0 or 1. In a counter that continues from tick to tick, it is
      // at most the capacity minus the issued value.
      { left: subject.isRandom ? 2 : subject.format.capacity },
    ]) {
      refuses(subject, { ...good, ...change }, JSON.stringify(change));
    }
    // Nothing is left of a tick in which no ID was issued. In sno, tick 0 counts as begun.
    if (subject.page !== "sno" && !subject.isRandom)
      refuses(subject, { ...stored(subject, 0), left: 1 }, "left");
  }
});

test("a foreign snapshot is refused as a snapshot", () => {
  for (const subject of FORMATS) {
    for (const other of FORMATS.filter(({ format }) => format.name !== subject.format.name)) {
      const snapshot = stored(other);
      const code = outcome(() => subject.format.generator({ snapshot }).stats());
      assert.equal(code, "SNAPSHOT", `${other.name}'s, given to ${subject.name}`);
    }
  }
});

test("options that contradict the snapshot are a conflict; those that agree, or are left out, are not", () => {
  for (const subject of FORMATS) {
    const snapshot = stored(subject);
    const fixed = { ...subject.fixed, ...subject.room("scarce") } as Record<string, unknown>;
    for (const [name, value] of Object.entries(fixed).filter(([, value]) => typeof value === "number")) {
      const another = name === "sequenceMax" ? Number(value) + 1 : Number(value) - 1;
      const code = outcome(() => subject.format.generator({ ...fixed, snapshot, [name]: another }));
      assert.equal(code, "CONFLICT", `${subject.name}: ${name}`);
      const { [name]: _, ...others } = fixed;
      subject.format.generator({ ...others, snapshot });
    }
    subject.format.generator({ ...fixed, snapshot });
    subject.format.generator({ snapshot, clock: () => 0 });
  }
});

/** The same values, with the keys of all objects in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, part]) => [key, reversed(part)]);
  return Object.fromEntries(entries.reverse());
}

test("a snapshot is what its values say, in whatever order its keys are", () => {
  for (const subject of FORMATS) {
    const snapshot = stored(subject);
    const turned = reversed(snapshot) as Snapshot;
    assert.notEqual(JSON.stringify(turned), JSON.stringify(snapshot));
    const restored = (given: unknown) =>
      stageFor(subject, { snapshot: given, sequenceFull: "borrow" }).issue(0)[0];
    assert.equal(restored(turned), restored(snapshot), subject.name);
    if (Array.isArray(turned.layout)) {
      const [time, ...others] = turned.layout as { bits: number }[];
      const wider = [{ ...time, bits: (time?.bits ?? 0) + 1 }, ...others];
      for (const layout of [wider, [time, ...others, time], others]) {
        refuses(subject, { ...turned, layout }, JSON.stringify(layout));
      }
    }
  }
});

/**
 * Returns a part of a snapshot, or the snapshot with the part replaced. `layout` means the first
 * field of the layout.
 */
const PARTS: Readonly<Record<string, (good: Snapshot, part?: unknown) => unknown>> = {
  "": (good, part = good) => part,
  ".at": (good, part) => (part === undefined ? good.at : { ...good, at: part }),
  ".fields": (good, part) => (part === undefined ? good.fields : { ...good, fields: part }),
  ".layout": (good, part) => {
    const [time, ...others] = (good.layout ?? []) as unknown[];
    return part === undefined ? time : { ...good, layout: [part, ...others] };
  },
};

test("parts that could inherit are refused; plain objects of any origin are taken, and read once", () => {
  for (const subject of FORMATS.filter(({ name }) => ["sno", "twitter"].includes(name))) {
    const good = stored(subject);
    for (const [place, put] of Object.entries(PARTS)) {
      const own = put(good) as Record<string, unknown> | undefined;
      if (own === undefined) continue;
      for (const [form, make] of Object.entries(HEIRS)) {
        const given = make(own);
        const code = place === "" ? "TYPE" : "SNAPSHOT";
        assert.throws(
          () => subject.format.generator({ snapshot: put(good, given), isolated: true }),
          { name: "GraupelError", code, field: `snapshot${place}`, value: given },
          form,
        );
      }
      for (const make of Object.values(PLAIN)) stageFor(subject, { snapshot: put(good, make(own)) });
      const reads: string[] = [];
      const accessors = {};
      for (const [name, value] of Object.entries(own)) {
        const get = () => {
          reads.push(name);
          return value;
        };
        Object.defineProperty(accessors, name, { enumerable: true, get });
      }
      stageFor(subject, { snapshot: put(good, accessors) });
      assert.deepEqual(reads.sort(), Object.keys(own).sort());
    }
  }
});
