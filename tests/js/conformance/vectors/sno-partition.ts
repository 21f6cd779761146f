// sno's automatic partitions. A process has one, so each item runs in its own process, with the given system time and known
// randomness before the package is imported.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Item, list, number } from "./data.ts";
import type { Verdict } from "./tally.ts";

const CHILD = fileURLToPath(new URL("sno-partition.child.mjs", import.meta.url));

/** What the process draws: a number that differs from the reference's seed in both bytes. */
const drawnBeside = (seed: number) => seed ^ 0x5aa5;

export function autoPartition(item: Item): Verdict {
  const seed = item.number("seed");
  const drawn = drawnBeside(seed);
  const seedOnly = item.get("units") !== null;
  // A tick below 2^16 is its own seed.
  const units = seedOnly ? item.number("units") : seed;
  const wanted = seedOnly
    ? [0]
    : [...item.list("first").keys(), ...item.list("tail").map((step) => number(list(step)[0]))];
  const args = [units, drawn, ...wanted].map(String);
  const found = JSON.parse(execFileSync(process.execPath, [CHILD, ...args], { encoding: "utf8" }));
  // At any time, and also after 65,536 generators, where the reference has no partition left.
  assert.deepEqual(found, { draws: 1, partitions: wanted.map(() => drawn) });
  return "sno-auto-partition";
}
