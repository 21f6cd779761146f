// Runs one test program, with limits.

import { spawn } from "node:child_process";
import { constants } from "node:os";

/** How much of its output is kept, in characters. */
const KEPT = 2000;

/** Linux shares a processor among sessions, and the program gets a session of its own: this makes it as nice as the process here. */
const NICE = "if [ -w /proc/self/autogroup ]; then nice > /proc/self/autogroup; fi";

/**
 * Runs a program until it ends or exceeds a limit. Resolves to "passed", "failed" or "timed out", to its last output, to how many seconds
 * it took, and to whether it was `late`. `limit`: seconds of a processor, for itself and for each process that it starts, after which an endless loop is ended however
 * busy the machine is; and four times as many seconds of time. Whatever it leaves running is ended with it.
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
    const hear = (text) => (output = (output + text).slice(-KEPT));
    child.stdout.setEncoding("utf8").on("data", hear);
    child.stderr.setEncoding("utf8").on("data", hear);
    const endAll = () => {
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {} // all have ended
    };
    const timer = setTimeout(() => {
      late = true;
      endAll();
    }, limit * 4000);
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
