/**
 * Clocks of platforms: those that run in steps, as browsers coarsen them against fingerprinting, end in an ID; those that stand still,
 * as on hosts that stop time between requests, soon end in an error that names the way out; and 0 is no time of a system clock.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GraupelError } from "graupel";
import { mastodon } from "graupel/snowflake";
import { type Replacement, replace } from "../support/replace.ts";
import { SUBJECTS } from "./subjects.ts";

/** Firefox with resistFingerprinting, and the coarsest that it can be set to. */
const STEPS_MS = [16.7, 100];

const isolated = true;

/** Replaces functions while `work` runs. */
function replacing(functions: readonly Replacement[], work: () => void): void {
  const restore = replace(...functions);
  try {
    work();
  } finally {
    restore();
  }
}

for (const step of STEPS_MS) {
  test(`a full tick ends in an ID where both clocks run in steps of ${step} ms`, () => {
    const [date, monotonic] = [Date.now, performance.now.bind(performance)];
    const coarse = (now: () => number) => () => Math.floor(now() / step) * step;
    const clocks = [
      [Date, "now", () => Math.floor(coarse(date)())],
      [performance, "now", coarse(monotonic)],
    ] as const;
    replacing(clocks, () => {
      for (const subject of SUBJECTS) {
        const { format, fixed, perTick } = subject;
        // The default bound, and one of a single step.
        for (const bound of [100, Math.ceil(Math.max(step, format.layout.tickMs))]) {
          const more = { isolated, sequenceFull: "wait", maxWaitMs: bound };
          const options = { ...fixed, ...subject.room("scarce"), ...more };
          const generator = format.generator(options);
          const ids = Array.from({ length: Math.min(perTick, 300) + 1 }, () => generator.next());
          assert.equal(new Set(ids).size, ids.length, `${subject.name}, ${bound} ms`);
        }
      }
    });
  });
}

test("where every clock stands still and nothing can sleep, a wait ends after few readings, and names borrow", () => {
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
  replacing(clocks, () => {
    for (const { name, format, fixed, room } of SUBJECTS) {
      const generator = format.generator({ ...fixed, ...room("scarce"), isolated, sequenceFull: "wait" });
      assert.throws(
        () => {
          for (;;) {
            readings = 0;
            generator.next();
          }
        },
        (error) => GraupelError.is(error) && error.code === "CLOCK_STUCK" && /"borrow"/.test(error.message),
        name,
      );
      // At 50 ns each, as in workerd, these are 50 ms.
      assert.ok(readings < 1_000_000, `${name}: ${readings} readings`);
    }
  });
});

test("0 is no time of the system's clock, but one of the user's own may say it", () => {
  replacing([[Date, "now", () => 0]], () => {
    for (const given of [undefined, Date.now]) {
      const generator = mastodon.generator({ isolated, ...(given && { clock: given }) });
      for (const make of [() => generator.next(), () => generator.nextMany(2)]) {
        assert.throws(make, { name: "GraupelError", code: "CLOCK_INVALID", field: "clock", value: 0 });
      }
    }
    assert.equal(mastodon.inspect(mastodon.generator({ isolated, clock: () => 0 }).next()).timestamp, 0);
  });
});
