// Runs one test program, with limits.

import { spawn } from "node:child_process";
import { constants } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { tryRun } from "../../xtask/lib/process.mjs";

/** How much of its output is kept, in characters. */
const KEPT = 2000;

/** How often it is looked whether a program has work to do. */
const LOOKS = 10;

/** Linux shares a processor among sessions, and the program gets a session of its own: this makes it as nice as the process here. */
const NICE = "if [ -w /proc/self/autogroup ]; then nice > /proc/self/autogroup; fi";

/** The groups of processes that run. They do not hear an interrupt of the terminal. */
const groups = new Set();
process.on("exit", () => groups.forEach(endGroup));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(130));

function endGroup(group) {
  groups.delete(group);
  try {
    process.kill(-group, "SIGKILL");
  } catch {} // all have ended
}

/** Whether a process of a group has work to do most of the time: at its limit, it then waits for a processor, and not for something else. */
async function isBusy(group) {
  let times = 0;
  for (let look = 0; look < LOOKS; look++) {
    const all = (await tryRun("ps", ["-A", "-o", "pgid=,stat="])) ?? "";
    if (all.split("\n").some((line) => Number.parseInt(line, 10) === group && /\d\s+R/.test(line)))
      times += 1;
    await sleep(100);
  }
  return times > LOOKS / 2;
}

/**
 * Runs a program until it ends or exceeds a limit. Resolves to "passed", "failed" or "timed out", to its last output, and to how many seconds
 * it took. `limit`: seconds of a processor, for itself and for each process that it starts, after which an endless loop is ended however
 * busy the machine is. What has taken as many seconds of time, and has nothing to do, is ended too. Whatever it leaves
 * running is ended with it.
 */
export function runLimited([program, ...args], { cwd, env, limit, megabytes }) {
  const since = performance.now();
  const limits = [
    NICE,
    `ulimit -t ${Math.ceil(limit)}`,
    ...(megabytes ? [`ulimit -v ${megabytes * 1024}`] : []),
  ];
  return new Promise((done, fail) => {
    const child = spawn("sh", ["-c", `${limits.join("; ")}; exec "$0" "$@"`, program, ...args], {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    let output = "";
    let late = false;
    let ended = false;
    const hear = (text) => (output = (output + text).slice(-KEPT));
    child.stdout.setEncoding("utf8").on("data", hear);
    child.stderr.setEncoding("utf8").on("data", hear);
    groups.add(child.pid);
    const endAll = () => {
      ended = true;
      endGroup(child.pid);
    };
    let timer;
    const wait = () => {
      timer = setTimeout(async () => {
        if (await isBusy(child.pid)) return ended || wait();
        late = !ended;
        if (late) endAll();
      }, limit * 1000);
    };
    wait();
    child.on("error", fail);
    child.on("exit", endAll);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      const exceeded =
        late || signal === "SIGXCPU" || signal === "SIGKILL" || code === 128 + constants.signals.SIGXCPU;
      const verdict = exceeded ? "timed out" : code === 0 ? "passed" : "failed";
      done({ verdict, output, late, seconds: (performance.now() - since) / 1000 });
    });
  });
}
