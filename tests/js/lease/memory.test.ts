/** The in-memory store: as a store for tests, and as one that numbers threads and processes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { memory as memoryOfCopy } from "graupel/lease";
import { memory } from "../../../js/lease/memory.ts";
import { acquire } from "../../../js/lease/store-rules.ts";
import type { AcquireRequest, Grant, LeaseStore } from "../../../js/lease/types.ts";
import { replace } from "../support/replace.ts";
import { request } from "./scripted-leases.ts";

let drawn = 0;
/** Acquires a number with a new token. */
const ask = (store: LeaseStore, more: Partial<AcquireRequest> = {}) =>
  store.acquire({ ...request, last: 31, token: `token ${drawn++}`, ...more }) as Promise<Grant>;

test("stores for tests know nothing of each other; all that are alone in a realm have the same numbers", async () => {
  const numbersOf = async (...stores: LeaseStore[]) => {
    const numbers: number[] = [];
    for (const store of stores) numbers.push((await ask(store)).number);
    return numbers;
  };
  assert.deepEqual(await numbersOf(memory(), memory()), [0, 0]);
  assert.equal(memory().ttlMs, undefined);
  const alone = [memory, memory, memoryOfCopy].map((make) => make({ reach: "alone" }));
  assert.deepEqual(await numbersOf(...alone), [0, 1, 2]);
  for (const { ttlMs, apartMs } of alone) assert.deepEqual([ttlMs, apartMs], [3000, 1000]);
});

test("of numbers as large as they can be, one alone may be asked for, and is given once", async () => {
  const store = memory();
  const LARGEST = 0x7fff_ffff;
  const alone = { last: LARGEST, mask: LARGEST, bits: LARGEST - 1 };
  assert.equal((await ask(store, alone)).number, LARGEST - 1);
  assert.ok("retryInMs" in (await ask(store, alone)));
});

test("where hundreds of thousands of numbers are held, who asks is told when the first is free", () => {
  const held = (number: number) => ({ token: "held", from: 0, mark: 5000 + number, label: "" });
  const records = new Map(Array.from({ length: 300_000 }, (_, number) => [number, held(number)]));
  const all = { ...request, token: "new", last: records.size - 1 };
  const { answer } = acquire({ layout: request.layout, born: 0 }, records, all, 1000, true);
  assert.deepEqual(answer, { retryInMs: 4000 });
});

test("a request of nonsense ends", async () => {
  const store = memory();
  const nan = Number.NaN;
  for (const nonsense of [{ bits: nan }, { last: nan }, { mask: nan, bits: -1 }]) {
    for (let i = 0; i < 2; i++) await ask(store, nonsense);
  }
});

test("the clock is Date.now as it is at each call: a fake one takes effect, and ends", async () => {
  const store = memory();
  const faked = Date.UTC(2030, 0, 1);
  const restore = replace([Date, "now", () => faked]);
  const { now } = await ask(store).finally(restore);
  assert.equal(now, faked);
});
