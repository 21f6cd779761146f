/**
 * The core's slots. Each belongs to one state until that state is garbage. Then another state may
 * use it and must find no trace of the old one.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { twitter, ulidFlake } from "graupel";

/** The number of slots in a core (`SLOTS` in src/abi.rs). */
const SLOTS = 66_560;
const START = Date.UTC(2025, 0, 1);
const options = { datacenterId: 1, workerId: 2, clock: () => START };
const alone = () => twitter.generator({ ...options, isolated: true });

setFlagsFromString("--expose-gc");
const gc: () => void = runInNewContext("gc");

/** Counts the cores that are started. Only WebAssembly cores can be counted. */
let cores = 0;
const wasm = (globalThis as { WebAssembly?: typeof WebAssembly }).WebAssembly;
if (wasm) {
  wasm.Instance = new Proxy(wasm.Instance, {
    construct(target, [module, imports]) {
      cores++;
      return new target(module, imports);
    },
  });
}

test("more states than slots: a second core has the rest, and each resumes where it was", () => {
  const shared = twitter.generator(options);
  const first = shared.next();
  const makers = Array.from({ length: SLOTS + 10 }, alone);
  for (const maker of makers) assert.equal(maker.next(), first);
  assert.equal(cores, wasm ? 2 : 0);
  for (const maker of makers) assert.equal(maker.next(), first + 1n);
  // Verbs use the second core, and all generators of the identity use its state in the first core.
  assert.equal(twitter.generator(options).next(), first + 1n);
  assert.deepEqual(makers.at(-1)?.stats(), { ...shared.stats(), issued: 2 });
  assert.equal(twitter.inspect(shared.nextMany(3)[2] as bigint).sequence, 4);
  const snapshot = shared.snapshot();
  assert.equal(twitter.generator({ ...options, snapshot, isolated: true }).next(), first + 5n);
  assert.equal(ulidFlake.generator({ isolated: true, clock: () => START }).nextMany(5).length, 5);
});

test("slots of garbage are given away anew, and no other", async () => {
  const before = cores;
  const first = alone().next();
  const kept = Array.from({ length: 1000 }, alone);
  for (const maker of kept) maker.next();
  // More states in total than there are slots.
  for (let round = 0; round < 4; round++) {
    for (let i = 0; i < 20_000; i++) assert.equal(alone().next(), first);
    gc();
    // The engine reports collected objects in a separate task.
    await sleep(1);
  }
  for (const maker of kept) assert.equal(maker.next(), first + 1n);
  assert.equal(cores, before);
});

test("generators of one identity, made again and again, have one slot", () => {
  const before = cores;
  const borrowing = { datacenterId: 3, workerId: 3, clock: () => START, sequenceFull: "borrow" } as const;
  const ids = Array.from({ length: SLOTS + 1000 }, () => twitter.generator(borrowing).next());
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(cores, before);
});
