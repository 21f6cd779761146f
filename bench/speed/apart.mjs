// Measures something in its own process: the engine's threads, and what the engine learns about the code while it waits,
// must not affect the cases.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Collects all garbage. The flag is set here, so that Node needs no arguments. */
setFlagsFromString("--expose-gc");
export const collect = runInNewContext("gc");

/** Runs the module at `url` as a program. Returns what it passes to `answer`, or a fault. */
export function apart(url, args, what) {
  const { status, stdout } = spawnSync(process.execPath, [fileURLToPath(url), JSON.stringify(args)], {
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
  });
  if (status !== 0) return { results: [], faults: [`${what} ended with exit code ${status}`] };
  return JSON.parse(stdout);
}

/** In the program that `apart` starts: calls `work` with its arguments, and prints the result for `apart`. */
export async function answer(url, work) {
  if (process.argv[1] !== fileURLToPath(url)) return;
  process.stdout.write(JSON.stringify(await work(...JSON.parse(process.argv[2]))));
}
