// `nextAsync`: signals, and single calls that give up or fail. (For many calls, see queue.test.ts.
// For their order, and for errors in callbacks and signals, which do not affect other calls, see
// fuzz/clock.)
import assert from "node:assert/strict";
import { test } from "node:test";
import { GraupelError, type Overflow } from "graupel";
import type { Id } from "../support/any-format.ts";
import { FORMATS, type FormatUnderTest } from "../support/formats.ts";
import { OtherProcess } from "../support/other-process.ts";
import { settled } from "../support/scripted-clock.ts";
import { fakeTimers } from "./full-tick.ts";
import { Stage } from "./stage.ts";

const PATIENT = { maxWaitMs: 60_000, clockBackwards: "wait", sequenceFull: "wait" };
/** A format whose generators share state, and one with a source of randomness. */
const SOME = FORMATS.filter(({ name }) => name === "sno" || name === "ulid-flake");
const [sno] = SOME as [FormatUnderTest];

/**
 * A generator whose tick is used up, so that the next call waits. The clock stands still until a
 * test moves it.
 */
function stalled(subject: FormatUnderTest, options: Record<string, unknown> = {}): Stage {
  const stage = new Stage(subject, "scarce", { ...PATIENT, ...options });
  stage.fill();
  return stage;
}

/** The outcomes of calls: their IDs, or the reasons for their rejection. */
const ends = async (calls: readonly Promise<Id>[]): Promise<readonly unknown[]> =>
  (await Promise.allSettled(calls)).map((end) =>
    end.status === "fulfilled" ? end.value : GraupelError.is(end.reason) ? end.reason.code : end.reason,
  );

test("nextAsync: a call behind an aborted one does not wait as long as the aborted one would have", async () => {
  const timers = fakeTimers("setTimeout");
  const stage = new Stage(sno, "roomy", PATIENT, new OtherProcess());
  const holding = stage.another({ clockBackwards: "hold" });
  stage.issue(0);
  stage.clock.stand(stage.at(-900));
  const controller = new AbortController();
  const first = stage.generator.nextAsync({ signal: controller.signal });
  let second: Id | undefined;
  void holding.nextAsync().then((id) => {
    second = id;
  });
  controller.abort();
  await assert.rejects(first, { name: "AbortError" });
  for (let ms = 0; ms < 5; ms++) {
    timers.tick(1);
    await settled();
  }
  assert.ok(sno.format.isValid(second), "still waiting");
});

test("nextAsync: a signal aborted before, one aborted without a reason, and one aborted too late", async () => {
  const stage = stalled(sno);
  const reason = { of: "mine" };
  stage.clock.stand(stage.high);
  assert.deepEqual(await ends([stage.generator.nextAsync({ signal: AbortSignal.abort(reason) })]), [reason]);
  assert.equal(stage.clock.taken.length, 0, "the clock was read");
  const controller = new AbortController();
  const call = stage.generator.nextAsync({ signal: controller.signal });
  controller.abort();
  await assert.rejects(call, { name: "AbortError" });
  stage.clock.stand(stage.at(1));
  const late = new AbortController();
  const served = stage.generator.nextAsync({ signal: late.signal });
  late.abort();
  assert.equal(typeof (await served), "string");
});

test("nextAsync: a callback that aborts the call ends its wait", async () => {
  fakeTimers("setTimeout");
  const controller = new AbortController();
  const onClockBackwards = () => controller.abort("mine");
  const stage = new Stage(sno, "roomy", { ...PATIENT, onClockBackwards });
  stage.issue(0);
  stage.clock.stand(stage.at(-900));
  // No timer ends the wait.
  assert.deepEqual(await ends([stage.generator.nextAsync({ signal: controller.signal })]), ["mine"]);
});

test("nextAsync: signals without reason and throwIfAborted, as in older polyfills of React Native", async () => {
  const { prototype } = AbortSignal;
  const gone = ["reason", "throwIfAborted"].map(
    (name) => [name, Object.getOwnPropertyDescriptor(prototype, name) as PropertyDescriptor] as const,
  );
  for (const [name] of gone) Reflect.deleteProperty(prototype, name);
  try {
    const stage = stalled(sno);
    const aborted = { name: "AbortError", message: "aborted" };
    await assert.rejects(stage.generator.nextAsync({ signal: AbortSignal.abort() }), aborted);
    const [given, kept] = [new AbortController(), new AbortController()];
    const calls = [given, kept].map(({ signal }) => stage.generator.nextAsync({ signal }));
    given.abort();
    await assert.rejects(calls[0] as Promise<Id>, aborted);
    stage.clock.stand(stage.at(1));
    assert.equal(typeof (await calls[1]), "string");
  } finally {
    for (const [name, descriptor] of gone) Object.defineProperty(prototype, name, descriptor);
  }
});

test("nextAsync: on a clock that stands still, all calls end within the limit of one", async () => {
  const timers = fakeTimers();
  for (const subject of SOME) {
    const { tickMs } = subject.format.layout;
    const stage = stalled(subject, { maxWaitMs: 20 + tickMs });
    let ended = 0;
    const calls = Array.from({ length: 10 }, () => stage.generator.nextAsync().finally(() => ended++));
    const all = ends(calls);
    // The system clock and the monotonic clock may both run in steps of 250 ms.
    for (let ms = 0; ms < 605 + 2 * tickMs; ms++) {
      timers.tick(1);
      await settled();
    }
    assert.equal(ended, 10, subject.name);
    assert.deepEqual(await all, Array(10).fill("CLOCK_STUCK"), subject.name);
    stage.clock.stand(stage.at(1));
    const twin = stalled(subject);
    twin.clock.stand(twin.at(1));
    assert.equal(await stage.generator.nextAsync(), twin.generator.next(), subject.name);
  }
});

test("nextAsync: if the clock fails while calls wait, only the call that reads it fails", async () => {
  const mine = new Error("the clock's own");
  const failures = [
    () => Number.NaN,
    () => {
      throw mine;
    },
  ];
  for (const subject of SOME) {
    for (const fail of failures) {
      const times: number[] = [];
      for (const onOverflow of [undefined, ({ time }: Overflow) => times.push(time)]) {
        const stage = stalled(subject, { onOverflow });
        const calls = [1, 2, 3].map(() => stage.generator.nextAsync());
        // One bad reading, then the next ticks.
        let failed = false;
        stage.clock.script([], (last) => {
          if (!failed) {
            failed = true;
            return fail();
          }
          return Number.isFinite(last) ? last + stage.tick : stage.at(1);
        });
        const found = await ends(calls);
        const bad = found.filter((end) => end === "CLOCK_INVALID" || end === mine);
        assert.ok(bad.length <= 1, `${subject.name}: ${bad.length} calls met one bad reading`);
        assert.equal(new Set(found).size, 3, subject.name);
        assert.ok(
          times.every((time) => time >= stage.high),
          `${times}`,
        );
      }
    }
  }
});
