/**
 * Whatever numbers a snapshot says, a generator made from it issues nothing outside its own bounds and fixed fields, and by the clock
 * nothing that the snapshot says is spent: each number is tried at both sides of its limits, and is refused, or does no harm.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GraupelError, sno, twitter } from "graupel";
import type { AnyFormat, AnyGenerator, Id } from "../support/any-format.ts";
import { ROWS } from "../support/formats.ts";

type Plain = Record<string, unknown>;

const bounds = { sequenceMin: 1000, sequenceMax: 1007 };

/** A snapshot of a generator that has issued by the clock and for given times. */
function snapshotOf(format: AnyFormat, options: object, given: number): { snapshot: Plain; now: number } {
  const now = format.epoch + 1_000_000 * format.layout.tickMs;
  const generator = format.generator({
    ...options,
    clock: () => now,
    isolated: true,
    sequenceFull: "borrow",
  });
  for (let i = 0; i < given; i++) {
    generator.at(now + (i - 100) * format.layout.tickMs);
  }
  generator.next();
  generator.next();
  return { snapshot: JSON.parse(JSON.stringify(generator.snapshot())), now };
}

/** IDs of a generator in every way, over several ticks. `counts`: the field that counts within a tick. */
function issued(format: AnyFormat, counts: string, snapshot: Plain, now: number): Id[] {
  const ids: Id[] = [];
  const { tickMs } = format.layout;
  const last = Number(snapshot.last ?? snapshot.wallHi);
  /** Checks IDs by the clock: they follow the last one of the snapshot, unless sno's tick-tock bit is another. */
  const unspent = (made: readonly Id[]) => {
    for (const id of made) {
      const { ticks, tickTock, [counts]: value } = format.inspect(id) as unknown as Record<string, number>;
      const by = Number(value) - Number(snapshot.sequence);
      // With `sequenceStart: "continue"`, a tick can hold more values than those above its sequence, which then rolls over.
      const rolls = Number(snapshot.left) + Number(snapshot.sequence) >= format.capacity;
      const follows = Number(ticks) > last || (ticks === last && (rolls ? by !== 0 : by > 0));
      const isOther = tickTock !== undefined && tickTock !== Number(snapshot.drifts) % 2;
      assert.ok(follows || isOther, `${id}, which ${JSON.stringify(snapshot)} says is spent`);
    }
    return made;
  };
  for (const start of [now, format.epoch + last * tickMs]) {
    let clock = start;
    let generator: AnyGenerator;
    const options = { snapshot, clock: () => clock, isolated: true, sequenceFull: "borrow", maxWaitMs: 0 };
    try {
      generator = format.generator(options);
    } catch (error) {
      assert.ok(GraupelError.is(error) && ["SNAPSHOT", "TYPE"].includes(error.code), String(error));
      return ids;
    }
    // Up to a refusal: the same call would be refused again.
    const ask = (times: number, call: () => ArrayLike<Id>) => {
      try {
        for (let i = 0; i < times; i++) {
          ids.push(...Array.from(call()));
        }
      } catch (error) {
        assert.ok(GraupelError.is(error), String(error));
      }
    };
    for (const steps of [0, 1, -1, 5, -5]) {
      for (const ticks of [-100, 200, -100, 200, -100, 200]) {
        ask(4, () => [generator.at(start + (steps + ticks) * tickMs)]);
      }
      clock = start + steps * tickMs;
      ask(1, () => unspent(generator.nextMany(3)));
      ask(12, () => unspent([generator.next()]));
    }
  }
  return ids;
}

/** The numbers of a snapshot, also those of its parts, with a copy of the snapshot that has another one in its place. */
function* numbersOf(
  snapshot: Plain,
  part: Plain = snapshot,
  path = "",
): Generator<[string, number, (to: number) => Plain]> {
  for (const [key, value] of Object.entries(part)) {
    if (typeof value === "number") {
      yield [
        path + key,
        value,
        (to) => {
          const copy = structuredClone(snapshot);
          const names = path.split(".").slice(0, -1);
          const inner = names.reduce((at, name) => at[name] as Plain, copy);
          inner[key] = to;
          return copy;
        },
      ];
    } else if (typeof value === "object" && value !== null) {
      yield* numbersOf(snapshot, value as Plain, `${path}${key}.`);
    }
  }
}

/** Values at both sides of every limit that a number may have. */
const values = (format: AnyFormat, own: number): number[] => {
  const widths = format.layout.fields.map(({ bits }) => 2 ** bits);
  const limits = [0, own, 2 ** 32, bounds.sequenceMin, bounds.sequenceMax, 7, format.capacity, ...widths];
  return [...new Set(limits.flatMap((limit) => [limit - 1, limit, limit + 1]))];
};

/** Tries every number of a snapshot with every value. Returns how many were taken and refused. */
function attack(
  format: AnyFormat,
  options: object,
  given: number,
  counts: string,
  right: (seen: Plain) => boolean,
): number[] {
  const { snapshot, now } = snapshotOf(format, options, given);
  let [taken, refused] = [0, 0];
  for (const [path, own, changed] of numbersOf(snapshot)) {
    // The identity itself: another one is another generator's snapshot.
    if (/^(partition|sequenceM|fields)/.test(path)) {
      continue;
    }
    for (const value of values(format, own)) {
      const ids = issued(format, counts, changed(value), now);
      for (const id of ids) {
        const seen = format.inspect(id);
        assert.ok(right(seen), `${format.name}: with ${path} ${value} (${own}): ${JSON.stringify(seen)}`);
      }
      ids.length > 0 ? taken++ : refused++;
    }
  }
  return [taken, refused];
}

for (const given of [0, 1, 3, 20]) {
  test(`sno: after ${given} IDs for given times, no number of a snapshot leads out of its bounds`, () => {
    const { sequenceMin, sequenceMax } = bounds;
    const format = sno as unknown as AnyFormat;
    const [taken, refused] = attack(format, { partition: 7, ...bounds }, given, "sequence", (seen) => {
      const { sequence, partition } = seen as Record<string, number>;
      return partition === 7 && Number(sequence) >= sequenceMin && Number(sequence) <= sequenceMax;
    });
    assert.ok((taken as number) > 50 && (refused as number) > 50, `${taken} taken, ${refused} refused`);
  });
}

for (const row of ROWS.filter(({ name }) => name !== "sno")) {
  test(`${row.name}: no number of a snapshot changes its fixed fields`, () => {
    const [taken, refused] = attack(row.format, row.fixed, 3, row.counts, (seen) =>
      Object.entries(row.fixed).every(([name, value]) => seen[name] === value),
    );
    assert.ok((taken as number) > 50 && (refused as number) > 50, `${taken} taken, ${refused} refused`);
  });
}

test("sno: a number of the counter for given times that lies outside the bounds is refused by name", () => {
  const options = { partition: 9, ...bounds, isolated: true } as const;
  const generator = sno.generator({ ...options, clock: () => 1.75e12 });
  const fresh = generator.snapshot();
  generator.at(1.7e12);
  const { at, ...head } = generator.snapshot();
  assert.ok(at !== undefined);
  const { sequenceMin, sequenceMax } = bounds;
  const pool = sequenceMax - sequenceMin + 1;
  const restore = (changes: object) =>
    sno.generator({ ...options, snapshot: { ...head, at: { ...at, ...changes } } });
  for (const [key, wrong, right] of [
    ["sequence", [0, sequenceMin - 1, sequenceMax + 1, 65_535], [sequenceMin, sequenceMax]],
    ["left", [-1, pool, 65_535], [0, pool - 1]],
    ["highest", [-2, 2 ** 39], [2 ** 39 - 1]],
    ["firstLive", [-2, 2 ** 39], [-1]],
    ["wrapped", [1], [true]],
  ] as const) {
    for (const value of wrong) {
      const refusal = { code: "SNAPSHOT", field: `snapshot.at.${key}`, value };
      assert.throws(() => restore({ [key]: value }), refusal, `${key} ${value}`);
    }
    for (const value of right) {
      restore({ [key]: value });
    }
  }
  // Before the first ID for a given time there is no number yet, which is 0.
  sno.generator({ ...options, snapshot: fresh });
});

test("sno: the sequence of a snapshot is checked and completed by its bounds", () => {
  const { epoch, layout } = sno;
  const [sequenceMin, sequenceMax, partition] = [100, 200, 7];
  const head = { version: 1, format: "sno", partition, sequenceMin, sequenceMax } as const;
  const wall = { wallHi: 7, wallSafe: 5, drifts: 3 };
  const restore = (sequence: number) =>
    sno.generator({
      snapshot: { ...head, ...wall, sequence } as ReturnType<ReturnType<typeof sno.generator>["snapshot"]>,
      clock: () => epoch + 7 * layout.tickMs,
      isolated: true,
      sequenceFull: "throw",
    });
  assert.throws(() => restore(99), { code: "SNAPSHOT", field: "snapshot.sequence", value: 99 });
  for (const [name, sequence, value, left] of [
    ["none yet is the lower bound", 0, 100, 100],
    ["the lower bound", 100, 100, 100],
    ["within the bounds", 150, 150, 50],
    ["the upper bound", 200, 200, 0],
    ["a pool that is used up", 201, 201, 0],
    ["a pool that has long been used up", 2 ** 32 - 1, 2 ** 32 - 1, 0],
  ] as const) {
    const generator = restore(sequence);
    assert.equal(generator.sequence(), value, name);
    const snapshot = generator.snapshot();
    assert.deepEqual({ ...snapshot, ...head, ...wall, sequence: value }, snapshot, name);
    const ids = Array.from({ length: left }, () => sno.inspect(generator.next()));
    assert.deepEqual(
      ids.map(({ ticks, tickTock, sequence }) => [ticks, tickTock, sequence]),
      Array.from({ length: left }, (_, index) => [7, 1, value + 1 + index]),
      name,
    );
    assert.throws(() => generator.next(), { code: "SEQUENCE_FULL" }, name);
  }
});

test("sno: a snapshot cannot be made to repeat a neighbour's IDs", () => {
  const [clock, old] = [() => 1.75e12, 1.7e12];
  const neighbour = sno.generator({ partition: 5, sequenceMin: 0, sequenceMax: 999, clock });
  const ids = new Set(Array.from({ length: 1000 }, () => neighbour.at(old)));
  const own = { partition: 5, ...bounds, clock };
  const { at, ...head } = sno.generator({ ...own, isolated: true }).snapshot();
  // Before it was refused, the next ID for a given time had the sequence 6.
  const snapshot = { ...head, at: { ...(at as NonNullable<typeof at>), highest: 1, sequence: 5 } };
  assert.throws(() => sno.generator({ ...own, snapshot }), {
    code: "SNAPSHOT",
    field: "snapshot.at.sequence",
  });
  const mine = sno.generator(own);
  assert.ok(Array.from({ length: 8 }, () => mine.at(old)).every((id) => !ids.has(id)));
});

test("nothing is left of a tick where nothing was issued", () => {
  const numbers = { datacenterId: 1, workerId: 1, isolated: true, clock: () => 1.75e12 };
  const fresh = twitter.generator(numbers).snapshot();
  const { isolated, clock } = numbers;
  assert.equal(twitter.generator({ isolated, clock, snapshot: fresh }).nextMany(3).length, 3);
  assert.throws(() => twitter.generator({ isolated, snapshot: { ...fresh, left: 1 } }), {
    code: "SNAPSHOT",
    field: "snapshot.left",
    value: 1,
  });
});
