// The pages in www/docs/formats/: their tables match the package, their facts match the specifications, and each counterpart
// exists. Their examples are tested beside those of the README, in examples.test.ts.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ulidFlake, ulidFlakeScalable } from "graupel/ulid-flake";
import { subject } from "../generator/subjects.ts";
import { ROWS } from "../support/formats.ts";
import { facts } from "../support/make.ts";
import { root } from "../support/places.ts";
import { ownEpoch } from "../support/row.ts";
import { outcome } from "../support/scripted-clock.ts";
import { YEAR_MS } from "./facts.ts";
import { pathOf, rewritten, WRITTEN } from "./format-pages.ts";
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

test("README: its table has every format, with its facts", () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const rows = [...readme.matchAll(/^\|[^|]*\| `(\w+)` \|([^|]+)\|([^|]+)\|([^|]+)\|$/gm)];
  const table = new Map(rows.map(([, name, ...cells]) => [name, cells.map((cell) => cell.trim())]));
  const own = Object.values(facts).filter(({ given }) => Object.keys(given).length === 0);
  assert.deepEqual([...table.keys()].sort(), own.map((one) => one.export).sort());
  for (const { export: name, bits, text, id, endOfLife, lifeMs } of own) {
    const [width, type = "", last] = table.get(name) ?? [];
    const clear = bits === 64 && id.max.length < 20 ? ", top bit clear" : "";
    assert.equal(width, bits === null ? "up to 64" : `${bits}${clear}`, name);
    const length = id.type === "string" ? ` of ${text.longest} characters` : "";
    assert.equal(type.split(",")[0], `${id.type}${length}`, name);
    const years = lifeMs === null ? "as declared" : `epoch + ${Math.floor(lifeMs / YEAR_MS)} years`;
    assert.equal(last, endOfLife === null ? years : `${new Date(endOfLife).getUTCFullYear()}`, name);
  }
});

test("pages: the tables are what the package says and does", async (t) => {
  for (const page of WRITTEN) {
    await t.test(page, () => {
      const text = readFileSync(pathOf(page), "utf8");
      const wanted = rewritten(page, text);
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
