/** `nextAsync` with signals on which many calls wait: an abort rejects them in their order, in short runs, and the others are served. */
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { numberOfItsOwn } from "../support/unused-number.ts";
import { format, full, PER_TICK, START, slowReadings } from "./full-tick.ts";

/** Lets what is settled be seen. */
const seen = () => new Promise<void>((done) => setImmediate(done));

test("an abort rejects its calls in runs of about 2 ms, in their order, and then no timer runs", async () => {
  const timers = slowReadings(0.5);
  const { generator } = full({ maxWaitMs: 1e9 });
  const controller = new AbortController();
  const order: number[] = [];
  for (let i = 0; i < 500; i++) {
    generator.nextAsync({ signal: controller.signal }).catch(() => order.push(i));
  }
  controller.abort();
  // Some in the abort itself, and then some in each run of a timer.
  const sizes: number[] = [];
  for (let before = 0; before < 500 && sizes.length < 1000; before = order.length) {
    await seen();
    sizes.push(order.length - before);
    timers.tick(1);
  }
  assert.deepEqual(
    order,
    Array.from({ length: 500 }, (_, i) => i),
  );
  assert.ok(Math.max(...sizes) <= 10, `${sizes.slice(0, 5)} calls in the first runs`);
  assert.ok((sizes[0] as number) > 0, "some are rejected at once");
  timers.tick(10);
  assert.equal(timers.countTimers(), 0);
  assert.equal(getEventListeners(controller.signal, "abort").length, 0);
});

test("where no clock tells, an abort still pauses", async () => {
  const timers = slowReadings(0);
  const { generator } = full({ maxWaitMs: 1e9 });
  const controller = new AbortController();
  let rejected = 0;
  for (let i = 0; i < 20_000; i++) {
    generator.nextAsync({ signal: controller.signal }).catch(() => rejected++);
  }
  controller.abort();
  await seen();
  assert.ok(rejected > 0 && rejected <= 4096, `${rejected} at once`);
  for (let i = 0; i < 20; i++) {
    timers.tick(1);
    await seen();
  }
  assert.equal(rejected, 20_000);
  assert.equal(timers.countTimers(), 0);
});

test("while an abort goes on, its calls take no IDs, and those of others are served in their order", async () => {
  const timers = slowReadings(0.5);
  const { clock, generator } = full({ maxWaitMs: 1e9 });
  const [gone, kept] = [new AbortController(), new AbortController()];
  const ends: Promise<unknown>[] = [];
  for (let i = 0; i < 600; i++) {
    const { signal } = i % 3 === 1 ? kept : gone;
    ends.push(generator.nextAsync(i % 3 === 2 ? {} : { signal }).catch((reason) => reason));
  }
  const before = generator.stats().issued;
  const reason = new Error("enough");
  gone.abort(reason);
  assert.equal(getEventListeners(kept.signal, "abort").length, 1);
  clock.now++;
  let served = 0;
  void ends[599]?.then(() => served++);
  // The last aborted call is still to be rejected when the first others have their IDs.
  let pending = true;
  let early = 0;
  void ends[597]?.then(() => {
    pending = false;
  });
  for (let i = 2; i < 600; i += 3) {
    void ends[i]?.then(() => (early += pending ? 1 : 0));
  }
  for (let turn = 0; served === 0 && turn < 2000; turn++) {
    timers.tick(1);
    clock.now += turn % 10 === 0 ? 1 : 0;
    await seen();
  }
  const settled = await Promise.all(ends);
  assert.ok(early > 0, "others were held up");
  assert.equal(getEventListeners(kept.signal, "abort").length, 0);
  assert.equal(getEventListeners(gone.signal, "abort").length, 0);
  const ids = settled.filter((end) => typeof end === "number");
  assert.equal(ids.length, 400);
  assert.ok(settled.every((end, i) => (i % 3 === 0 ? end === reason : typeof end === "number")));
  assert.ok(ids.every((id, i) => i === 0 || id > (ids[i - 1] as number)));
  assert.equal(generator.stats().issued - before, 400, "an aborted call has taken an ID");
  timers.tick(10);
  assert.equal(timers.countTimers(), 0);
});

test("an abort during the clock's reading or a callback rejects the call that reads", async () => {
  const controller = new AbortController();
  let readings = 0;
  let now = START;
  const clock = () => {
    if (++readings === 12) {
      controller.abort();
    }
    return now;
  };
  const generator = format.generator({ machineId: numberOfItsOwn(), clock, maxWaitMs: 1e5 });
  generator.nextMany(PER_TICK);
  const before = generator.stats().issued;
  const calls = [1, 2, 3].map(() => generator.nextAsync({ signal: controller.signal }));
  const other = generator.nextAsync();
  const ends = await Promise.allSettled(calls);
  assert.ok(ends.every((end) => end.status === "rejected" && end.reason.name === "AbortError"));
  now++;
  assert.equal(typeof (await other), "number");
  assert.equal(generator.stats().issued, before + 1);
});
