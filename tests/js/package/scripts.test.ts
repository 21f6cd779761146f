/**
 * Scripts in `xtask/` and the suites: the processes that they start, and those that these start,
 * end with them.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { root } from "../support/places.ts";

const folder = mkdtempSync(join(tmpdir(), "graupel-scripts-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const START = `import { spawn } from "node:child_process";
const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
console.log(child.pid);`;

/**
 * A script that starts a program, which starts another one that never ends. `options` are those of
 * `run`.
 */
function script(name: string, options: object): string {
  const file = join(folder, `${name}.mjs`);
  const library = pathToFileURL(join(root, "xtask", "lib", "process.mjs"));
  const main = `run(process.execPath, ["--input-type=module", "-e", ${JSON.stringify(START)}], ${JSON.stringify(options)})`;
  writeFileSync(
    file,
    `import { run, runAsProgram } from "${library}";\nawait runAsProgram(import.meta.url, () => ${main});\n`,
  );
  return file;
}

/** Starts a command. Returns it and the process ID of the program that was started last. */
async function started(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { GRAUPEL_INSIDE: _, npm_lifecycle_event: __, ...outside } = process.env;
  const child = spawn(command, args, { env: { ...outside, ...env }, stdio: ["ignore", "pipe", "ignore"] });
  const ended = once(child, "exit");
  // There is no output if the program ends before it starts the last one.
  const [text] = await Promise.race([once(child.stdout, "data"), once(child.stdout, "end")]);
  return { child, last: Number(text), ended };
}

/** Stops a test that hangs. */
const LIMIT = { timeout: 120_000 };

async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((done) => setTimeout(done, 20));
  }
}

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  test(`${signal} ends what a script has started`, LIMIT, async () => {
    const { child, last } = await started(process.execPath, [script(signal, { show: true })]);
    child.kill(signal);
    await gone(last);
  });
}

test("so does a signal that only reaches the shell of npm", LIMIT, async () => {
  const line = `${JSON.stringify(process.execPath)} ${JSON.stringify(script("shell", { show: true }))}; true`;
  const { child, last } = await started("/bin/sh", ["-c", line], { npm_lifecycle_event: "test" });
  child.kill("SIGTERM");
  await gone(last);
});

test("a program that reaches its limit fails, and ends with what it has started", LIMIT, async () => {
  // On a slow machine, the limit may come before the program has started. Then a longer limit is
  // tried.
  for (let seconds = 1; ; seconds *= 4) {
    const { last, ended } = await started(process.execPath, [script("limit", { show: true, seconds })]);
    const [code] = await ended;
    assert.equal(code, 1);
    if (Number.isNaN(last)) continue;
    return gone(last);
  }
});
