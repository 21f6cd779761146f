/**
 * The recipes of www/docs/restarts.md. Each is ended while it works and restarted at once, several
 * times: over all lives, no ID may repeat. SIGKILL ends it, or SIGTERM if the recipe saves a
 * snapshot. Without `notBefore`, the same story repeats IDs, which shows that the test works.
 * Finally, the same with a clock that is set back before the kill.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { repeatedAmong } from "../../support/issued.mjs";
import { recipe as recipeOf } from "../../support/pages.mjs";
import { testsJs } from "../support/places.ts";
import { run } from "../support/user-project.ts";

const directory = mkdtempSync(join(tmpdir(), "graupel-killed-"));
after(() => rmSync(directory, { recursive: true, force: true }));
symlinkSync(join(testsJs, "node_modules"), join(directory, "node_modules"));

const recipe = (name: string) => recipeOf("restarts.md", name);

/**
 * Issues IDs as fast as it can and receives signals. Writes each batch of lines before it issues
 * the next IDs.
 */
const hand = `
  const fs = await import("node:fs");
  const out = fs.openSync(process.argv[2], "a");
  for (;;) {
    let lines = "";
    for (let i = 0; i < 1000; i++) lines += nextId() + "\\n";
    fs.writeSync(out, lines);
    await new Promise(setImmediate);
  }
`;

const LIVES = 2;
/** About 60,000 IDs: more than 230 ticks of this format, whatever the machine's speed. */
const BYTES_A_LIFE = 1_000_000;
/** Far longer than a life takes. If a child issues nothing, the test fails after this time. */
const MOST_MS = 60_000;

type End = "SIGKILL" | "SIGTERM";
const KILLED: readonly End[] = Array.from({ length: LIVES }, () => "SIGKILL");

/** The IDs of several lives. `ends` lists the signals that end them. */
async function lives(name: string, code: string, ends = KILLED): Promise<string[]> {
  const own = mkdtempSync(join(directory, `${name}-`));
  const [program, out] = [join(own, "life.mjs"), join(own, "ids")];
  writeFileSync(program, code + hand);
  const size = () => (existsSync(out) ? statSync(out).size : 0);
  for (const [life, end] of ends.entries()) {
    const wanted = size() + BYTES_A_LIFE;
    const child = spawn(process.execPath, [program, out], {
      cwd: own,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let complaint = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      complaint += text;
    });
    const ended = once(child, "exit");
    for (let waited = 0; size() < wanted && child.exitCode === null && waited < MOST_MS; waited += 2) {
      await pause(2);
    }
    child.kill(end);
    await ended;
    const clean = end === "SIGTERM";
    assert.deepEqual([child.signalCode, child.exitCode], clean ? [null, 0] : [end, null], complaint);
    assert.equal(existsSync(join(own, "orders.snapshot")), clean);
    assert.ok(size() >= wanted, `life ${life} handed out too little`);
    // A line that the kill has cut off does not count, and must not merge with the next life's
    // first line.
    const text = readFileSync(out, "utf8");
    writeFileSync(out, text.slice(0, text.lastIndexOf("\n") + 1));
  }
  return readFileSync(out, "utf8").trimEnd().split("\n");
}

for (const name of ["ahead", "mark"]) {
  test(`recipe "${name}": killed ${LIVES} times, nothing repeats`, async () => {
    const ids = await lives(name, recipe(name));
    assert.equal(repeatedAmong(ids), 0);
  });
}

test('recipe "snapshot": ended by SIGTERM and SIGKILL in turn, nothing repeats', async () => {
  const ids = await lives("snapshot", recipe("snapshot"), ["SIGTERM", "SIGKILL", "SIGTERM"]);
  assert.equal(repeatedAmong(ids), 0);
});

test("without notBefore, the same story repeats IDs", async () => {
  // With 16 IDs per millisecond, it runs ahead of the clock even on the slowest machine.
  const code = recipe("ahead")
    .replace(/^ *notBefore: .*\n/m, "")
    .replace(/(snowflakeSI\(\{ epoch: .*?) \}\)/, "$1, machineBits: 9, sequenceBits: 4 })");
  assert.ok(!code.includes("notBefore") && code.includes("sequenceBits"));
  const ids = await lives("control", code);
  assert.ok(repeatedAmong(ids) > 0, "the story does not bite");
});

const BACK_MS = 30_000;
const LIFE_MS = 2000;

/**
 * Two lives on a clock that advances by a millisecond per reading. In the first, it is set back
 * before the kill. The second starts at that time, and continues until the clock is long past all
 * other times. Prints how many calls failed.
 */
const putBack = `
  const fs = await import("node:fs");
  const out = fs.openSync(process.argv[2], "a");
  let refused = 0;
  function issue(ms) {
    for (const end = now + ms; now < end; ) {
      try {
        fs.writeSync(out, nextId() + "\\n");
      } catch (error) {
        refused++;
        now++;
      }
    }
  }
  if (process.argv[3] === "first") {
    issue(${LIFE_MS});
    now -= ${BACK_MS};
    issue(100);
    process.kill(process.pid, "SIGKILL");
  }
  issue(${BACK_MS + 20_000});
  fs.writeSync(1, String(refused));
`;

/** The IDs of both lives, and how many calls of the second failed. */
async function afterPuttingBack(name: string): Promise<{ ids: string[]; refused: number }> {
  const own = mkdtempSync(join(directory, `${name}-`));
  const [program, out] = [join(own, "life.mjs"), join(own, "ids")];
  const lifeOf = async (life: "first" | "second", start: number): Promise<string> => {
    const clock = `let now = ${start};\nDate.now = () => now++;\n`;
    writeFileSync(program, clock + recipe(name) + putBack);
    const { code, stdout } = await run([process.execPath, program, out, life], own);
    // null if it was killed.
    assert.equal(code, life === "first" ? null : 0);
    return stdout;
  };
  const start = Date.UTC(2025, 0, 1);
  await lifeOf("first", start);
  const refused = await lifeOf("second", start + LIFE_MS - BACK_MS + 100);
  return { ids: readFileSync(out, "utf8").trimEnd().split("\n"), refused: Number(refused) };
}

test('recipe "mark": put back by 30 s before the kill, it repeats nothing, and refuses nothing', async () => {
  const { ids, refused } = await afterPuttingBack("mark");
  assert.equal(repeatedAmong(ids), 0);
  assert.equal(refused, 0);
  assert.ok(ids.length > BACK_MS, `${ids.length} IDs`);
});
