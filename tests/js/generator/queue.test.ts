/**
 * `nextAsync` with many calls at once: order, signals, short blocks of the event loop, sleeps and
 * errors.
 */
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { type Overflow, snowflakeSI } from "graupel";
import { LONGEST_MS } from "../../../js/generated/constants.ts";
import { steadyClock } from "../../../js/generator/clock.ts";
import { replace } from "../support/replace.ts";
import { settled as seen } from "../support/scripted-clock.ts";
import { told } from "../support/user-project.ts";
import { fakeTimers, format, full, PER_TICK, START, slowReadings } from "./full-tick.ts";

const listeners = (signal: AbortSignal) => getEventListeners(signal, "abort").length;
const ascend = (ids: readonly number[]) => ids.every((id, i) => i === 0 || id > (ids[i - 1] as number));

test("a signal has one listener per queue while calls wait on it, and none afterwards", async () => {
  const warnings: Error[] = [];
  const warned = (warning: Error) => warnings.push(warning);
  process.on("warning", warned);
  const { signal } = new AbortController();
  const queues = [full({ maxWaitMs: 10_000 }), full({ maxWaitMs: 10_000 })];
  const calls = queues.flatMap(({ generator }, i) => {
    const mine = Array.from({ length: 30 }, () => generator.nextAsync({ signal }));
    assert.equal(listeners(signal), i + 1);
    return mine;
  });
  for (const { clock } of queues) clock.now += 1;
  await Promise.all(calls);
  assert.equal(listeners(signal), 0);
  // The platform emits its warning about too many listeners in a separate task.
  await seen();
  process.off("warning", warned);
  assert.deepEqual(warnings, []);
});

test("a run of the queue ends after about 2 ms, and continues later", async () => {
  // Each reading of the monotonic clock takes 0.5 ms, and each call reads it twice, so the third
  // call exceeds the bound.
  const fake = slowReadings(0.5);
  const { clock, generator } = full({ maxWaitMs: 1e9 });
  let settled = 0;
  for (let i = 0; i < 100; i++) void generator.nextAsync().then(() => settled++);
  clock.now += 1;
  for (let before = 0, turns = 0; settled < 100 && turns < 1000; turns++) {
    await fake.tickAsync(1);
    assert.ok(settled - before <= 3, `${settled - before} calls in one run`);
    before = settled;
  }
  assert.equal(settled, 100);
});

test("an abort rejects its calls in order, in runs of about 2 ms, and leaves no timer", async () => {
  const timers = slowReadings(0.5);
  const { clock, generator } = full({ maxWaitMs: 1e9 });
  // A call that waits longer than the aborted ones must not delay them.
  const other = generator.nextAsync();
  const controller = new AbortController();
  const order: number[] = [];
  for (let i = 0; i < 500; i++) {
    generator.nextAsync({ signal: controller.signal }).catch(() => order.push(i));
  }
  controller.abort();
  // Some calls are rejected during the abort itself, the others in the following timers.
  const sizes: number[] = [];
  for (let before = 0; before < 500 && sizes.length < 1000; before = order.length) {
    await seen();
    sizes.push(order.length - before);
    timers.tick(1);
  }
  assert.deepEqual(order, [...Array(500).keys()]);
  assert.ok(Math.max(...sizes) <= 10, `${sizes.slice(0, 5)} calls in the first runs`);
  assert.ok((sizes[0] as number) > 0, "some are rejected at once");
  clock.now += 1;
  await timers.tickAsync(10);
  assert.equal(typeof (await other), "number");
  assert.equal(timers.countTimers(), 0);
  assert.equal(listeners(controller.signal), 0);
});

test("if the monotonic clock stands still, a run and an abort still pause", async () => {
  const fake = slowReadings(0);
  const clock = { now: START };
  const big = snowflakeSI({ epoch: 1.6e12, clockBits: 40, sequenceBits: 13 });
  const generator = big.generator({ clock: () => clock.now, maxWaitMs: 1e9 });
  generator.nextMany(8192);
  const ends = { served: 0, rejected: 0 };
  const controller = new AbortController();
  for (let i = 0; i < 20_000; i++) {
    generator.nextAsync({ signal: controller.signal }).catch(() => ends.rejected++);
  }
  controller.abort();
  await seen();
  assert.ok(ends.rejected > 0 && ends.rejected <= 4096, `${ends.rejected} at once`);
  await fake.tickAsync(20);
  assert.equal(ends.rejected, 20_000);
  for (let i = 0; i < 8192; i++) void generator.nextAsync().then(() => ends.served++);
  clock.now += 1;
  await fake.tickAsync(1);
  assert.ok(ends.served > 0 && ends.served < 8192, `${ends.served} calls in one run`);
  await fake.tickAsync(10);
  assert.equal(ends.served, 8192);
  assert.equal(fake.countTimers(), 0);
});

test("during an abort, the aborted calls take no IDs, and other calls are served in order", async () => {
  const timers = slowReadings(0.5);
  const { clock, generator } = full({ maxWaitMs: 1e9 });
  const [gone, kept] = [new AbortController(), new AbortController()];
  const ends: Promise<unknown>[] = [];
  // The first remaining calls must get their IDs before the last aborted call is rejected.
  let [pending, early, served] = [true, 0, 0];
  for (let i = 0; i < 600; i++) {
    const options = i % 3 === 2 ? {} : { signal: (i % 3 === 1 ? kept : gone).signal };
    ends.push(generator.nextAsync(options).catch((reason) => reason));
    if (i === 597) void ends[i]?.then(() => (pending = false));
    if (i % 3 === 2) void ends[i]?.then(() => (early += pending ? 1 : 0));
    if (i === 599) void ends[i]?.then(() => served++);
  }
  const before = generator.stats().issued;
  const reason = new Error("enough");
  gone.abort(reason);
  assert.equal(listeners(kept.signal), 1);
  clock.now++;
  for (let turn = 0; served === 0 && turn < 2000; turn++) {
    timers.tick(1);
    clock.now += turn % 10 === 0 ? 1 : 0;
    await seen();
  }
  const settled = await Promise.all(ends);
  assert.ok(early > 0, "others were held up");
  assert.deepEqual([listeners(kept.signal), listeners(gone.signal)], [0, 0]);
  assert.ok(settled.every((end, i) => (i % 3 === 0 ? end === reason : typeof end === "number")));
  assert.ok(ascend(settled.filter((end) => typeof end === "number")));
  assert.equal(generator.stats().issued - before, 400, "an aborted call has taken an ID");
  timers.tick(10);
  assert.equal(timers.countTimers(), 0);
});

test("an abort while the clock is read rejects the call that reads it", async () => {
  const controller = new AbortController();
  let [readings, now] = [0, START];
  const clock = () => {
    if (++readings === 12) controller.abort();
    return now;
  };
  const generator = format.generator({ machineId: 1, isolated: true, clock, maxWaitMs: 1e5 });
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

test("a call sleeps until the tick that it waits for, without an earlier attempt", async () => {
  const fake = fakeTimers();
  let [readings, now] = [0, START];
  const clock = () => {
    readings++;
    return now;
  };
  const options = { clock, clockBackwards: "wait", maxWaitMs: 1e4 } as const;
  const generator = format.generator({ machineId: 1, isolated: true, ...options });
  const last = generator.next();
  now -= 500;
  const call = generator.nextAsync();
  const before = readings;
  await fake.tickAsync(499);
  assert.equal(readings, before);
  now += 500;
  await fake.tickAsync(1);
  assert.ok((await call) > last);
});

test("a call after a pause may wait for all of maxWaitMs", async () => {
  const fake = fakeTimers();
  const { clock, generator } = full({ maxWaitMs: 300 });
  const first = generator.nextAsync();
  clock.now += 1;
  await fake.tickAsync(1);
  await first;
  generator.nextMany(PER_TICK - 1);
  await fake.tickAsync(2000);
  const late = generator.nextAsync();
  await fake.tickAsync(200);
  clock.now += 1;
  await fake.tickAsync(10);
  assert.ok((await late) > (await first));
});

test("while calls are served, the calls behind them do not time out", async () => {
  const fake = fakeTimers();
  const { clock, generator } = full({ maxWaitMs: 700 });
  const calls = Array.from({ length: PER_TICK + 1 }, () => generator.nextAsync());
  for (let tick = 0; tick < 2; tick++) {
    await fake.tickAsync(500);
    clock.now += 1;
  }
  await fake.tickAsync(10);
  assert.ok(ascend(await Promise.all(calls)));
});

test("onOverflow counts the ticks of each overflow from 1", async () => {
  const fake = fakeTimers();
  const events: number[][] = [];
  const onOverflow = ({ count, ticks }: Overflow) => events.push([count, ticks]);
  const { clock, generator } = full({ onOverflow, maxWaitMs: 1e5 });
  for (const _ of [1, 2]) {
    const call = generator.nextAsync();
    await fake.tickAsync(1);
    clock.now += 1;
    await fake.tickAsync(2);
    await call;
    generator.nextMany(PER_TICK - 1);
  }
  assert.deepEqual(
    events,
    [1, 2].flatMap(() => [
      [1, 1],
      [0, 3],
    ]),
  );
});

test("a listener that throws while calls wait is one uncaught error, and the calls are served", async () => {
  const seen = await told(`
    import { snowflakeSI } from "graupel";
    let uncaught = 0, told = 0, now = ${START};
    process.on("uncaughtException", () => { uncaught++; });
    const onOverflow = () => { if (++told === 4) now++; throw new Error("mine"); };
    const options = { machineId: 1, clock: () => now, onOverflow, maxWaitMs: 5000 };
    const g = snowflakeSI({ epoch: 1.6e12 }).generator(options);
    for (let i = 0; i < 256; i++) g.next();
    const calls = Array.from({ length: 5 }, () => g.nextAsync());
    const ids = await Promise.all(calls);
    setTimeout(() => console.log(JSON.stringify([ids.length, uncaught, told > 3])), 30);`);
  assert.deepEqual(seen, [5, 1, true]);
});

test("pending calls of an earlier test with fake timers do not block later calls", async () => {
  const { clock, generator } = full({ maxWaitMs: 10_000 });
  const fake = fakeTimers("setTimeout", "clearTimeout");
  const left = generator.nextAsync();
  fake.uninstall();
  clock.now += 1;
  const later = await generator.nextAsync();
  assert.ok(later > (await left));
});

test("the queue's clock: time without a monotonic clock, and after a fake one", () => {
  // The readings, the time slept before each, and the expected steps. A reading below its
  // predecessors is from a fake clock.
  const steps = [
    [1010, 0, 10],
    [5, 0, 0],
    [45, 0, 40],
    [1100, 0, 90],
    [1100, 7, 7],
    [1100.0625, 3, 3],
    [1105, 0, 0],
    [1115, 0, 5],
    [1e300, 0, LONGEST_MS],
  ] as const;
  let reading = 1000;
  const restore = replace([performance, "now", () => reading]);
  try {
    const clock = steadyClock();
    let last = clock();
    const found = steps.map(([now, slept]) => {
      reading = now;
      const before = last;
      last = clock(slept);
      return last - before;
    });
    assert.deepEqual(
      found,
      steps.map(([, , step]) => step),
    );
  } finally {
    restore();
  }
});

for (const [realm, remove] of [
  ["without timers", () => Reflect.deleteProperty(globalThis, "setTimeout")],
  ["in which setTimeout is undefined", () => Reflect.set(globalThis, "setTimeout", undefined)],
] as const) {
  test(`a call that has to wait in a realm ${realm} is rejected, and nobody waits for it`, async () => {
    const { clock, generator } = full();
    const { setTimeout } = globalThis;
    remove();
    try {
      await assert.rejects(generator.nextAsync(), /setTimeout/);
    } finally {
      globalThis.setTimeout = setTimeout;
    }
    clock.now++;
    const before = generator.stats().issued;
    await generator.nextAsync();
    assert.equal(generator.stats().issued, before + 1, "the rejected call took an ID");
  });
}
