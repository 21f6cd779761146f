/**
 * Waits with fake clocks: whichever clock stands still, a wait must end within its bound with a
 * typed error. @sinonjs/fake-timers (used by sinon, Jest and Vitest) stops both `Date` and
 * `performance`. Every story runs in its own process, which is killed if it does not end.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { told } from "../support/user-project.ts";

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

/** For each clock that stands still or misbehaves, a program and the expected answer. */
const STORIES: Record<string, readonly [program: string, answer: unknown]> = {
  "with Date and performance both standing still, full ticks and clocks that went back end in CLOCK_STUCK": [
    `const clock = stand();
    const ends = Object.values(makers).map((make) => {
      const g = make({ maxWaitMs: 40 });
      g.nextMany((g.capacity ?? 256) - 1);
      return [typeof outcome(() => g.next()), outcome(() => g.next()), outcome(() => g.nextMany(1))];
    });
    clock.setSystemTime(1.75e12 - 30);
    const back = Object.values(makers).map((make) => outcome(() => make({ maxWaitMs: 40, clockBackwards: "wait" }).next()));
    const g = makers.snowflakeSI({ maxWaitMs: 40 });
    const queued = await Promise.allSettled([g.nextAsync(), g.nextAsync()]);
    answer([ends, back, queued.map(({ reason }) => reason?.code)]);`,
    [
      ["string", "number", "bigint"].map((type) => [type, "CLOCK_STUCK", "CLOCK_STUCK"]),
      Array(3).fill("CLOCK_STUCK"),
      Array(2).fill("CLOCK_STUCK"),
    ],
  ],
  "no clock: performance.now that returns or throws something else, and none at all": [
    `const { now } = Date;
    const found = [];
    for (const mocked of [undefined, NaN, Infinity, "12", 5n, null, "throws", "none"]) {
      const fails = () => { throw new Error("mocked"); };
      performance.now = mocked === "throws" ? fails : () => mocked;
      if (mocked === "none") Object.defineProperty(globalThis, "performance", { value: undefined });
      const ask = (maxWaitMs) => Object.values(makers).map((make) => {
        const g = make({ maxWaitMs, isolated: true });
        return outcome(() => g.nextMany(3 * (g.capacity ?? 256)).length > 0);
      });
      const running = ask(100);
      Date.now = () => 1.8e12;
      found.push([running, ask(20)]);
      Date.now = now;
    }
    answer(found);`,
    Array(8).fill([Array(3).fill(true), Array(3).fill("CLOCK_STUCK")]),
  ],
  "a monotonic clock that moves by next to nothing ends a call in the queue as one that stands": [
    `let count = 0;
    performance.now = () => count++ * 1e-6;
    const g = makers.snowflakeSI({ clock: () => 1.75e12, maxWaitMs: 30 });
    g.nextMany(256);
    answer(await g.nextAsync().catch((error) => error.code));`,
    "CLOCK_STUCK",
  ],
  ...Object.fromEntries(
    ["0.1", "looks * 1e-9"].map((later) => [
      `a monotonic clock of 0 and then ${later} ends a wait where nothing can sleep`,
      [
        `Atomics.wait = () => { throw new TypeError("not here"); };
        let looks = 0;
        performance.now = () => (looks++ === 0 ? 0 : ${later});
        Date.now = () => 1.75e12;
        const g = makers.snowflakeSI({ maxWaitMs: 30 });
        g.nextMany(256);
        answer(outcome(() => g.next()));`,
        "CLOCK_STUCK",
      ],
    ]),
  ),
  // A reading takes about 50 ns, so at full speed there would be tens of millions.
  "a clock of the user's own that stands still is waited for maxWaitMs long, and mostly asleep": [
    `let readings = 0;
    const clock = () => { readings++; return 1.75e12; };
    const g = makers.snowflakeSI({ clock, maxWaitMs: 1500 });
    g.nextMany(256);
    const start = performance.now();
    const code = outcome(() => g.next());
    answer([code, readings < 3_000_000, performance.now() - start >= 1500]);`,
    ["CLOCK_STUCK", true, true],
  ],
  "a clock of the user's own that takes long to move is waited for to the end": [
    `const start = performance.now();
    const clock = () => 1.75e12 + (performance.now() - start > 1200 ? 1 : 0);
    const g = makers.snowflakeSI({ clock, maxWaitMs: 30_000 });
    g.nextMany(256);
    answer(typeof g.next());`,
    "number",
  ],
  "calls behind a head that timed out are not told that the clock stood still while it runs": [
    `let now = 1.75e12;
    setInterval(() => { now += 0.01; }, 1).unref();
    const g = makers.snowflakeSI({ clock: () => now, maxWaitMs: 60 });
    g.nextMany(256);
    const calls = await Promise.allSettled([g.nextAsync(), g.nextAsync(), g.nextAsync()]);
    answer(calls.map(({ reason }) => reason?.code));`,
    Array(3).fill("SEQUENCE_FULL"),
  ],
};

// Most of them sleep.
describe("waits with faked clocks", { concurrency: 4 }, () => {
  for (const [name, [program, wanted]] of Object.entries(STORIES)) {
    test(name, async () => assert.deepEqual(await told(prelude + program), wanted));
  }
});
