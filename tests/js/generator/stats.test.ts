// `stats()`: every counter, in stories whose every reading is known.
import assert from "node:assert/strict";
import { test } from "node:test";
import { OtherProcess } from "../support/other-process.ts";
import { hurried, outcome, Stage, stands } from "./scripted-clock.ts";
import { type Room, SUBJECTS, type Subject } from "./subjects.ts";

const NONE = {
  issued: 0,
  waits: 0,
  waitedMs: 0,
  clockRegressions: 0,
  largestRegressionMs: 0,
  overflows: 0,
  aheadMs: 0,
};

type Counters = Partial<typeof NONE>;

/** A generator whose counters are compared with the expected changes. */
class Count extends Stage {
  readonly #wanted = { ...NONE };

  constructor(subject: Subject, room: Room, options: Record<string, unknown>) {
    const { epoch, layout } = subject.format;
    const all = { maxWaitMs: 1000 * layout.tickMs, ...options };
    super(subject, epoch + 1_000_000 * layout.tickMs, room, all, new OtherProcess());
    this.clock.stand(this.high);
  }

  /** Adds to the counters, except the two that are not sums. */
  expect(step: string, changes: Counters): void {
    for (const [name, value] of Object.entries(changes) as [keyof Counters, number][]) {
      this.#wanted[name] =
        name === "aheadMs" || name === "largestRegressionMs" ? value : this.#wanted[name] + value;
    }
    assert.deepEqual(this.generator.stats(), this.#wanted, `${this.subject.name}: ${step}`);
  }

  /** Sets the clock, which then runs tick by tick. */
  run(ticks: number): void {
    this.clock.script([this.at(ticks)], (last) => last + this.tick);
  }
}

test("stats: IDs and regressions", () => {
  for (const subject of SUBJECTS) {
    const count = new Count(subject, "roomy", { clockBackwards: "hold" });
    const { generator, tick } = count;
    count.expect("nothing yet", {});
    count.issue(0, 2);
    count.expect("two", { issued: 2 });
    generator.nextMany(2);
    count.expect("a batch", { issued: 2 });
    generator.nextText();
    generator.nextManyText(1);
    count.expect("as text", { issued: 2 });
    generator.at(count.at(-50));
    count.expect("for a given time", { issued: 1 });
    count.clock.stand(count.at(1) - 0.5);
    generator.next();
    count.expect("later in the same tick", { issued: 1 });
    count.clock.stand(count.at(0));
    generator.next();
    count.expect("earlier in it, which is not back", { issued: 1 });
    count.clock.stand(count.at(-5));
    generator.next();
    count.expect("back", { issued: 1, clockRegressions: 1, largestRegressionMs: 5 * tick });
    count.clock.stand(count.at(-2));
    generator.next();
    count.expect("still back, less", { issued: 1, clockRegressions: 1 });
    count.clock.stand(count.at(7));
    generator.next();
    count.expect("on", { issued: 1 });
    // Another generator of the identity has the same counters.
    if (subject.page !== "ulid-flake") {
      assert.deepEqual(count.another({}).stats(), generator.stats());
    }
  }
});

test("stats: full ticks, borrowed ones, and how far ahead", () => {
  for (const subject of SUBJECTS) {
    const count = new Count(subject, "scarce", { sequenceFull: "borrow" });
    const { generator, tick } = count;
    count.fill();
    count.expect("one tick", { issued: subject.perTick });
    generator.next();
    count.expect("the next", { issued: 1, overflows: 1, aheadMs: tick });
    generator.nextMany(subject.perTick);
    count.expect("and one more", { issued: subject.perTick, overflows: 1, aheadMs: 2 * tick });
    count.issue(3);
    count.expect("the clock is past them", { issued: 1, aheadMs: 0 });
  }
});

test("stats: how far ahead, from the second tick of the format on", () => {
  for (const subject of SUBJECTS) {
    const { epoch, layout } = subject.format;
    const stage = new Stage(subject, epoch + layout.tickMs, "scarce", { sequenceFull: "borrow" });
    stage.fill();
    stage.generator.next();
    assert.equal(stage.generator.stats().aheadMs, layout.tickMs, subject.name);
  }
});

test("stats: waits, and for how long by the generator's own clock", async () => {
  for (const subject of SUBJECTS) {
    const count = new Count(subject, "scarce", { sequenceFull: "wait", clockBackwards: "wait" });
    const { generator, tick } = count;
    count.fill();
    count.run(0);
    generator.next();
    count.expect("for the next tick", {
      issued: subject.perTick + 1,
      overflows: 1,
      waits: 1,
      waitedMs: tick,
    });
    count.run(-5);
    if (subject.perTick > 1) {
      generator.next();
      count.expect("after a step back", {
        issued: 1,
        waits: 1,
        waitedMs: 6 * tick,
        clockRegressions: 1,
        largestRegressionMs: 6 * tick,
      });
    } else {
      // The tick that the call waits for is then used up, so it waits twice.
      generator.next();
      count.expect("after a step back", {
        issued: 1,
        overflows: 1,
        waits: 1,
        waitedMs: 7 * tick,
        clockRegressions: 1,
        largestRegressionMs: 6 * tick,
      });
    }
    count.run(20);
    generator.nextMany(3 * subject.perTick);
    count.expect("twice in a batch: one call", {
      issued: 3 * subject.perTick,
      overflows: 2,
      waits: 1,
      waitedMs: 2 * tick,
    });
    count.run(22);
    await hurried(() => generator.nextAsync());
    count.expect("asynchronously", { issued: 1, overflows: 1, waits: 1, waitedMs: tick });
  }
});

test("stats: what is refused is not issued and has not waited", async () => {
  for (const subject of SUBJECTS) {
    const options = { sequenceFull: "throw", clockBackwards: "throw", maxWaitMs: 0 };
    const count = new Count(subject, "scarce", options);
    const { generator, tick } = count;
    count.fill();
    for (let i = 0; i < 3; i++) {
      assert.equal(
        outcome(() => generator.next()),
        "SEQUENCE_FULL",
      );
    }
    count.expect("three times in a full tick, which was used up once", {
      issued: subject.perTick,
      overflows: 1,
    });
    assert.equal(
      outcome(() => generator.nextMany(2)),
      "SEQUENCE_FULL",
    );
    await assert.rejects(generator.nextAsync(), { code: "SEQUENCE_FULL" });
    count.expect("by the other calls", {});
    count.clock.script([count.at(-4)], stands);
    assert.equal(
      outcome(() => generator.next()),
      "CLOCK_BACKWARDS",
    );
    count.expect("back", { clockRegressions: 1, largestRegressionMs: 4 * tick });
    count.clock.stand(subject.format.epoch - 1);
    assert.equal(
      outcome(() => generator.next()),
      "BEFORE_EPOCH",
    );
    count.expect("before the epoch", {});
    count.clock.stand(count.at(9));
    generator.next();
    count.expect("on", { issued: 1 });
  }
});
