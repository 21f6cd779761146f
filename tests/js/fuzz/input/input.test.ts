/** A short form of main.ts, in its own process, because exceptions of listeners must end there. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { testsJs } from "../../support/places.ts";
import { SEED_VARIABLE, seedOfRun } from "../../support/seed.ts";

const script = join(testsJs, "fuzz/input/main.ts");
const seed = seedOfRun();

const run = (...args: string[]) =>
  spawnSync(process.execPath, ["--import", "tsx", script, ...args], {
    encoding: "utf8",
    maxBuffer: 2 ** 26,
    // A call that hangs ends here.
    timeout: 600_000,
  });

test("12,000 calls with bad input end in the right refusal, the caller's own exception, or a right result", (t) => {
  const { status, stdout, stderr } = run("--count", "12000", "--seed", String(seed));
  const said = `${SEED_VARIABLE}=${seed}\n${stdout}\n${stderr}`;
  assert.equal(status, 0, said);
  assert.match(stdout, /^defects: 0$/m, said);
  t.diagnostic(/^.* calls in .*$/m.exec(stdout)?.[0] ?? said);
});

test("a wrong argument of the script is said to be wrong", () => {
  const { status, stderr } = run("--count", "many");
  assert.equal(status, 2);
  assert.match(stderr, /--count: expected an integer/);
});
