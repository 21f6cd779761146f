/**
 * Merging a snapshot into a live state, or into another snapshot, where tests/stories/merging.json has no stories of it: with the
 * platform's randomness, with a threshold, and of many snapshots at once.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { snowflakeSI, twitter, ulidFlake, ulidFlakeScalable } from "graupel";
import { emptyRegistry } from "../support/other-process.ts";

let now = 1.75e12;
const clock = () => now;
const borrow = { clock, sequenceFull: "borrow" } as const;
const si = snowflakeSI({ epoch: 1.6e12 });
const makers = {
  ulidFlake: (options: object) => ulidFlake.generator({ ...borrow, ...options }),
  ulidFlakeScalable: (options: object) => ulidFlakeScalable.generator({ ...borrow, ...options }),
  "snowflakeSI, with a threshold": (options: object) =>
    si.generator({ machineId: 1, ...borrow, sequenceResetThreshold: 200, ...options }),
};

for (const [name, make] of Object.entries(makers)) {
  test(`${name}: an older snapshot and the newest, in either order, before the first ID or after`, () => {
    for (let round = 0; round < 60; round++) {
      now += 1000;
      emptyRegistry();
      const g = make({});
      const seen: unknown[] = [...g.nextMany(1 + (round % 7))];
      const older = g.snapshot();
      seen.push(...g.nextMany(1 + (round % 11)));
      const newest = g.snapshot();
      emptyRegistry();
      const snapshots = round % 2 === 0 ? [older, newest] : [newest, older];
      const made = snapshots.map((snapshot) => {
        const restored = make({ snapshot });
        // The state is live from here on: the other snapshot is merged into it.
        if (round % 3 === 0 && snapshot === newest) seen.push(restored.next());
        return restored;
      });
      for (const restored of made) seen.push(...restored.nextMany(20));
      assert.equal(new Set(seen).size, seen.length, `round ${round}`);
    }
  });

  test(`${name}: another process's snapshot of the same tick`, () => {
    for (let round = 0; round < 60; round++) {
      now += 1000;
      emptyRegistry();
      const other = make({});
      const seen: unknown[] = [...other.nextMany(5 + round)];
      const snapshot = other.snapshot();
      emptyRegistry();
      const own = make({});
      // Before the merge, two processes with one identity may issue the same ID; only IDs after it count.
      seen.push(...own.nextMany(3));
      make({ snapshot });
      const before = new Set(seen);
      assert.ok(
        own.nextMany(50).every((id: unknown) => !before.has(id)),
        `round ${round}`,
      );
    }
  });
}

test("snapshots count before the first ID, however many there are", () => {
  const snapshots = Array.from({ length: 40 }, (_, i) => {
    emptyRegistry();
    const g = twitter.generator({ datacenterId: 1, workerId: 2, clock: () => 1.75e12 + (i % 20) });
    g.nextMany(1 + (i % 20));
    return g.snapshot();
  });
  emptyRegistry();
  for (const snapshot of [...snapshots].reverse()) {
    twitter.generator({ snapshot });
  }
  const ids = new Set<bigint>();
  const heir = twitter.generator({
    datacenterId: 1,
    workerId: 2,
    clock: () => 1.75e12,
    clockBackwards: "hold",
  });
  for (let i = 0; i < 10; i++) ids.add(heir.next());
  assert.equal(ids.size, 10);
  const first = [...ids][0] as bigint;
  assert.equal(twitter.inspect(first).timestamp, 1.75e12 + 19);
  assert.equal(twitter.inspect(first).sequence, 20);
});
