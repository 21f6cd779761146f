/**
 * The layouts that the page calculates: they meet the requirements, are no wider than needed, and
 * are accepted by the package.
 */
import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";
import { snowflake, snowflakeSI } from "graupel";
import {
  bitsFor,
  lacksOf,
  layoutFor,
  type Needs,
  offerOf,
  safeLayoutFor,
} from "../../../www/src/choose/layouts.ts";
import { YEAR_MS } from "../../../www/src/lib/units.ts";

const EPOCH = Date.UTC(2025, 0, 1);

const CASES: Needs[] = [1, 10, 1000, 4096, 300_000, 4_096_000, 4_096_001].flatMap((perSecond) =>
  [1, 2, 31, 32, 33, 1000, 1024, 65_536, 1_000_000].flatMap((machines) =>
    [0.5, 1, 10, 34, 35, 69, 70, 100, 500].map((years) => ({ perSecond, machines, years })),
  ),
);

test("a width holds that many values, and one bit less does not", () => {
  equal(bitsFor(1), 0);
  for (const values of [2, 3, 4, 5, 31, 32, 33, 65_535, 65_536, 65_537, 1e12]) {
    ok(2 ** bitsFor(values) >= values);
    ok(2 ** (bitsFor(values) - 1) < values);
  }
});

test("a layout of one's own is enough, and the package takes it", () => {
  let found = 0;
  for (const needs of CASES) {
    const layout = layoutFor(needs);
    if (layout === undefined) continue;
    found++;
    deepEqual(lacksOf(needs, offerOf(layout)), [], JSON.stringify(needs));
    const { time, worker, sequence, tickMs } = layout;
    const fields = { time, ...(worker > 0 && { worker }), sequence };
    const format = snowflake({ epoch: EPOCH, tickMs, fields });
    ok(format.layout.bits <= 63);
    equal((format.capacity * 1000) / tickMs, offerOf(layout).perSecond);
    ok((format.endOfLife + tickMs - EPOCH) / YEAR_MS >= needs.years);
  }
  ok(found > CASES.length / 2, `${found} of ${CASES.length}`);
});

test("there is no layout only where 63 bits are too few, in ticks of 1 and of 10 ms", () => {
  for (const needs of CASES.filter((each) => layoutFor(each) === undefined)) {
    for (const tickMs of [1, 10]) {
      const least =
        bitsFor((needs.years * YEAR_MS) / tickMs) +
        bitsFor(needs.machines) +
        Math.max(1, bitsFor((needs.perSecond * tickMs) / 1000));
      ok(least > 63, JSON.stringify(needs));
    }
  }
});

test("53 bits are enough where they say so, and the package takes them", () => {
  let found = 0;
  for (const needs of CASES) {
    const layout = safeLayoutFor(needs);
    if (layout === undefined) continue;
    found++;
    deepEqual(lacksOf(needs, offerOf(layout)), [], JSON.stringify(needs));
    const { time, worker, sequence } = layout;
    const format = snowflakeSI({ epoch: EPOCH, clockBits: time, machineBits: worker });
    equal(format.layout.bits, 53);
    equal(format.capacity, 2 ** sequence);
  }
  ok(found > 50, `${found}`);
  equal(safeLayoutFor({ perSecond: 1, machines: 1, years: 70 }), undefined);
  equal(safeLayoutFor({ perSecond: 1, machines: 5000, years: 1 }), undefined);
  equal(safeLayoutFor({ perSecond: 1_000_000, machines: 32, years: 1 }), undefined);
});

test("what an offer lacks is named", () => {
  const needs = { perSecond: 100, machines: 10, years: 5 };
  deepEqual(lacksOf(needs, needs), []);
  deepEqual(lacksOf(needs, { perSecond: 99, machines: 10, years: 4.9 }), ["perSecond", "years"]);
  deepEqual(lacksOf(needs, { perSecond: 100, machines: 9, years: 5 }), ["machines"]);
});
