// Runs as many processes as there are numbers. Each gets its number by the method under test. Some
// of them are stopped for longer than the time-out, or killed, and another process replaces each of
// these.

import { fork } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { repeatedIn } from "../../../tests/leases/lib/crowd.mjs";
import { until } from "../../../tests/leases/lib/time.mjs";
import { start } from "../../../tests/leases/servers/redis.mjs";
import { temporary } from "../../../tests/support/places.mjs";
import { added, sum } from "../counts.mjs";
import { numbering } from "../stories.mjs";

const program = fileURLToPath(new URL("./member.mjs", import.meta.url));

/** How often a resumed process and its replacement try to generate IDs at the same time. */
const BOTH = 100;

/** Returns a name like that of a pod in a Kubernetes Deployment. */
function podName() {
  const letters = "bcdfghjklmnpqrstvwxz2456789";
  const suffix = Array.from({ length: 5 }, () => letters[Math.floor(Math.random() * letters.length)]);
  return `orders-7c9d8f6b44-${suffix.join("")}`;
}

/** The counts of a method in a story. */
export async function crowd({ name }, { rounds, pauses, behindMs }) {
  const server = await start();
  const folder = temporary("duel");
  const members = [];

  /** Starts a process. `behind`: how far its clock is behind the others'. */
  function begin(behind) {
    const file = join(folder, String(members.length));
    const what = { name, port: server.port, host: podName(), behindMs: behind, file };
    const child = fork(program, [JSON.stringify(what)], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    const member = { child, file, held: null, kinds: {} };
    child.on("message", (message) => Object.assign(member, message));
    members.push(member);
    return member;
  }
  const holds = (member) => until(() => member.held !== null, `${name}: no number`);
  const turns = ({ file, kinds }) => statSync(file).size / 8 / numbering.batch + sum(Object.values(kinds));
  /** Waits until each of these processes has tried to generate IDs. */
  const tried = (some) => {
    const enough = some.map((member) => turns(member) + BOTH);
    return until(() => some.every((member, i) => turns(member) >= enough[i]), `${name}: no IDs`);
  };
  async function end(member) {
    if (member.child.exitCode !== null || member.child.signalCode !== null) return;
    const ended = new Promise((done) => member.child.once("exit", done));
    member.child.kill("SIGKILL");
    await ended;
  }

  try {
    const living = Array.from({ length: numbering.numbers }, () => begin(0));
    await Promise.all(living.map(holds));
    for (let round = 0; round < rounds; round++) {
      // Choose neither the first nor the last process, because a counter would assign their numbers
      // again simply by its order.
      const [old] = living.splice(3, 1);
      const since = performance.now();
      if (pauses) old.child.kill("SIGSTOP");
      else await end(old);
      const other = begin(behindMs);
      await holds(other);
      living.push(other);
      await sleep(Math.max(0, 1.5 * numbering.timeoutMs - (performance.now() - since)));
      if (pauses) old.child.kill("SIGCONT");
      await tried(pauses ? [old, other] : [other]);
      if (pauses) await end(old);
    }
  } finally {
    await Promise.all(members.map(end));
    await server.stop();
  }
  const kinds = added(members.map((member) => member.kinds));
  const { issued, repeated } = repeatedIn(members.map(({ file }) => file));
  return { issued, duplicates: repeated.length, errors: sum(Object.values(kinds)), kinds, hung: false };
}
