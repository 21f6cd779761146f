// The generated parts of documents must match the package, its tests and the bench. The underlying
// facts must match the specifications.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ulidFlake, ulidFlakeScalable } from "graupel/ulid-flake";
import { ROWS } from "../support/formats.ts";
import { outcome } from "../support/scripted-clock.ts";
import { comparedOf, GENERATED, GUIDES } from "./generated.ts";
import { missing } from "./sno-surface.ts";

for (const file of Object.keys(GENERATED)) {
  test(`${file} is up to date`, async () => {
    const [text, wanted] = await comparedOf(file);
    assert.equal(text, wanted, "node --import tsx tests/js/docs/generated.ts --write");
  });
}

test("each guide of an adapter says which versions it was tested with", () => {
  const guides = ["drizzle", "kysely", "mongodb", "prisma", "public-ids", "sequelize", "typeorm"];
  assert.deepEqual(
    [...GUIDES].sort(),
    guides.map((name) => `www/docs/${name}.md`),
  );
});

test("the facts of formats are those of the specifications", () => {
  for (const row of ROWS) {
    const { name, specified: wanted } = row;
    const { layout, epoch, endOfLife, capacity, format, range } = row.format;
    const found: Record<string, string | number> = {
      bits: layout.bits,
      epoch: new Date(epoch).toISOString(),
      last: new Date(endOfLife).toISOString(),
      spanMs: endOfLife - epoch,
      tickMs: layout.tickMs,
      capacity,
      largest: format(range(undefined, undefined).max),
    };
    assert.equal("epoch" in wanted, !row.facts.declared);
    for (const [fact, value] of Object.entries(wanted)) {
      assert.equal(found[fact], value, `${name}: ${fact}`);
    }
    assert.equal(
      layout.fields.reduce((sum, { bits }) => sum + bits, 0),
      layout.bits,
    );
  }
});

test("every public item of sno's reference has its counterpart", async () => {
  const { missing: none, found } = await missing();
  assert.deepEqual(none, []);
  assert.ok(found > 70);
});

test("a millisecond of Ulid-Flake holds on average a 256th of its limit", () => {
  // The generator from Numerical Recipes with a fixed seed, so that every run is the same.
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
