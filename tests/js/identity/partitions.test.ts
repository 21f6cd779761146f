// sno without a partition. The generators of a realm share one random partition, as far as their
// bounds allow; partitions.json has the details. (For sources of randomness that fail or request
// IDs, see generator/reentrant-random.test.ts.)
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { sno } from "graupel/sno";
import { emptyRegistry } from "../support/other-process.ts";
import { outcome } from "../support/scripted-clock.ts";
import stories from "./partitions.json" with { type: "json" };

const START = 1_750_000_000_000;
const PARTITIONS = 2 ** 16;

/** Runs a function as in a new process whose platform draws exactly these partitions, in order. */
function drawing(partitions: readonly number[], run: () => void): void {
  emptyRegistry();
  const left = [...partitions];
  const source = mock.method(crypto, "getRandomValues", (bytes: Uint8Array) => {
    const drawn = left.shift();
    assert.ok(drawn !== undefined, "was drawn once more");
    // The source must not return only zeros, even for partition 0.
    bytes.fill(1).set([drawn >> 8, drawn & 255]);
    return bytes;
  });
  try {
    run();
  } finally {
    source.mock.restore();
    emptyRegistry();
  }
  assert.deepEqual(left, [], "was not drawn");
}

const bounds = (sequenceMin: number, sequenceMax: number) => ({ sequenceMin, sequenceMax });
const clock = () => START;

/** The partition and sequence of a generator's next ID. */
function place(options: Parameters<typeof sno.generator>[0]): [partition: number, sequence: number] {
  const { partition, sequence } = sno.inspect(sno.generator({ clock, ...options }).next());
  return [partition, sequence];
}

/** A generator, and either the partition and sequence of its next ID or its error. */
interface Step {
  readonly partition?: number;
  readonly bounds?: readonly number[];
  readonly is: readonly number[] | string;
  readonly why?: string;
}

for (const [name, { draws, ids }] of Object.entries<{ draws: number; ids: readonly Step[] }>(stories)) {
  test(`sno: without a partition, ${name}`, () => {
    drawing([draws], () => {
      for (const { partition, bounds: [min, max] = [], is, why } of ids) {
        const options = { partition, sequenceMin: min, sequenceMax: max };
        assert.deepEqual(
          outcome(() => place(options)),
          is,
          why,
        );
      }
    });
  });
}

test("sno: an isolated generator draws a partition for itself", () => {
  drawing([7, 500, 7], () => {
    const isolated = true;
    const [one, two] = [1, 2].map(() => sno.generator({ clock, isolated }));
    assert.deepEqual(
      [one?.partition, one?.partition, sno.inspect(one?.next() as string).partition],
      [7, 7, 7],
    );
    assert.equal(sno.inspect(two?.next() as string).partition, 500);
    // The realm's first automatic partition is a new draw, and does not share its state with the
    // isolated generator.
    assert.deepEqual(place({}), [7, 0]);
    assert.deepEqual(place({}), [7, 1]);
    assert.equal(sno.inspect(one?.next() as string).sequence, 1);
  });
});

test("sno: partitions run out only when bounds overlap on every one of them", () => {
  const room = 200;
  drawing([PARTITIONS - room], () => {
    // Most partitions are given by number, because with more automatic ones, finding a free one
    // takes longer.
    for (let partition = 0; partition < PARTITIONS - room; partition++) {
      sno.generator({ partition, clock, ...bounds(0, 3) }).next();
    }
    for (let i = 0; i < room; i++) {
      assert.deepEqual(place(bounds(0, 3 + i)), [PARTITIONS - room + i, 0], `number ${i}`);
    }
    const late = sno.generator({ clock, ...bounds(0, 3 + room) });
    for (const call of [() => late.next(), () => late.partition]) {
      assert.throws(call, {
        code: "PARTITIONS_EXHAUSTED",
        field: "partition",
        message:
          "every partition has a generator whose bounds overlap these; use equal or disjoint bounds [PARTITIONS_EXHAUSTED]",
      });
    }
    // Bounds still get a partition if they are disjoint from those in some partition, or equal to
    // them.
    assert.deepEqual(place(bounds(4, 100)), [PARTITIONS - room, 4]);
    assert.deepEqual(place(bounds(0, 3)), [PARTITIONS - room, 1]);
    assert.deepEqual(place(bounds(0, 2 + room)), [PARTITIONS - 1, 1]);
  });
});

test("sno: to read a given partition claims nothing", () => {
  emptyRegistry();
  sno.generator({ partition: 9, sequenceMin: 0, sequenceMax: 9 }).next();
  const overlapping = sno.generator({ partition: 9, sequenceMin: 5, sequenceMax: 20 });
  assert.equal(overlapping.partition, 9);
  assert.equal({ ...overlapping }.partition, 9);
  assert.throws(() => overlapping.next(), { code: "CONFLICT" });
  const read = sno.generator({ partition: 10, sequenceMin: 0, sequenceMax: 9 });
  assert.equal(read.partition, 10);
  const first = sno.generator({ partition: 10, sequenceMin: 5, sequenceMax: 20 });
  assert.equal(sno.inspect(first.next()).partition, 10);
  assert.throws(() => read.next(), { code: "CONFLICT" });
});
