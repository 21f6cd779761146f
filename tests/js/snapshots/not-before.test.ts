/** `notBefore`: all earlier ticks are spent in the shared state, as soon as the generator is made. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { mastodon, nanoflake, sno, snowflake, snowflakeSI, twitter, ulidFlake } from "graupel";
import { emptyRegistry } from "../support/other-process.ts";

const START = Date.UTC(2025, 0, 1);
const epoch = Date.UTC(2024, 0, 1);
const si = snowflakeSI({ epoch });
const nano = nanoflake({ epoch });
const slow = snowflake({ epoch, tickMs: 10, fields: { time: 39, worker: 8, sequence: 8 } });

const makers = {
  sno: (options: object) => sno.generator({ partition: 1, ...options }),
  snowflakeSI: (options: object) => si.generator({ machineId: 1, ...options }),
  nanoflake: (options: object) => nano.generator({ generatorId: 1, clockBackwards: "hold", ...options }),
  twitter: (options: object) =>
    twitter.generator({ datacenterId: 1, workerId: 1, clockBackwards: "hold", ...options }),
  slow: (options: object) => slow.generator({ worker: 1, ...options }),
  ulidFlake: (options: object) => ulidFlake.generator({ clockBackwards: "hold", ...options }),
};
const formats = { sno, snowflakeSI: si, nanoflake: nano, twitter, slow, ulidFlake };
type Name = keyof typeof makers;
const names = Object.keys(makers) as Name[];

/** The start of an ID's tick, Unix milliseconds. */
const timeOf = (name: Name, id: unknown): number =>
  (formats[name].inspect as (id: unknown) => { timestamp: number })(id).timestamp;
const tickOf = (name: Name): number => formats[name].layout.tickMs;
/** The start of a tick of the format, at or after START. */
const aligned = (name: Name): number => {
  const { epoch: from } = formats[name];
  return from + Math.ceil((START - from) / tickOf(name)) * tickOf(name);
};

for (const name of names) {
  const make = makers[name];
  const tick = tickOf(name);
  const start = aligned(name);

  test(`${name}: the first ID is of the first tick that starts at the time or after it`, () => {
    for (const [notBefore, first] of [
      [start + 5 * tick, start + 5 * tick],
      [start + 5 * tick - 0.01, start + 5 * tick],
      [start + 5 * tick + 0.01, start + 6 * tick],
      [new Date(start + 5 * tick), start + 5 * tick],
      [start - 1, start],
      [0, start],
    ] as const) {
      emptyRegistry();
      const g = make({ clock: () => start, notBefore, sequenceFull: "borrow" });
      assert.equal(timeOf(name, g.next()), first, String(notBefore));
      assert.equal(g.stats().clockRegressions, 0);
    }
  });

  test(`${name}: until the clock is there, sequenceFull decides`, () => {
    let now = start;
    const notBefore = start + 3 * tick;
    const clock = () => now;
    emptyRegistry();
    const strict = make({ clock, notBefore, sequenceFull: "throw" });
    assert.throws(() => strict.next(), { code: "SEQUENCE_FULL" });
    const far = make({ clock, sequenceFull: "borrow", maxAheadMs: 3 * tick - 1, maxWaitMs: 0 });
    assert.throws(() => far.next(), { code: "SEQUENCE_FULL" });
    const patient = make({ clock, sequenceFull: "wait", maxWaitMs: 3 * tick - 1 });
    assert.throws(() => patient.next(), { code: "SEQUENCE_FULL" });
    now = notBefore - 1;
    assert.throws(() => strict.next(), { code: "SEQUENCE_FULL" });
    now = notBefore;
    assert.equal(timeOf(name, strict.next()), notBefore);
  });

  test(`${name}: the highest reading is untouched`, () => {
    emptyRegistry();
    let now = start + 2 * tick;
    const options = { clock: () => now, sequenceFull: "borrow" };
    const g = make(options);
    g.next();
    make({ ...options, notBefore: start + 50 * tick });
    now = start + 3 * tick;
    assert.equal(timeOf(name, g.next()), start + 50 * tick);
    assert.equal(g.stats().clockRegressions, 0);
    assert.equal(g.stats().aheadMs, 47 * tick);
  });

  test(`${name}: it counts for the other generators from the making on, and for at()`, () => {
    emptyRegistry();
    const options = { clock: () => start, sequenceFull: "borrow" };
    const other = make(options);
    other.next();
    make({ ...options, notBefore: start + 7 * tick });
    assert.equal(timeOf(name, other.next()), start + 7 * tick);
    emptyRegistry();
    make({ ...options, notBefore: start + 7 * tick });
    assert.equal(timeOf(name, make(options).next()), start + 7 * tick);
    for (const time of [formats[name].epoch, start - 100 * tick, start, start + 6 * tick, start + 8 * tick]) {
      assert.throws(() => make(options).at(time), { code: "TIME_TAKEN" });
    }
  });

  test(`${name}: of it and a snapshot the later counts, and a snapshot keeps it`, () => {
    emptyRegistry();
    const options = { clock: () => start + tick, sequenceFull: "borrow" };
    const g = make(options);
    g.next();
    const snapshot = g.snapshot();
    for (const [notBefore, first] of [
      [start, start + tick],
      [start + 9 * tick, start + 9 * tick],
    ] as const) {
      emptyRegistry();
      const next = make({ ...options, snapshot, notBefore });
      const kept = next.snapshot();
      const id = next.next();
      assert.equal(timeOf(name, id), first);
      emptyRegistry();
      const restored = make({ ...options, snapshot: JSON.parse(JSON.stringify(kept)) });
      const same = restored.next();
      assert.equal(timeOf(name, same), first);
      if (name !== "ulidFlake") {
        assert.equal(same, id);
      }
    }
  });

  test(`${name}: past the last tick nothing is left; before the epoch nothing is spent`, () => {
    emptyRegistry();
    const { endOfLife } = formats[name];
    const g = make({ clock: () => start, notBefore: endOfLife + 1, sequenceFull: "wait" });
    assert.throws(() => g.next(), { code: "END_OF_LIFE" });
    emptyRegistry();
    const clock = () => formats[name].epoch + tick;
    assert.equal(timeOf(name, make({ clock, notBefore: -8.64e15 }).next()), formats[name].epoch + tick);
  });

  test(`${name}: what is no time is refused`, () => {
    for (const [notBefore, code] of [
      ["2025-01-01", "TYPE"],
      [10n, "TYPE"],
      [null, "TYPE"],
      [Number.NaN, "RANGE"],
      [new Date(Number.NaN), "RANGE"],
      [8.64e15 + 1, "RANGE"],
    ]) {
      assert.throws(() => make({ notBefore }), { code, field: "notBefore" });
    }
  });
}

test("sno: neither tick-tock line goes back into what is spent", () => {
  emptyRegistry();
  let now = START;
  const options = { partition: 2, clock: () => now, maxWaitMs: 99, sequenceFull: "borrow" } as const;
  const g = sno.generator({ ...options, notBefore: START + 400 });
  assert.equal(sno.inspect(g.next()).timestamp, START + 400);
  now = START + 500;
  const { tickTock } = sno.inspect(g.next());
  // Back to a time before notBefore: the other tick-tock bit is spent there, too.
  now = START + 300;
  assert.throws(() => g.next(), { code: "CLOCK_BACKWARDS" });
  // Back to a time after it: the other tick-tock bit is free.
  now = START + 450;
  const turned = sno.inspect(g.next());
  assert.equal(turned.tickTock, 1 - tickTock);
  assert.ok(turned.timestamp >= START + 400 && turned.timestamp <= START + 450);
});

test("mastodon rounds its clock: a tick that an earlier reading may have issued is spent", () => {
  for (const [notBefore, first] of [
    [START + 5, START + 6],
    [START + 4.5, START + 5],
    [START + 4.51, START + 6],
  ] as const) {
    emptyRegistry();
    const g = mastodon.generator({ clock: () => START, notBefore, sequenceFull: "borrow" });
    assert.equal(mastodon.inspect(g.next()).timestamp, first, String(notBefore));
  }
});

test("sno without a partition: the shared one is spent at once where there is one, else at the first operation", () => {
  emptyRegistry();
  const options = { clock: () => START, sequenceFull: "borrow" } as const;
  const first = sno.generator({ ...options, notBefore: START + 40 });
  assert.equal(sno.inspect(first.next()).timestamp, START + 40);
  const other = sno.generator(options);
  sno.generator({ ...options, notBefore: START + 80 });
  assert.equal(sno.inspect(other.next()).timestamp, START + 80);
});
