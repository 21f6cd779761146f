// sno's automatic partitions: one for all of a process, so each item has a process of its own, whose system clock stands
// at the given time, and whose randomness is known, before the package is imported.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Item, list, number } from "./data.ts";
import type { Verdict } from "./tally.ts";

const CHILD = fileURLToPath(new URL("sno-partition.child.mjs", import.meta.url));

/** What the process draws: another number than the reference's seed, with both of its bytes different from that. */
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
  // Whatever the clock says, and also beyond the 65,536 generators after which the reference has no more.
  assert.deepEqual(found, { draws: 1, partitions: wanted.map(() => drawn) });
  return "sno-auto-partition";
}
