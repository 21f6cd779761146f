/** What generators do without options: they go on where the clock goes back, and wait where a tick is full. And how far that goes. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { GraupelError } from "graupel";
import { ulidFlake, ulidFlakeScalable } from "graupel/ulid-flake";
import { testsJs } from "../support/places.ts";
import { outcome, rushed, Stage } from "./scripted-clock.ts";
import { optionOf, SUBJECTS, type Subject } from "./subjects.ts";

const run = promisify(execFile);

/** The policies of a format, as its facts have them. */
const defaultsOf = ({ facts }: Subject) =>
  Object.fromEntries(
    ["clockBackwards", "sequenceFull"].map((name) => [name, optionOf(facts, name)?.default]),
  );

const highOf = ({ format }: Subject) => format.epoch + 1_000_000 * format.layout.tickMs;

/** Runs on by a tick with each reading. */
const runs =
  ({ tick }: Stage) =>
  (last: number) =>
    last + tick;

test("the defaults: every format holds (sno: tick-tock), and waits", () => {
  for (const subject of SUBJECTS) {
    const clockBackwards = subject.page === "sno" ? "tick-tock" : "hold";
    assert.deepEqual(defaultsOf(subject), { clockBackwards, sequenceFull: "wait" }, subject.name);
  }
});

test("without options, every format does what its default policies say", () => {
  for (const subject of SUBJECTS) {
    for (const room of ["roomy", "scarce"] as const) {
      const [plain, explicit] = [{}, defaultsOf(subject)].map((options) => {
        const stage = new Stage(subject, highOf(subject), room, options);
        const ids = [];
        for (const readings of [[0], [0], [-1], [-5], [0], [1]]) {
          stage.clock.script(
            readings.map((ticks) => stage.at(ticks)),
            runs(stage),
          );
          ids.push(outcome(() => rushed(() => stage.generator.next())));
        }
        return ids;
      });
      assert.deepEqual(plain, explicit, subject.name);
      for (const id of plain as unknown[]) {
        assert.ok(subject.format.isValid(id), `${subject.name}, ${room}: ${id}`);
      }
    }
  }
});

test("Ulid-Flake: by default, a random step that leaves the millisecond waits for the next one", () => {
  for (const format of [ulidFlake, ulidFlakeScalable]) {
    const random = (bytes: Uint8Array) => void bytes.fill(255);
    for (const options of [{ random }, { random, clockBackwards: "throw" as const }]) {
      const generator = format.generator(options);
      const ids = Array.from({ length: 100 }, () => generator.next());
      assert.equal(new Set(ids).size, 100, format.name);
      assert.deepEqual(ids, [...ids].sort(), format.name);
    }
  }
});

test("ulidFlake.next() does not throw when a random step leaves the millisecond", async () => {
  const { stdout } = await run(
    process.execPath,
    [
      "--input-type=module",
      "--eval",
      `crypto.getRandomValues = (bytes) => bytes.fill(255);
       const { ulidFlake, ulidFlakeScalable } = await import("graupel");
       for (const format of [ulidFlake, ulidFlakeScalable])
         console.log(new Set(Array.from({ length: 100 }, () => format.next())).size);`,
    ],
    { cwd: testsJs },
  );
  assert.equal(stdout, "100\n100\n");
});

const HOLDING = SUBJECTS.filter(({ page }) => page !== "sno");

test("hold alone gives the numbers left in the highest tick; then the call waits, or throws", () => {
  for (const subject of HOLDING) {
    const { format, perTick } = subject;
    const tick = format.layout.tickMs;
    const high = highOf(subject);
    /** A generator whose clock has gone back by 50 ticks after the first ID. */
    const behind = (options: object) => {
      const stage = new Stage(subject, high, "scarce", { maxWaitMs: 51 * tick, ...options });
      stage.issue(0);
      stage.clock.stand(stage.at(-50));
      const rest = Array.from({ length: perTick - 1 }, () => stage.generator.next());
      const ticks = new Set(rest.map((id) => format.inspect(id).ticks));
      assert.deepEqual([...ticks], perTick > 1 ? [1_000_000] : [], subject.name);
      return stage;
    };
    const refusal = (options: object) => {
      try {
        return behind(options).generator.next();
      } catch (error) {
        assert.ok(GraupelError.is(error));
        return [error.code, error.field, error.value];
      }
    };
    assert.deepEqual(refusal({ sequenceFull: "throw" }), ["SEQUENCE_FULL", subject.counts, high - 50 * tick]);
    // The next tick is 51 ticks away.
    assert.deepEqual(refusal({ maxWaitMs: 51 * tick - 1 }), ["SEQUENCE_FULL", "maxWaitMs", 51 * tick]);
    const waiting = behind({});
    waiting.clock.script([waiting.at(-50)], runs(waiting));
    assert.equal(format.inspect(rushed(() => waiting.generator.next())).ticks, 1_000_001, subject.name);
    assert.equal(waiting.clock.taken.at(-1), waiting.at(1), subject.name);
  }
});

test("hold and borrow go on through a step back of up to maxAheadMs", () => {
  const policies = { clockBackwards: "hold", sequenceFull: "borrow" };
  const [ahead, ticks] = [40, 5];
  for (const subject of HOLDING) {
    const { format, perTick } = subject;
    const tick = format.layout.tickMs;
    /** What comes of calls for `ticks` ticks of IDs when the clock steps back. Waits of a tick are allowed, as always. */
    const after = (stepMs: number, maxWaitMs: number) => {
      const options = { ...policies, maxWaitMs, maxAheadMs: ahead * tick };
      const stage = new Stage(subject, highOf(subject), "scarce", options);
      stage.issue(0);
      stage.clock.script([stage.high - stepMs], runs(stage));
      const seen = Array.from({ length: ticks }, () =>
        outcome(() => rushed(() => stage.generator.nextMany(perTick))),
      ).flat();
      return { seen, taken: stage.clock.taken };
    };
    for (const stepMs of [1, (ahead * tick) / 2, ahead * tick]) {
      const { seen } = after(stepMs, tick);
      assert.ok(seen.every(format.isValid), `${subject.name}, ${stepMs} ms`);
      assert.equal(new Set(seen).size, ticks * perTick, subject.name);
    }
    // With room for all that is asked for, nothing waits: each call reads the clock once.
    assert.equal(after((ahead - ticks) * tick, 0).taken.length, ticks, subject.name);
    // Further back, hold itself waits until the clock is near enough.
    assert.ok(after((ahead + 1) * tick, tick).seen.every(format.isValid), subject.name);
    assert.equal(after((ahead + 1) * tick, tick - 0.25).seen[0], "CLOCK_BACKWARDS", subject.name);
  }
});
