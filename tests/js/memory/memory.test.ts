/** A short run of main.ts in a separate process, which can collect garbage at any time. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import * as graupel from "graupel";
import { testsJs } from "../support/places.ts";

const start = (file: string, ...args: string[]) =>
  spawnSync(process.execPath, ["--expose-gc", "--import", "tsx", join(testsJs, "memory", file), ...args], {
    encoding: "utf8",
  });

const run = (...args: string[]) => start("main.ts", ...args);

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

test("each text of a batch stands alone: whoever keeps one keeps no other", (t) => {
  const { stdout, stderr } = start("texts.ts");
  const lines = stdout.trim().split("\n");
  assert.equal(lines.length, 6, stderr);
  for (const line of lines) {
    t.diagnostic(line);
    const { name, all, some } = JSON.parse(line);
    // A flat text of 13 to 16 characters takes 32 bytes, and its array element 8. A slice takes the
    // same and keeps the whole text alive; so does a concatenation. If one text in 64 is kept, a
    // slice would keep 64 texts alive: 1,000 bytes. Because so few are kept, the limit leaves room
    // for what the engine compiles meanwhile.
    assert.ok(all < 48 && some < 200, `${name}: ${all} and ${some} bytes`);
  }
});

test("no text of any size is kept by the engine's regular expressions", () => {
  const size = 1_000_000;
  const { sno, discord, ulidFlake, nanoflake, snowflakeSI } = graupel;
  for (const format of [sno, discord, ulidFlake, nanoflake({ epoch: 0 }), snowflakeSI({ epoch: 1.6e12 })]) {
    for (const letter of ["7", "z", "/", "é"]) {
      // Engines keep the last text that matched.
      /x/.test("x");
      assert.throws(() => format.parse(letter.repeat(size)), { name: "GraupelError" });
      assert.ok(RegExp.input.length < 1000, `${format.name}, "${letter}": ${RegExp.input.length} characters`);
    }
  }
});
