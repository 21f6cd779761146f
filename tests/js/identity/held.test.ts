/**
 * An identity that is held for a while, by a holder of the tests: its number and its interval change while the generator makes IDs in
 * every way. Nothing repeats, nothing leaves an interval, and what is given back is freed.
 */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { emptyRegistry, registry } from "../support/other-process.ts";
import { copyWithHolder } from "./held/copy.ts";

const copy = await copyWithHolder();
const { nanoflake, NotHeld, sno } = copy;

const EPOCH = Date.UTC(2025, 0, 1);
const format = nanoflake({ epoch: EPOCH });
/** The index of `generatorId`. */
const NUMBER = 1;

let now = 0;

/** A generator whose clock reads the tick `now`, and its holder. */
function held(options: object = {}) {
  const generator = format.generator({
    generatorId: 0,
    clock: () => EPOCH + now,
    sequenceFull: "borrow",
    clockBackwards: "hold",
    maxAheadMs: 1000,
    maxWaitMs: 0,
    ...options,
  });
  return { generator, holder: copy.present };
}

/** IDs, each checked: in the number and the interval that are granted, and never seen before. */
class Issued {
  readonly #seen = new Set<bigint>();
  add(number: number, from: number, until: number, ids: readonly bigint[]): void {
    for (const id of ids) {
      const { generatorId, ticks } = format.inspect(id);
      assert.equal(generatorId, number);
      assert.ok(ticks >= from && ticks < until, `${ticks} is not in [${from}, ${until})`);
      assert.ok(!this.#seen.has(id), `${id} again`);
      this.#seen.add(id);
    }
  }
  get size(): number {
    return this.#seen.size;
  }
}

const states = () => registry()?.states ?? new Map();

const outside = { code: "OUTSIDE_INTERVAL", message: /outside the generator's interval/ };

beforeEach(() => {
  emptyRegistry();
  now = 100;
});

test("without a number, every call throws the holder's reason, and the generator stays usable", async () => {
  const { generator, holder } = held();
  for (const call of [
    () => generator.next(),
    () => generator.nextMany(3),
    () => generator.nextTyped(3),
    () => generator.at(EPOCH + 50),
    () => generator.stats(),
    () => generator.snapshot(),
  ]) {
    assert.throws(call, NotHeld);
  }
  holder.take(NUMBER, 7, 100, 110);
  assert.equal(format.inspect(generator.next()).generatorId, 7);
});

test("the number and the interval change between and within calls of every kind", async () => {
  const issued = new Issued();
  let inCallback = () => {};
  const { generator, holder } = held({ onOverflow: () => inCallback() });
  // Whoever takes number 3 again gets ticks that come after those that were issued under it.
  for (const [number, from] of [3, 4, 3, 5, 3].entries()) {
    const start = 100 + number * 100;
    const id = from;
    now = start;
    holder.take(NUMBER, id, start, start + 10);
    issued.add(id, start, start + 10, [
      generator.next(),
      ...generator.nextMany(5000),
      ...generator.nextTyped(10),
    ]);
    issued.add(id, start, start + 10, [await generator.nextAsync()]);
    now = start + 10;
    assert.throws(() => generator.next(), outside);
    assert.throws(() => generator.nextMany(2), outside);
    assert.throws(() => generator.at(EPOCH + start + 10), outside);
    holder.extend(start, start + 20);
    issued.add(id, start + 10, start + 20, [generator.next()]);
    // A callback gives the number back while a batch is made: the batch is refused, and none of its IDs are lost or repeated later.
    inCallback = () => holder.drop();
    assert.throws(() => generator.nextMany(9000), outside);
    inCallback = () => {};
    assert.throws(() => generator.next(), NotHeld);
  }
  assert.equal(issued.size, 5 * (1 + 5000 + 10 + 1 + 1));
});

test("nextAsync waits for a number, and for the time of its interval", async () => {
  const issued = new Issued();
  const { generator, holder } = held();
  const calls = Array.from({ length: 5 }, () => generator.nextAsync());
  await new Promise(setImmediate);
  holder.take(NUMBER, 1, 100, 101);
  issued.add(1, 100, 101, await Promise.all(calls));
  now = 101;
  const late = Array.from({ length: 5 }, () => generator.nextAsync());
  await new Promise(setImmediate);
  holder.extend(100, 102);
  issued.add(1, 101, 102, await Promise.all(late));
  now = 102;
  const others = Array.from({ length: 5 }, () => generator.nextAsync());
  await new Promise(setImmediate);
  holder.take(NUMBER, 2, 102, 110);
  issued.add(2, 102, 110, await Promise.all(others));
  assert.equal(issued.size, 15);
  // Other refusals are not waited out.
  await assert.rejects(generator.nextAsync({ signal: 1 as never }), { code: "TYPE" });
});

test("a call in the queue goes on with the number that is held when its turn comes", async () => {
  const { generator, holder } = held({ sequenceFull: "wait", maxWaitMs: 1000 });
  holder.take(NUMBER, 1, 100, 101);
  const ids = generator.nextMany(4096);
  const waiting = generator.nextAsync();
  holder.take(NUMBER, 2, 100, 200);
  now = 101;
  const id = await waiting;
  assert.deepEqual([format.inspect(ids[4095] as bigint).generatorId, format.inspect(id).generatorId], [1, 2]);
});

test("a snapshot says the number that is held, and at() keeps to the interval", () => {
  const { generator, holder } = held();
  for (const number of [5, 6]) {
    now = 150;
    holder.take(NUMBER, number, 100, 200);
    assert.throws(() => generator.at(EPOCH + 99), outside);
    assert.equal(format.inspect(generator.at(EPOCH + 120)).generatorId, number);
    generator.next();
    assert.equal(generator.snapshot().fields.generatorId, number);
  }
});

test("what is given back is freed: its place in the registry, and its slot", () => {
  const { generator, holder } = held();
  for (let number = 0; number < 1000; number++) {
    holder.take(NUMBER, number, 100, 200);
    generator.next();
    assert.equal(states().size, 1);
  }
  const { core, slot } = holder.open() as unknown as { core: { residents: object[] }; slot: number };
  assert.ok(slot in core.residents);
  const taken = Object.keys(core.residents).length;
  holder.drop();
  assert.equal(states().size, 0);
  assert.equal(Object.keys(core.residents).length, taken - 1);
  assert.ok(!(slot in core.residents));
});

test("sno: the partition is the one that is held", () => {
  const generator = sno.generator({ clock: () => Date.UTC(2025, 0, 1), partition: 9 });
  const holder = copy.present;
  holder.take(3, 70, 0, 2 ** 39);
  assert.deepEqual([generator.partition, sno.inspect(generator.next()).partition], [70, 70]);
  holder.take(3, 71, 0, 2 ** 39);
  assert.deepEqual([generator.partition, sno.inspect(generator.next()).partition], [71, 71]);
  assert.equal(generator.snapshot().partition, 71);
});

test("sno: who gives bounds of a partition back leaves the other bounds of it in the registry", () => {
  const clock = () => Date.UTC(2025, 0, 1);
  const holders = [{ sequenceMax: 100 }, { sequenceMin: 101 }].map((bounds) => {
    sno.generator({ clock, partition: 9, ...bounds });
    return copy.present;
  });
  for (const holder of holders) holder.take(3, 72, 0, 2 ** 39);
  const left = () => [...states().values()].map((found) => found.length);
  assert.deepEqual(left(), [2]);
  holders[0]?.drop();
  assert.deepEqual(left(), [1]);
  holders[1]?.drop();
  assert.deepEqual(left(), []);
});
