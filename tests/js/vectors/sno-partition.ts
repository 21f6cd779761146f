// sno's automatic partitions: counted by the process, so each item has a process of its own, whose system clock stands
// at the given time before the package is imported.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Item, list, number } from "./data.ts";
import type { Verdict } from "./tally.ts";

const CHILD = fileURLToPath(new URL("sno-partition.child.mjs", import.meta.url));

/** The partitions of generators number `wanted` of a process that starts at the tick `units`; or the error's code. */
function handedOut(units: number, wanted: readonly number[]): unknown {
  const child = execFileSync(process.execPath, [CHILD, String(units), ...wanted.map(String)], {
    encoding: "utf8",
  });
  return JSON.parse(child);
}

export function autoPartition(item: Item): Verdict {
  const seed = item.number("seed");
  if (item.get("units") !== null) {
    assert.deepEqual(handedOut(item.number("units"), [0]), [seed]);
    return undefined;
  }
  const first = item.list("first").map(number);
  const tail = item.list("tail").map(list);
  const wanted = [...first.keys(), ...tail.map(([n]) => number(n))];
  const partitions = tail.map(([, partition]) =>
    partition === "exhausted" ? "PARTITIONS_EXHAUSTED" : partition,
  );
  // A tick below 2^16 is its own seed.
  assert.deepEqual(handedOut(seed, wanted), [...first, ...partitions]);
  return undefined;
}
