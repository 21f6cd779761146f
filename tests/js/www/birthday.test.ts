/**
 * The odds on the page, compared with exact rationals. The documentation also uses these functions.
 */
import { equal, ok } from "node:assert/strict";
import { test } from "node:test";
import { collision, drawsFor, duplicatesPerDay } from "../../../www/src/choose/birthday.ts";

/** 1 - (of - 1)/of (of - 2)/of ..., exactly, rounded once at the end. */
function exact(drawn: number, of: number): number {
  let apart = 1n;
  let all = 1n;
  for (let before = 0; before < drawn; before++) {
    apart *= BigInt(Math.max(0, of - before));
    all *= BigInt(of);
  }
  // 80 bits of the quotient after its leading zeros.
  const together = all - apart;
  if (together === 0n) return 0;
  const zeros = Math.max(0, all.toString(2).length - together.toString(2).length);
  const digits = (together << BigInt(zeros + 80)) / all;
  return Number(digits) / 2 ** 80 / 2 ** zeros;
}

const near = (a: number, b: number, digits: number) =>
  ok(Math.abs(a - b) <= Math.abs(b) * 10 ** -digits, `${a} and ${b} differ in the first ${digits} digits`);

test("a collision is as likely as the exact product says", () => {
  for (const of of [1, 2, 3, 5, 32, 365, 1024, 8192, 65_536, 2 ** 20]) {
    for (const drawn of [1, 2, 3, 4, 10, 23, 50, 100, 302, 500]) {
      const expected = exact(drawn, of);
      if (expected === 0) equal(collision(drawn, of), 0);
      else near(collision(drawn, of), expected, 13);
    }
  }
});

test("a collision stays exact where it is rare, and certain where numbers run out", () => {
  near(collision(2, 2 ** 53), 2 ** -53, 15);
  equal(collision(33, 32), 1);
  equal(collision(1_000_000, 65_536), 1);
  ok(collision(1200, 65_536) < 1);
  // The classic cases: 23 people and 57.
  near(collision(23, 365), 0.507_297_234_323_985_4, 14);
  near(collision(57, 365), 0.990_122_459_341_169_8, 14);
});

test("the number of draws is the first with at least that probability", () => {
  for (const of of [2, 32, 365, 1024, 65_536, 2 ** 20]) {
    for (const probability of [1e-6, 0.01, 0.5, 0.99]) {
      const drawn = drawsFor(probability, of);
      ok(collision(drawn, of) >= probability, `${drawn} of ${of}`);
      ok(collision(drawn - 1, of) < probability, `${drawn - 1} of ${of}`);
    }
  }
  equal(drawsFor(0.5, 365), 23);
  equal(drawsFor(0.5, 65_536), 302);
});

test("duplicates a day are pairs of processes in one millisecond", () => {
  equal(duplicatesPerDay(1, 1000, 2 ** 20), 0);
  // Two processes with one ID each per millisecond: one in 2^20 of 86,400,000 pairs.
  equal(duplicatesPerDay(2, 1000, 2 ** 20), 86_400_000 / 2 ** 20);
  // Three processes are three pairs; at twice the rate, there are four times as many pairs.
  equal(duplicatesPerDay(3, 1000, 2 ** 20), 3 * duplicatesPerDay(2, 1000, 2 ** 20));
  equal(duplicatesPerDay(5, 200, 64), 4 * duplicatesPerDay(5, 100, 64));
});
