/**
 * Whatever numbers a snapshot contains, a generator restored from it stays within its bounds and
 * fixed fields. Its clock-based IDs never come from ticks that the snapshot marks as used up. Each
 * number is tested on both sides of its limits: it is rejected or causes no harm.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GraupelError } from "graupel";
import type { AnyFormat, AnyGenerator, Id } from "../support/any-format.ts";
import { ROWS, rowOf } from "../support/formats.ts";

type Plain = Record<string, unknown>;

const bounds = { sequenceMin: 1000, sequenceMax: 1007 };

/** A snapshot of a generator that has issued IDs by the clock and for given times. */
function snapshotOf(format: AnyFormat, options: object, given: number): { snapshot: Plain; now: number } {
  const now = format.epoch + 1_000_000 * format.layout.tickMs;
  const own = { clock: () => now, isolated: true, sequenceFull: "borrow" };
  const generator = format.generator({ ...options, ...own });
  for (let i = 0; i < given; i++) generator.at(now + (i - 100) * format.layout.tickMs);
  generator.next();
  generator.next();
  return { snapshot: JSON.parse(JSON.stringify(generator.snapshot())), now };
}

/** Issues IDs in every way, over several ticks. `counts` is the field that counts within a tick. */
function issued(format: AnyFormat, counts: string, snapshot: Plain, now: number): Id[] {
  const ids: Id[] = [];
  const { tickMs } = format.layout;
  const last = Number(snapshot.last ?? snapshot.wallHi);
  /**
   * Checks IDs by the clock: they must follow the last one in the snapshot, unless sno's tick-tock
   * bit differs.
   */
  const unspent = (made: readonly Id[]) => {
    for (const id of made) {
      const { ticks, tickTock, [counts]: value } = format.inspect(id) as unknown as Record<string, number>;
      const by = Number(value) - Number(snapshot.sequence);
      // With `sequenceStart: "continue"`, a tick can hold more values than those above its
      // sequence, which then wraps around.
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
    // Stops at an error, because the same call would fail again.
    const ask = (times: number, call: () => readonly Id[]) => {
      try {
        for (let i = 0; i < times; i++) ids.push(...call());
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

/**
 * The numbers in a snapshot and in its nested objects, each with a function that copies the
 * snapshot with another number there.
 */
function* numbersOf(snapshot: Plain): Generator<[string, number, (to: number) => Plain]> {
  for (const [key, value] of Object.entries(snapshot)) {
    if (typeof value === "number") {
      yield [key, value, (to) => ({ ...snapshot, [key]: to })];
    } else if (typeof value === "object" && value !== null) {
      for (const [path, own, changed] of numbersOf(value as Plain)) {
        const copy = Array.isArray(value) ? Object.values : (part: Plain) => part;
        yield [`${key}.${path}`, own, (to) => ({ ...snapshot, [key]: copy(changed(to)) })];
      }
    }
  }
}

/** Values on both sides of every limit that a number may have. */
const values = (format: AnyFormat, own: number): number[] => {
  const widths = format.layout.fields.map(({ bits }) => 2 ** bits);
  const limits = [0, own, 2 ** 32, bounds.sequenceMin, bounds.sequenceMax, 7, format.capacity, ...widths];
  return [...new Set(limits.flatMap((limit) => [limit - 1, limit, limit + 1]))];
};

const rows = [0, 1, 3, 20].map((given) => [rowOf("sno"), { partition: 7, ...bounds }, given] as const);
const others = ROWS.filter(({ name }) => name !== "sno").map((row) => [row, row.fixed, 3] as const);
for (const [{ name, format, counts }, options, given] of [...rows, ...others]) {
  test(`${name}: after ${given} IDs for given times, no number of a snapshot leads out of its bounds`, () => {
    const { sequenceMin = 0, sequenceMax = Infinity, ...fixed } = options as Record<string, number>;
    const { snapshot, now } = snapshotOf(format, options, given);
    let [taken, refused] = [0, 0];
    for (const [path, own, changed] of numbersOf(snapshot)) {
      // These are the identity. With another one, it would be another generator's snapshot.
      if (/^(partition|sequenceM|fields)/.test(path)) continue;
      for (const value of values(format, own)) {
        const ids = issued(format, counts, changed(value), now);
        for (const id of ids) {
          const seen = format.inspect(id) as unknown as Record<string, number>;
          const isOwn = Object.entries(fixed).every(([field, number]) => seen[field] === number);
          const number = Number(seen[counts]);
          assert.ok(isOwn && number >= sequenceMin && number <= sequenceMax, `with ${path} ${value}: ${id}`);
        }
        ids.length > 0 ? taken++ : refused++;
      }
    }
    assert.ok(taken > 50 && refused > 50, `${taken} taken, ${refused} refused`);
  });
}
