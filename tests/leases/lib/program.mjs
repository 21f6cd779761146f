// Servers: programs that run until a story ends them, and start again on the same port, with the same data.

import { spawn } from "node:child_process";
import { openSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { atExit } from "../../support/places.mjs";
import { until } from "./time.mjs";

/** Servers that still run. */
const running = new Set();

/** Ends all servers. They have nothing to say any more. */
export function endAll() {
  for (const child of running) child.kill("SIGKILL");
}
atExit(endAll);

/**
 * Starts a server. `command`: its program, and the arguments. `directory`: for its log. `isReady`: whether it answers. `more`: what else
 * it can do. `signals`: those that stop it, and that end it as a crash does.
 */
export async function started({ command: [file, ...args], directory, port, isReady, signals, ...more }) {
  const { stop = "SIGTERM", kill = "SIGKILL" } = signals ?? {};
  const log = join(directory, "log");
  let child;
  let ended;

  async function start() {
    const out = openSync(log, "a");
    child = spawn(file, args, { cwd: directory, stdio: ["ignore", out, out] });
    const mine = child;
    running.add(mine);
    ended = new Promise((done) => {
      mine.once("error", done);
      mine.once("exit", done);
    }).then(() => running.delete(mine));
    const alive = () => mine.exitCode === null && mine.signalCode === null && mine.pid !== undefined;
    await until(async () => !alive() || (await isReady()), `${basename(file)} does not answer`);
    if (!alive()) throw new Error(`${basename(file)} ended\n${readFileSync(log, "utf8").slice(-2000)}`);
  }

  async function end(signal) {
    child.kill(signal);
    await ended;
  }

  await start();
  return {
    port,
    get pid() {
      return child.pid;
    },
    stop: () => end(stop),
    /** Ends without a word to anybody, as in a crash; the data stay. */
    kill: () => end(kill),
    again: start,
    /** Ends all sessions, and starts again. */
    async restart() {
      await end(stop);
      await start();
    },
    ...more,
  };
}
