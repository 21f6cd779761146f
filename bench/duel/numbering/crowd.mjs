// As many processes as numbers, each with a number that it got in some way. Some stand still for longer than the time-out, or are killed;
// another process takes the place of each.

import { fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { temporary } from "../../../tests/leases/lib/places.mjs";
import { until } from "../../../tests/leases/lib/time.mjs";
import { start } from "../../../tests/leases/servers/redis.mjs";
import { numbering } from "../stories.mjs";

const program = fileURLToPath(new URL("./member.mjs", import.meta.url));

/** Longest time until a process has a number, in milliseconds. */
const BOUND = 20_000;
/** So long both run, the one that has woken up and the one that has taken its place, in milliseconds. */
const BOTH_MS = 300;

/** A name as Kubernetes gives it to a pod of a Deployment. */
function podName() {
  const letters = "bcdfghjklmnpqrstvwxz2456789";
  const suffix = Array.from({ length: 5 }, () => letters[Math.floor(Math.random() * letters.length)]);
  return `orders-7c9d8f6b44-${suffix.join("")}`;
}

/** The number of IDs in the files, and how many of them had been there before. */
function count(files) {
  const parts = files.map((file) => {
    const bytes = readFileSync(file);
    const whole = bytes.length - (bytes.length % BigUint64Array.BYTES_PER_ELEMENT);
    return new BigUint64Array(Uint8Array.from(bytes.subarray(0, whole)).buffer);
  });
  const ids = new BigUint64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    ids.set(part, at);
    at += part.length;
  }
  ids.sort();
  return {
    issued: ids.length,
    duplicates: ids.reduce((sum, id, i) => sum + Number(i > 0 && id === ids[i - 1]), 0),
  };
}

/** The counts of a story for a way of numbering. */
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
  const holds = (member) => until(() => member.held !== null, BOUND, `${name}: no number`);
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
      // Neither the first nor the last: then a counter would meet the number by its order.
      const [old] = living.splice(3, 1);
      const since = performance.now();
      if (pauses) old.child.kill("SIGSTOP");
      else await end(old);
      const other = begin(behindMs);
      await holds(other);
      living.push(other);
      await sleep(Math.max(0, 1.5 * numbering.timeoutMs - (performance.now() - since)));
      if (pauses) old.child.kill("SIGCONT");
      await sleep(BOTH_MS);
      if (pauses) await end(old);
    }
  } finally {
    await Promise.all(members.map(end));
    await server.stop();
  }
  const kinds = {};
  for (const member of members)
    for (const [kind, times] of Object.entries(member.kinds)) kinds[kind] = (kinds[kind] ?? 0) + times;
  const errors = Object.values(kinds).reduce((sum, times) => sum + times, 0);
  return { ...count(members.map(({ file }) => file)), errors, kinds, hung: false };
}
