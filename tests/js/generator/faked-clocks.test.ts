/**
 * Waits with faked clocks: a wait must end within its bound with a typed error, whatever stands still. @sinonjs/fake-timers (used by
 * sinon, Jest and Vitest) stops both `Date` and `performance`. Every story runs in its own process, which is killed if it does not end.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { told } from "../support/program.ts";

const fakeTimers = import.meta.resolve("@sinonjs/fake-timers");

const prelude = `
  import FakeTimers from ${JSON.stringify(fakeTimers)};
  import * as graupel from "graupel";
  const { sno, snowflake, snowflakeSI } = graupel;
  const outcome = (work) => { try { return work(); } catch (error) { return error.code ?? error; } };
  const answer = (value) => console.log(JSON.stringify(value));
  const stand = () => FakeTimers.install({ now: 1.75e12, toFake: ["Date", "performance"] });
  const slow = snowflake({ epoch: 1.6e12, tickMs: 10, fields: { time: 39, sequence: 8 } });
  const makers = {
    sno: (options) => sno.generator({ partition: 1, ...options }),
    snowflakeSI: (options) => snowflakeSI({ epoch: 1.6e12 }).generator({ machineId: 1, ...options }),
    slow: (options) => slow.generator(options),
  };
`;

/** The JSON that a program prints. */
const tell = (program: string): Promise<unknown> => told(prelude + program);

// Most of them sleep.
describe("waits with faked clocks", { concurrency: 4 }, () => {
  for (const name of ["sno", "snowflakeSI", "slow"]) {
    test(`${name}: with Date and performance both standing still, a full tick ends in CLOCK_STUCK`, async () => {
      const seen = await tell(`
      stand();
      const g = makers.${name}({ maxWaitMs: 40 });
      const capacity = g.capacity ?? 256;
      g.nextMany(capacity - 1);
      answer([typeof outcome(() => g.next()), outcome(() => g.next()), outcome(() => g.nextMany(1))]);
    `);
      const first = name === "snowflakeSI" ? "number" : name === "sno" ? "string" : "bigint";
      assert.deepEqual(seen, [first, "CLOCK_STUCK", "CLOCK_STUCK"]);
    });

    test(`${name}: so does a wait for a clock that went back`, async () => {
      const seen = await tell(`
      const clock = stand();
      const g = makers.${name}({ maxWaitMs: 40, clockBackwards: "wait" });
      g.next();
      clock.setSystemTime(1.75e12 - 30);
      answer(outcome(() => g.next()));
    `);
      assert.equal(seen, "CLOCK_STUCK");
    });

    test(`${name}: nextAsync ends too, as timers run`, async () => {
      const seen = await tell(`
      stand();
      const g = makers.${name}({ maxWaitMs: 40 });
      g.nextMany(g.capacity ?? 256);
      const calls = await Promise.allSettled([g.nextAsync(), g.nextAsync()]);
      answer(calls.map(({ reason }) => reason?.code));
    `);
      assert.deepEqual(seen, ["CLOCK_STUCK", "CLOCK_STUCK"]);
    });
  }

  for (const mocked of ["undefined", "NaN", "Infinity", "'12'", "5n", "null"]) {
    test(`performance.now mocked to ${mocked} is no clock`, async () => {
      const seen = await tell(`
      performance.now = () => ${mocked};
      const results = Object.values(makers).map((make) => {
        const g = make({ maxWaitMs: 100 });
        const one = g.nextMany(3 * (g.capacity ?? 256));
        return one.length;
      });
      Date.now = () => 1.8e12;
      const stuck = Object.values(makers).map((make) => {
        const g = make({ maxWaitMs: 20 });
        return outcome(() => g.nextMany(2 * (g.capacity ?? 256)));
      });
      answer([results.every((count) => count > 0), stuck]);
    `);
      assert.deepEqual(seen, [true, ["CLOCK_STUCK", "CLOCK_STUCK", "CLOCK_STUCK"]]);
    });
  }

  test("without performance at all, waits end", async () => {
    const seen = await tell(`
    Object.defineProperty(globalThis, "performance", { value: undefined, configurable: true });
    const g = makers.snowflakeSI({ maxWaitMs: 50 });
    const many = g.nextMany(1000).length;
    Date.now = () => 1.8e12;
    answer([many, outcome(() => g.nextMany(1000))]);
  `);
    assert.deepEqual(seen, [1000, "CLOCK_STUCK"]);
  });

  test("a monotonic clock that moves by next to nothing ends a call in the queue as one that stands", async () => {
    const seen = await tell(`
    let count = 0;
    performance.now = () => count++ * 1e-6;
    const g = makers.snowflakeSI({ clock: () => 1.75e12, maxWaitMs: 30 });
    g.nextMany(256);
    answer(await g.nextAsync().catch((error) => error.code));
  `);
    assert.equal(seen, "CLOCK_STUCK");
  });

  for (const later of ["0.1", "looks * 1e-9"]) {
    test(`a monotonic clock of 0 and then ${later} ends a wait where nothing can sleep`, async () => {
      const seen = await tell(`
      Atomics.wait = () => { throw new TypeError("not here"); };
      let looks = 0;
      performance.now = () => (looks++ === 0 ? 0 : ${later});
      Date.now = () => 1.75e12;
      const g = makers.snowflakeSI({ maxWaitMs: 30 });
      g.nextMany(256);
      answer(outcome(() => g.next()));
    `);
      assert.equal(seen, "CLOCK_STUCK");
    });
  }

  test("a clock of the user's own that stands still is waited for maxWaitMs long, and mostly asleep", async () => {
    const [code, readings, waited] = (await tell(`
    let readings = 0;
    const clock = () => { readings++; return 1.75e12; };
    const g = makers.snowflakeSI({ clock, maxWaitMs: 1500 });
    g.nextMany(256);
    const start = performance.now();
    const code = outcome(() => g.next());
    answer([code, readings, performance.now() - start >= 1500]);
  `)) as [string, number, boolean];
    assert.equal(code, "CLOCK_STUCK");
    // A reading takes about 50 ns: at full speed, there would be tens of millions.
    assert.ok(readings < 3_000_000, `${readings} readings`);
    assert.ok(waited, "it ended before its bound");
  });

  test("a clock of the user's own that takes long to move is waited for to the end", async () => {
    const seen = await tell(`
    const start = performance.now();
    const clock = () => 1.75e12 + (performance.now() - start > 1200 ? 1 : 0);
    const g = makers.snowflakeSI({ clock, maxWaitMs: 30_000 });
    g.nextMany(256);
    answer(typeof g.next());
  `);
    assert.equal(seen, "number");
  });

  test("calls behind a head that timed out are not told that the clock stood still while it runs", async () => {
    const seen = await tell(`
    let now = 1.75e12;
    setInterval(() => { now += 0.01; }, 1).unref();
    const g = makers.snowflakeSI({ clock: () => now, maxWaitMs: 60 });
    g.nextMany(256);
    const calls = await Promise.allSettled([g.nextAsync(), g.nextAsync(), g.nextAsync()]);
    answer(calls.map(({ reason }) => reason?.code));
  `);
    assert.deepEqual(seen, ["SEQUENCE_FULL", "SEQUENCE_FULL", "SEQUENCE_FULL"]);
  });
});
