/** The calculator accepts what it prints: a number with its unit, and a whole line. */
import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";
import { lacksOf } from "../../../www/src/choose/layouts.ts";
import { quantitiesIn, quantityOf } from "../../../www/src/choose/quantities.ts";
import { count, rate, years } from "../../../www/src/choose/words.ts";

test("numbers are read as people write them", () => {
  const written = "4096000|4,096,000|4 096 000|4'096'000|4_096_000| 4,096,000 IDs per second ";
  for (const text of written.split("|")) equal(quantityOf("perSecond", text), 4_096_000, text);
  equal(quantityOf("perSecond", "0.5/s"), 0.5);
  equal(quantityOf("perSecond", "about 16,000 IDs per second"), 16_000);
  equal(quantityOf("machines", "1,024 machines"), 1024);
  equal(quantityOf("machines", "1 machine"), 1);
  equal(quantityOf("years", "52.8 years"), 52.8);
});

test("what is no number, or another quantity, is none", () => {
  for (const text of "|many|-1|1e3|4,09|40,96,000|1.2.3|1,024 machines|20 years 3|0x10".split("|"))
    equal(quantityOf("perSecond", text), undefined, text);
  equal(quantityOf("machines", "20 years"), undefined);
  equal(quantityOf("years", "20 machines"), undefined);
});

test("a line fills in all that it says; a single number fills in nothing else", () => {
  deepEqual(quantitiesIn("enough: 16,384,000 IDs per second, 65,536 machines, 52.7 years"), {
    perSecond: "16384000",
    machines: "65536",
    years: "52.7",
  });
  deepEqual(quantitiesIn("53 bits: 128,000 IDs per second of each of 64 machines, for 34.8 years."), {
    perSecond: "128000",
    machines: "64",
    years: "34.8",
  });
  deepEqual(quantitiesIn("not enough: no machine numbers, 19.6 years"), { machines: "1", years: "19.6" });
  deepEqual(quantitiesIn("20 years"), {});
  deepEqual(quantitiesIn("1000"), {});
});

test("whatever is printed of an offer is enough when it is asked for", () => {
  let tried = 0;
  for (const perSecond of [0.3, 1, 7.777, 99.5, 25_600, 1_048_576_000 / 256, 123_456.7, 4_096_000]) {
    for (const life of [0.0123, 0.999, 1, 19.96, 34.84, 52.76, 69.7306, 127.4, 174.99, 4403.7, 99_999]) {
      const offer = { perSecond, machines: 65_536, years: life };
      const printed = `${rate(perSecond)} IDs per second, ${count(offer.machines)} machines, ${years(life)}`;
      const needs = {
        perSecond: quantityOf("perSecond", `${rate(perSecond)} IDs per second`) ?? Number.NaN,
        machines: quantityOf("machines", `${count(offer.machines)} machines`) ?? Number.NaN,
        years: quantityOf("years", years(life)) ?? Number.NaN,
      };
      deepEqual(lacksOf(needs, offer), [], printed);
      deepEqual(
        quantitiesIn(printed),
        Object.fromEntries(Object.entries(needs).map(([k, v]) => [k, String(v)])),
        printed,
      );
      // The printed values are only slightly lower than the real ones.
      ok(needs.perSecond > 0.98 * perSecond && needs.years > 0.98 * life, printed);
      tried++;
    }
  }
  ok(tried > 50);
});
