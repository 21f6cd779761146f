/** `nextAsync` with many calls at once: order, one listener for each signal, short blocks of the queue, sleeps, errors. */
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { snowflakeSI } from "graupel";
import { told } from "../support/program.ts";
import { numberOfItsOwn } from "../support/unused-number.ts";
import { fakeTimers, format, full, START, slowReadings } from "./full-tick.ts";

test("20,000 calls at once: each gets an ID of its own, in the order of the calls", async () => {
  const generator = format.generator({ machineId: numberOfItsOwn() });
  const ids = await Promise.all(Array.from({ length: 20_000 }, () => generator.nextAsync()));
  assert.ok(ids.every((id, i) => i === 0 || id > (ids[i - 1] as number)));
});

test("a signal has one listener a queue, however many calls wait on it, and none when they are over", async () => {
  const warnings: Error[] = [];
  const warned = (warning: Error) => warnings.push(warning);
  process.on("warning", warned);
  const { clock, generator } = full({ maxWaitMs: 10_000 });
  const other = full({ maxWaitMs: 10_000 });
  const { signal } = new AbortController();
  const calls = Array.from({ length: 30 }, () => generator.nextAsync({ signal }));
  assert.equal(getEventListeners(signal, "abort").length, 1);
  const others = Array.from({ length: 30 }, () => other.generator.nextAsync({ signal }));
  assert.equal(getEventListeners(signal, "abort").length, 2);
  clock.now += 1;
  other.clock.now += 1;
  assert.equal(new Set(await Promise.all(calls)).size, 30);
  await Promise.all(others);
  assert.equal(getEventListeners(signal, "abort").length, 0);
  await new Promise((done) => setTimeout(done, 5));
  process.off("warning", warned);
  assert.deepEqual(warnings, []);
});

test("a run of the queue ends after about 2 ms, and goes on later", async () => {
  // Each reading of the monotonic clock takes 0.5 ms here, and each call reads it twice: the third call passes the bound.
  const fake = slowReadings(0.5);
  const { clock, generator } = full({ maxWaitMs: 1e9 });
  let settled = 0;
  const calls = Array.from({ length: 100 }, () =>
    generator.nextAsync().then(() => {
      settled++;
    }),
  );
  clock.now += 1;
  let turns = 0;
  for (let before = 0; settled < 100 && turns < 1000; turns++) {
    await fake.tickAsync(1);
    assert.ok(settled - before <= 3, `${settled - before} calls in one run`);
    before = settled;
  }
  assert.equal(settled, 100);
  await Promise.all(calls);
});

test("a call sleeps until the tick that it waits for, and is not tried before", async () => {
  const fake = fakeTimers();
  let now = START;
  let readings = 0;
  const clock = () => {
    readings++;
    return now;
  };
  const generator = format.generator({
    machineId: numberOfItsOwn(),
    clock,
    clockBackwards: "wait",
    maxWaitMs: 1e4,
  });
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

test("where no clock tells, a run still ends", async () => {
  const fake = fakeTimers();
  const clock = { now: START };
  const big = snowflakeSI({ epoch: 1.6e12, clockBits: 40, sequenceBits: 13 });
  const generator = big.generator({ clock: () => clock.now, maxWaitMs: 1e9 });
  generator.nextMany(8192);
  let settled = 0;
  for (let i = 0; i < 8192; i++) {
    void generator.nextAsync().then(() => {
      settled++;
    });
  }
  clock.now += 1;
  await fake.tickAsync(1);
  assert.ok(settled > 0 && settled < 8192, `${settled} calls in one run`);
  await fake.tickAsync(10);
  assert.equal(settled, 8192);
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

test("calls that were left on fake timers do not hold up those of later tests", async () => {
  const { clock, generator } = full({ maxWaitMs: 10_000 });
  const fake = fakeTimers("setTimeout", "clearTimeout");
  const left = generator.nextAsync();
  fake.uninstall();
  clock.now += 1;
  const later = await generator.nextAsync();
  assert.ok(later > (await left));
});

test("the bound holds where performance is faked after it has been real", async () => {
  await new Promise((done) => setTimeout(done, 1000));
  const { generator } = full({ maxWaitMs: 40 });
  fakeTimers("performance");
  let turns = 0;
  const count = setInterval(() => {
    turns++;
  }, 1);
  await assert.rejects(generator.nextAsync(), { code: "CLOCK_STUCK" });
  clearInterval(count);
  // Counted in turns of the event loop, because the clock is faked: earlier time must not be added to the bound.
  assert.ok(turns < 800, `${turns} turns`);
});
