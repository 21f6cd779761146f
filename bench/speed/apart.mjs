// What is measured in a process of its own: neither the engine's threads, nor what waiting teaches the engine about the
// code, are to be in the cases.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Collects everybody's garbage. (By a flag that is set here, as it would else have to be given to Node.) */
setFlagsFromString("--expose-gc");
export const collect = runInNewContext("gc");

/** Starts the module at `url` as a program; what it says with `answer` comes back, or a fault in its place. */
export function apart(url, args, what) {
  const { status, stdout } = spawnSync(process.execPath, [fileURLToPath(url), JSON.stringify(args)], {
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
  });
  if (status !== 0) return { results: [], faults: [`${what} ended with exit code ${status}`] };
  return JSON.parse(stdout);
}

/** If the module at `url` is the program: calls `work` with the arguments of `apart`, and says what it returns. */
export async function answer(url, work) {
  if (process.argv[1] !== fileURLToPath(url)) return;
  process.stdout.write(JSON.stringify(await work(...JSON.parse(process.argv[2]))));
}
