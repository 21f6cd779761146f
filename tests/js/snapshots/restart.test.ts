// Snapshots: a restart repeats no ID, whatever the clock reads; and invalid snapshots are refused. How generators go on, and what
// merging comes to, is in tests/stories (restart.json, merging.json).
import assert from "node:assert/strict";
import { test } from "node:test";
import { Stage } from "../generator/stage.ts";
import { FULL, type Room, SUBJECTS, type Subject } from "../generator/subjects.ts";
import type { Id, Snapshot } from "../support/any-format.ts";
import { OtherProcess } from "../support/other-process.ts";
import { outcome } from "../support/scripted-clock.ts";

/** A process with a generator in the middle of its format's life. `maxWaitMs` is enough for every step of these stories. */
function stageFor(subject: Subject, room: Room, options: Record<string, unknown> = {}): Stage {
  const bound = 5000 * subject.format.layout.tickMs;
  const bounds = { maxWaitMs: bound, maxAheadMs: bound };
  const policies = { clockBackwards: "hold", sequenceFull: "borrow" };
  return new Stage(subject, room, { ...bounds, ...policies, ...options }, new OtherProcess());
}

/** A snapshot that has been stored as JSON. */
const stored = (stage: Stage): Snapshot => JSON.parse(JSON.stringify(stage.generator.snapshot()));

/** The situation of a snapshot: a story, and the tick of its last ID. */
interface Past {
  readonly name: string;
  readonly room: Room;
  readonly last: number;
  readonly tickTock?: true;
  tell(stage: Stage): readonly Id[];
}

const PASTS: readonly Past[] = [
  { name: "one ID", room: "roomy", last: 0, tell: (stage) => stage.issue(0) },
  { name: "three IDs", room: "roomy", last: 0, tell: (stage) => stage.issue(0, 3) },
  {
    name: "three IDs, and a later reading that issued nothing",
    room: "roomy",
    last: 0,
    tell(stage) {
      const ids = stage.issue(0, 3);
      stage.clock.stand(stage.at(7));
      return ids;
    },
  },
  {
    name: "a full tick",
    room: "scarce",
    last: 0,
    tell(stage) {
      stage.clock.stand(stage.high);
      return stage.generator.nextMany(stage.subject.perTick);
    },
  },
  {
    name: "ahead of the clock, in the middle of a tick",
    room: "scarce",
    last: 2,
    tell(stage) {
      stage.clock.stand(stage.high);
      const { perTick } = stage.subject;
      return stage.generator.nextMany(2 * perTick + Math.min(2, perTick));
    },
  },
  { name: "held", room: "roomy", last: 0, tell: (stage) => [...stage.issue(0, 2), ...stage.issue(-3)] },
  {
    name: "beside given times",
    room: "roomy",
    last: 0,
    tell: (stage) => [
      stage.generator.at(stage.at(-20)),
      stage.generator.at(stage.at(-10)),
      ...stage.issue(0, 2),
    ],
  },
  {
    name: "ticked over",
    room: "roomy",
    last: -4,
    tickTock: true,
    tell(stage) {
      const ticking = stage.another({ clockBackwards: "tick-tock" });
      return [
        ...stage.issue(-10, 2),
        ...stage.issue(0, 2),
        ...stage.issue(-8, 1, ticking),
        ...stage.issue(-4),
      ];
    },
  },
  {
    name: "ticked over, and back again",
    room: "roomy",
    last: 2,
    tickTock: true,
    tell(stage) {
      const ticking = stage.another({ clockBackwards: "tick-tock" });
      const go = (ticks: number) => stage.issue(ticks, 1, ticking);
      return [...go(0), ...go(-8), ...go(6), ...go(2)];
    },
  },
];

/** Every subject with every story that applies to it. */
function* pasts(): Generator<[Subject, Past]> {
  for (const subject of SUBJECTS) {
    for (const past of PASTS) {
      if (past.tickTock === undefined || subject.backwards.includes("tick-tock")) {
        yield [subject, past];
      }
    }
  }
}

/** The IDs of a restored generator, by every call, from a reading on. */
function onwards(heir: Stage, ticks: number): readonly Id[] {
  const { subject, generator, clock, high, tick } = heir;
  const ids: Id[] = [];
  // In one leap if far below, then by half a tick.
  const run = (last: number) => (last < heir.at(-60) ? heir.at(-60) : last + tick / 2);
  clock.script([high + ticks * tick], run);
  for (let i = 0; i < 12; i++) {
    const found = outcome(() => generator.next());
    if (subject.format.isValid(found)) {
      ids.push(found as Id);
    }
  }
  clock.script([high + ticks * tick], run);
  outcome(() => ids.push(...generator.nextMany(subject.perTick > 5 ? 50 : 5)));
  clock.script([heir.at(100)], run);
  ids.push(generator.next());
  return ids;
}

test("restored at any reading, under any policy: nothing is repeated", () => {
  for (const [subject, past] of pasts()) {
    const stage = stageFor(subject, past.room);
    const before = new Set(past.tell(stage));
    const snapshot = stored(stage);
    for (const clockBackwards of subject.backwards) {
      for (const sequenceFull of FULL) {
        for (const ticks of [-3000, -50, -9, -8, -4, -1, 0, 1, 2, 3, 6, 50]) {
          const ids = onwards(
            stageFor(subject, past.room, { clockBackwards, sequenceFull, snapshot }),
            ticks,
          );
          const name = [subject.name, past.name, clockBackwards, sequenceFull, ticks].join(", ");
          assert.equal(new Set(ids).size, ids.length, name);
          assert.ok(!ids.some((id) => before.has(id)), `${name}: issued before`);
        }
      }
    }
  }
});

test("without its counter for given times, a restored generator gives none that could repeat a live ID", () => {
  for (const [subject, past] of pasts()) {
    const stage = stageFor(subject, past.room);
    const before = new Set(past.tell(stage));
    const { at: _, now: __, ...snapshot } = stored(stage);
    const heir = stageFor(subject, past.room, { snapshot });
    const live = [...before].filter((id) => subject.format.inspect(id).ticks >= 1_000_000 + past.last);
    assert.ok(live.length > 0);
    for (let ticks = -10; ticks <= 4; ticks++) {
      const id = outcome(() => heir.generator.at(heir.at(ticks)));
      assert.ok(!live.includes(id as Id), `${subject.name}, ${past.name}: ${ticks}`);
    }
    heir.clock.stand(heir.at(50));
    assert.ok(!before.has(heir.generator.next()));
  }
});

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
  for (const subject of SUBJECTS) {
    const stage = stageFor(subject, "scarce");
    stage.generator.at(stage.at(-20));
    stage.issue(0, 1);
    const good = stored(stage);
    const refused = (what: string, snapshot: unknown) => {
      tried++;
      const code = outcome(() => stageFor(subject, "scarce", { snapshot }).subject.name);
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
    stageFor(subject, "scarce", { snapshot: good });
  }
  assert.ok(tried > 500);
});

test("a snapshot whose numbers cannot all be true is refused", () => {
  for (const subject of SUBJECTS) {
    const stage = stageFor(subject, "scarce");
    stage.issue(0, Math.min(2, subject.perTick));
    const good = stored(stage);
    const at = good.at as object;
    const last = 1_000_000;
    const bad: Record<string, unknown>[] = [
      { last: last - 1 },
      { at: { ...at, firstLive: -1 } },
      { at: { ...at, firstLive: last + 1 } },
    ];
    if (subject.page !== "ulid-flake" && subject.page !== "snowflake-si" && subject.page !== "sno") {
      // If every tick starts at 0, `left` follows from the last value.
      bad.push({ left: (good.left as number) + 1 });
    }
    for (const change of bad) {
      const code = outcome(() => stageFor(subject, "scarce", { snapshot: { ...good, ...change } }).room);
      assert.equal(code, "SNAPSHOT", `${subject.name}: ${JSON.stringify(change)}`);
    }
  }
});

test("a foreign snapshot is refused as a snapshot", () => {
  const snapshots = SUBJECTS.map((subject) => {
    const stage = stageFor(subject, "scarce");
    stage.issue(0);
    return stored(stage);
  });
  for (const subject of SUBJECTS) {
    for (const [i, snapshot] of snapshots.entries()) {
      if (subject.format.name !== SUBJECTS[i]?.format.name) {
        const { format } = subject;
        const code = outcome(() => format.generator({ snapshot }).stats());
        assert.equal(code, "SNAPSHOT", `${SUBJECTS[i]?.name}'s, given to ${subject.name}`);
      }
    }
    for (const snapshot of [null, 5, "snapshot", () => undefined]) {
      const code = outcome(() => subject.format.generator({ ...subject.fixed, snapshot }));
      assert.ok(code === "TYPE" || code === "SNAPSHOT", `${subject.name}: ${String(snapshot)}: ${code}`);
    }
  }
});

test("options that contradict the snapshot are a conflict; those that agree, or are left out, are not", () => {
  for (const subject of SUBJECTS) {
    const stage = stageFor(subject, "scarce");
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
