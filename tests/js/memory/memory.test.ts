/** A short form of main.ts, in its own process, which can collect garbage at any time. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { testsJs } from "../support/places.ts";

const script = join(testsJs, "memory/main.ts");

const run = (...args: string[]) =>
  spawnSync(process.execPath, ["--expose-gc", "--import", "tsx", script, ...args], { encoding: "utf8" });

test("nothing grows by work of any kind, and one module is compiled for all entries", (t) => {
  const { status, stdout, stderr } = run("--share", "0.01");
  assert.equal(status, 0, `${stdout}\n${stderr}`);
  assert.match(stdout, /^modules compiled: 1, instantiated: 1,/m);
  for (const line of stdout.trim().split("\n")) {
    t.diagnostic(line);
  }
});

test("a leak of the smallest kind is noticed", () => {
  const { status, stdout, stderr } = run("--leak");
  assert.equal(status, 1, `${stdout}\n${stderr}`);
  assert.match(stdout, /^FAULT: a reference kept by every operation: heap grew/m);
});
