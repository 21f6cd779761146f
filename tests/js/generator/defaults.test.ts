/**
 * The defaults of generators: the words, and the bounds to the tick. (conformance/facts.test.ts
 * checks that generators without options follow them.)
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FORMATS, optionOf } from "../support/formats.ts";
import { outcome } from "../support/scripted-clock.ts";
import { told } from "../support/user-project.ts";
import { Stage } from "./stage.ts";

test("the default policies: hold (sno: tick-tock) and wait", () => {
  for (const subject of FORMATS) {
    const found = ["clockBackwards", "sequenceFull"].map((name) => optionOf(subject.facts, name)?.default);
    assert.deepEqual(found, [subject.page === "sno" ? "tick-tock" : "hold", "wait"], subject.name);
  }
});

test("ulidFlake.next() does not throw when a random step leaves the millisecond", async () => {
  const seen = await told(`
    crypto.getRandomValues = (bytes) => bytes.fill(255);
    const { ulidFlake, ulidFlakeScalable } = await import("graupel");
    const distinct = (format) => new Set(Array.from({ length: 100 }, () => format.next())).size;
    console.log(JSON.stringify([ulidFlake, ulidFlakeScalable].map(distinct)));`);
  assert.deepEqual(seen, [100, 100]);
});

test("the defaults of maxWaitMs, 100, and of maxAheadMs, 10,000", () => {
  for (const subject of FORMATS) {
    const rows = [
      [{ maxWaitMs: 0 }, "maxAheadMs", 10_000],
      [{ maxAheadMs: 0 }, "maxWaitMs", 100],
    ] as const;
    for (const [options, name, ms] of rows) {
      assert.equal(optionOf(subject.facts, name)?.default, ms, `${subject.name}, ${name}`);
      const isRefused = (ticks: number) => {
        const stage = new Stage(subject, "roomy", { clockBackwards: "hold", ...options });
        stage.issue(0);
        stage.clock.script([stage.at(-ticks), stage.high]);
        return outcome(() => stage.generator.next()) === "CLOCK_BACKWARDS";
      };
      const most = Math.floor(ms / subject.format.layout.tickMs);
      const found = [isRefused(most), isRefused(most + 1)];
      assert.deepEqual(found, [false, true], `${subject.name}, ${JSON.stringify(options)}`);
    }
  }
});
