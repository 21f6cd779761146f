// `nextAsync`: calls wait in order, without blocking the event loop; and some give up.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { GraupelError } from "graupel";
import type { Id } from "../support/any-format.ts";
import { FORMATS, type FormatUnderTest } from "../support/formats.ts";
import { OtherProcess } from "../support/other-process.ts";
import { settled } from "../support/scripted-clock.ts";
import { fakeTimers } from "./full-tick.ts";
import { Stage } from "./stage.ts";

const PATIENT = { maxWaitMs: 60_000, clockBackwards: "wait", sequenceFull: "wait" };

/** A generator whose tick is used up, so that the next call waits. The clock stands still until it is moved. */
function stalled(
  subject: FormatUnderTest,
  options: Record<string, unknown> = {},
  process?: OtherProcess,
): Stage {
  const stage = new Stage(subject, "scarce", { ...PATIENT, ...options }, process);
  stage.fill();
  return stage;
}

/** Moves the clock by a tick at each turn of the event loop; if the loop is blocked, the clock stands still. */
async function moving<T>(stage: Stage, work: Promise<T>): Promise<T> {
  let ticks = 0;
  const timer = setInterval(() => stage.clock.stand(stage.at(++ticks)), 1);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}

function distinct(ids: readonly Id[], what: string): void {
  assert.equal(new Set(ids).size, ids.length, `${what}: an ID was repeated`);
}

/** The ends of calls: their IDs, or the reasons of their rejection. */
const ends = async (calls: readonly Promise<Id>[]): Promise<readonly unknown[]> =>
  (await Promise.allSettled(calls)).map((end) =>
    end.status === "fulfilled" ? end.value : GraupelError.is(end.reason) ? end.reason.code : end.reason,
  );

test("nextAsync: callers are served in order, by timers, and in the order of IDs", async () => {
  for (const subject of FORMATS) {
    const stage = stalled(subject, {}, new OtherProcess());
    const other = stage.another({ clockBackwards: "hold" });
    const order: number[] = [];
    let fired = 0;
    setTimeout(() => {
      fired = order.length + 1;
    }, 1);
    const calls = Array.from({ length: 6 }, (_, i) => {
      const from = subject.page === "ulid-flake" || i % 2 === 0 ? stage.generator : other;
      return from.nextAsync().finally(() => order.push(i));
    });
    // After the clock has moved, this call could be served at once if no others waited before it.
    stage.clock.stand(stage.at(1));
    calls.push(stage.generator.nextAsync().finally(() => order.push(6)));
    const ids = await moving(stage, Promise.all(calls));
    assert.deepEqual(order, [0, 1, 2, 3, 4, 5, 6], subject.name);
    assert.equal(fired, 1, "a timer that was due fired before the first call was served");
    distinct(ids, subject.name);
    if (subject.fixed.sequenceStart !== "continue") {
      assert.deepEqual([...ids].sort(subject.format.compare), ids, subject.name);
    }
  }
});

test("nextAsync: a signal aborted while waiting rejects with its reason, and disturbs nobody else", async () => {
  for (const subject of FORMATS) {
    for (const leaving of [[0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2]]) {
      const stage = stalled(subject);
      const twin = stalled(subject);
      const controllers = [0, 1, 2].map(() => new AbortController());
      const calls = controllers.map(({ signal }) => stage.generator.nextAsync({ signal }));
      const reasons = leaving.map((i) => ({ caller: i }));
      for (const [n, i] of leaving.entries()) {
        controllers[i]?.abort(reasons[n]);
      }
      // The other calls get the IDs that they would get without the aborted ones.
      const wanted: unknown[] = [];
      twin.run(1);
      for (let i = 0; i < 3; i++) {
        wanted.push(leaving.includes(i) ? reasons[leaving.indexOf(i)] : twin.generator.next());
      }
      stage.run(1);
      const found = await ends(calls);
      assert.deepEqual(found, wanted, `${subject.name}: ${leaving}`);
      for (const [n, i] of leaving.entries()) {
        assert.equal(found[i], reasons[n], "the reason itself");
      }
      assert.equal(stage.generator.next(), twin.generator.next(), subject.name);
    }
  }
});

test("nextAsync: whoever stands behind a call that gives up does not wait for that one's time", async () => {
  const timers = fakeTimers("setTimeout");
  for (const subject of FORMATS.filter(({ page }) => page !== "ulid-flake")) {
    const stage = new Stage(subject, "roomy", PATIENT, new OtherProcess());
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
    assert.ok(subject.format.isValid(second), `${subject.name}: still waiting`);
  }
});

test("nextAsync: a signal aborted before, one aborted without a reason, and one aborted too late", async () => {
  const stage = stalled(FORMATS[0] as FormatUnderTest);
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

test("nextAsync: signals without reason and throwIfAborted, as of React Native's older polyfills", async () => {
  const { prototype } = AbortSignal;
  const gone = ["reason", "throwIfAborted"].map(
    (name) => [name, Object.getOwnPropertyDescriptor(prototype, name) as PropertyDescriptor] as const,
  );
  for (const [name] of gone) Reflect.deleteProperty(prototype, name);
  try {
    const stage = stalled(FORMATS[0] as FormatUnderTest);
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

test("nextAsync: callers on a clock that stands still all end, and all within the bound of one", async () => {
  const timers = fakeTimers();
  for (const subject of FORMATS) {
    const { tickMs } = subject.format.layout;
    const stage = stalled(subject, { maxWaitMs: 20 + tickMs });
    let ended = 0;
    const calls = Array.from({ length: 10 }, () => stage.generator.nextAsync().finally(() => ended++));
    const all = ends(calls);
    // A clock may take steps of 250 ms, and the monotonic one, too.
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

test("nextAsync: a clock that fails while calls wait ends no more than the calls that meet it", async () => {
  const mine = new Error("the clock's own");
  for (const [name, fail] of [
    ["no time", () => Number.NaN],
    [
      "throws",
      () => {
        throw mine;
      },
    ],
  ] as const) {
    for (const listener of [undefined, () => undefined]) {
      for (const subject of FORMATS) {
        const stage = stalled(subject, { onOverflow: listener });
        const calls = [stage.generator.nextAsync(), stage.generator.nextAsync(), stage.generator.nextAsync()];
        // One bad reading, and then the next ticks.
        let failed = false;
        const wrong = (last: number) => {
          if (!failed) {
            failed = true;
            return fail();
          }
          return Number.isFinite(last) && last !== undefined ? last + stage.tick : stage.at(1);
        };
        stage.clock.script([], wrong);
        const hung = new AbortController();
        const found = await Promise.race([ends(calls), pause(60_000, undefined, { signal: hung.signal })]);
        hung.abort();
        assert.ok(found !== undefined, `${subject.name}, ${name}: calls wait for ever`);
        const bad = found.filter((end) => end === "CLOCK_INVALID" || end === mine);
        assert.ok(bad.length <= 1, `${subject.name}, ${name}: ${bad.length} calls met one bad reading`);
        assert.equal(new Set(found).size, 3, `${subject.name}, ${name}`);
      }
    }
  }
});

test("nextAsync: what a callback of one waiting call throws reaches no other", async () => {
  const mine = new Error("the callback's own");
  const onClockBackwards = () => {
    throw mine;
  };
  for (const subject of FORMATS.filter(({ page }) => page !== "ulid-flake")) {
    const stage = stalled(subject, {}, new OtherProcess());
    const throwing = stage.another({ onClockBackwards });
    const calls = [stage.generator, throwing, stage.generator].map((one) => one.nextAsync());
    // The clock goes back after the first is served.
    stage.clock.script([stage.at(1), stage.at(-3)], (last) => last + stage.tick);
    const [first, second, third] = await ends(calls);
    assert.equal(second, mine, subject.name);
    distinct([first, third] as Id[], subject.name);
    assert.ok([first, third].every(subject.format.isValid), `${subject.name}: ${first}, ${third}`);
  }
});
