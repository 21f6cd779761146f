// The pages in www/docs/formats/: their tables match the package, their facts match the specifications, and each counterpart
// exists. Their examples are tested beside those of the README, in examples.test.ts.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ulidFlake, ulidFlakeScalable } from "graupel/ulid-flake";
import { outcome } from "../policies/scripted-clock.ts";
import { subject } from "../policies/subjects.ts";
import { PAGES, ROWS } from "../support/formats.ts";
import { ownEpoch } from "../support/row.ts";
import { pathOf, rewritten } from "./format-pages.ts";
import { missing } from "./sno-surface.ts";

test("pages: the facts are those of the specifications", () => {
  for (const row of ROWS) {
    const { name, specified: wanted } = row;
    const one = subject(name);
    const { layout, epoch, endOfLife, capacity, format, range } = one.format;
    const found: Record<string, string | number> = {
      bits: layout.bits,
      epoch: new Date(epoch).toISOString(),
      last: new Date(endOfLife).toISOString(),
      spanMs: endOfLife - epoch,
      tickMs: layout.tickMs,
      capacity,
      largest: format(range(undefined, undefined).max),
    };
    assert.equal("epoch" in wanted, !ownEpoch(row));
    for (const [fact, value] of Object.entries(wanted)) {
      assert.equal(found[fact], value, `${name}: ${fact}`);
    }
    assert.equal(
      layout.fields.reduce((sum, { bits }) => sum + bits, 0),
      layout.bits,
    );
  }
});

test("pages: the tables are what the package says and does", async (t) => {
  for (const page of PAGES) {
    await t.test(page, async () => {
      const text = readFileSync(pathOf(page), "utf8");
      const wanted = await rewritten(page, text);
      assert.equal(text, wanted, "node --import tsx tests/js/docs/format-pages.ts --write");
    });
  }
});

test("pages: every public item of sno's reference has its counterpart", async () => {
  const { missing: none, found } = await missing();
  assert.deepEqual(none, []);
  assert.ok(found > 70);
});

test("pages: a millisecond of Ulid-Flake holds on average a 256th of its limit", () => {
  // Numerical Recipes' generator, with a fixed seed: the same every time.
  let state = 1;
  const random = (bytes: Uint8Array) => {
    for (let i = 0; i < bytes.length; i++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      bytes[i] = state >>> 24;
    }
  };
  for (const [format, ticks] of [
    [ulidFlake, 100],
    [ulidFlakeScalable, 1000],
  ] as const) {
    let now = format.epoch;
    const generator = format.generator({ random, clock: () => now, sequenceFull: "throw" });
    let issued = 0;
    for (let tick = 0; tick < ticks; tick++) {
      now++;
      while (outcome(() => generator.next()) !== "SEQUENCE_FULL") {
        issued++;
      }
    }
    const ratio = issued / ticks / (format.capacity / 256);
    assert.ok(ratio > 0.9 && ratio < 1.1, `${format.name}: ${ratio}`);
  }
});
