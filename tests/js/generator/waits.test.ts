/**
 * Waits on coarse platform clocks. If a clock runs in steps, as browsers coarsen it against fingerprinting,
 * calls end in an ID. If it stands still, as on hosts that stop time between requests, calls soon
 * end in an error that names a remedy. A system clock that reads 0 is rejected.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GraupelError } from "graupel";
import { mastodon } from "graupel/snowflake";
import { FORMATS, type FormatUnderTest } from "../support/formats.ts";
import { type Replacement, replace } from "../support/replace.ts";

const isolated = true;

/** Replaces functions while `work` runs. */
async function replacing(functions: readonly Replacement[], work: () => unknown): Promise<void> {
  const restore = replace(...functions);
  try {
    await work();
  } finally {
    restore();
  }
}

/** Formats whose ticks fill up quickly. All formats share the code that waits. */
const SCARCE = FORMATS.filter(({ perTick }) => perTick < 10).slice(0, 2);

/** A generator that waits, and shares its state with no other. */
const waiting = ({ format, fixed, room }: FormatUnderTest, options: object = {}) =>
  format.generator({ ...fixed, ...room("scarce"), isolated, sequenceFull: "wait", ...options });

/** The scripted duration of one reading. */
const READING_MS = 30e-6;

/**
 * Simulates clocks that run in steps, where time passes only through readings, sleep and timers.
 * `phase` is the offset of the monotonic clock.
 */
function coarse(step: number, phase: number, sleeps: boolean): Replacement[] {
  const begin = 1.75e12;
  // Starts at 0, because adding the duration of a reading to 1.75e12 would change nothing.
  let now = 0;
  const passed = (ms: number) => {
    now += ms;
    return now;
  };
  return [
    [Date, "now", () => Math.floor(begin + Math.floor(passed(READING_MS) / step) * step)],
    [performance, "now", () => Math.floor(passed(READING_MS) / step + phase) * step],
    [
      Atomics,
      "wait",
      (_: unknown, _index: unknown, _value: unknown, ms: number) => {
        if (!sleeps) throw new TypeError("Atomics.wait cannot be called in this context");
        // Platforms sleep a little too long.
        passed(ms + 0.06);
      },
    ],
    [
      globalThis,
      "setTimeout",
      (run: (...given: unknown[]) => void, ms: number, ...given: unknown[]) =>
        setImmediate(() => {
          passed(ms + 0.1);
          run(...given);
        }),
    ],
    [globalThis, "clearTimeout", clearImmediate],
  ];
}

/**
 * The steps of Firefox with resistFingerprinting, the coarsest steps that it can be set to, and
 * longer ones; the offset of the monotonic clock, in steps; and whether calls can sleep.
 */
const COARSE = [
  ...[0, 0.4].map((phase) => [16.7, phase, true] as const),
  ...[0, 0.9].map((phase) => [16.7, phase, false] as const),
  [100, 0, true],
  [100, 0, false],
  [250, 0.4, true],
  // Steps of 250 ms take eight million readings.
  [250, 0.9, false],
] as const;

for (const [step, phase, sleeps] of COARSE) {
  const name = `both clocks run in steps of ${step} ms, ${phase} of a step apart, ${sleeps ? "and" : "but not where"} calls can sleep`;
  test(`full ticks end in IDs where ${name}`, async () => {
    await replacing(coarse(step, phase, sleeps), async () => {
      // Steps of 250 ms take millions of readings, so they test only one format and one full tick.
      const isLong = step === 250;
      for (const subject of isLong ? SCARCE.slice(0, 1) : SCARCE) {
        const { name, format, perTick } = subject;
        const count = (isLong ? 1 : 2) * perTick + 1;
        for (const maxWaitMs of [100, Math.ceil(Math.max(step, format.layout.tickMs))]) {
          const clock = maxWaitMs === 100 ? Date.now : () => Date.now();
          const make = () => waiting(subject, { maxWaitMs, clock });
          const [one, many, queued] = [make(), make(), make()];
          const ids = [
            Array.from({ length: count }, () => one.next()),
            many.nextMany(count),
            await Promise.all(Array.from({ length: count }, () => queued.nextAsync())),
          ];
          for (const made of ids) {
            assert.equal(new Set(made).size, count, `${name}, ${maxWaitMs} ms`);
          }
        }
      }
    });
  });
}

test("on a clock that takes 20 ms to read, a wait ends soon after maxWaitMs", async () => {
  const now = 1.75e12;
  let passed = 0;
  const slow = () => {
    passed += 20;
    return now;
  };
  await replacing([[performance, "now", () => passed]], () => {
    for (const subject of SCARCE) {
      for (const [maxWaitMs, most] of [
        [20, 400],
        [600, 700],
        [5000, 5100],
      ] as const) {
        const generator = waiting(subject, { maxWaitMs, clock: slow });
        assert.throws(
          () => {
            for (;;) {
              passed = 0;
              generator.next();
            }
          },
          { code: "CLOCK_STUCK" },
        );
        assert.ok(passed <= most, `${passed} ms`);
      }
    }
  });
});

test("if every clock stands still and nothing can sleep, a wait ends after some readings with an error that names borrow", async () => {
  const now = Date.now();
  let readings = 0;
  const clocks = [
    [
      Date,
      "now",
      () => {
        readings++;
        return now;
      },
    ],
    [performance, "now", () => 0],
    [
      Atomics,
      "wait",
      () => {
        throw new TypeError("Atomics.wait cannot be called in this context");
      },
    ],
  ] as const;
  await replacing(clocks, () => {
    for (const subject of SCARCE) {
      const generator = waiting(subject);
      assert.throws(
        () => {
          for (;;) {
            readings = 0;
            generator.next();
          }
        },
        (error) => GraupelError.is(error) && error.code === "CLOCK_STUCK" && /"borrow"/.test(error.message),
        subject.name,
      );
      // At 50 ns each, as in workerd, these readings take 0.6 s. With fewer, a wait could end
      // before the next step of a running clock.
      assert.ok(readings < 13_000_000, `${subject.name}: ${readings} readings`);
    }
  });
});

test("a system clock that reads 0 is rejected, and a user's clock may read 0", async () => {
  await replacing([[Date, "now", () => 0]], () => {
    for (const given of [undefined, Date.now]) {
      const generator = mastodon.generator({ isolated, ...(given && { clock: given }) });
      for (const make of [() => generator.next(), () => generator.nextMany(2)]) {
        assert.throws(make, { name: "GraupelError", code: "CLOCK_INVALID", field: "clock", value: 0 });
      }
    }
    assert.equal(mastodon.inspect(mastodon.generator({ isolated, clock: () => 0 }).next()).timestamp, 0);
  });
});
