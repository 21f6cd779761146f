// Worker threads and forked processes that are started together, each with a generator of its own, and nobody has
// configured anything: what a server with a worker for each processor does on its first day.

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { together as sumOf } from "./tally.mjs";

const program = new URL("./member.mjs", import.meta.url);

/** How long a round may take, in milliseconds: more than ten times what it needs. */
const BOUND = 15_000;
/** From telling the members when to start until then: the message must reach all of them first. */
const NOTICE_MS = 50;

/** A thread, with the same handle as a process: `hears` gets its messages, `fails` the reason why there are no more. */
function thread(args, hears, fails) {
  const worker = new Worker(program, { argv: args });
  worker.on("message", hears).on("error", fails);
  worker.on("exit", (code) => fails(new Error(`a thread ended with exit code ${code}`)));
  return { tell: (message) => worker.postMessage(message), end: () => worker.terminate() };
}

function forked(args, hears, fails) {
  // BigInts, too, are to come across.
  const child = fork(fileURLToPath(program), args, {
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  child.on("message", hears).on("error", fails);
  child.on("exit", (code, signal) =>
    fails(new Error(`a process ended with ${signal ?? `exit code ${code}`}`)),
  );
  return { tell: (message) => child.send(message), end: () => child.kill("SIGKILL") };
}

/** One round: what each member issued. They have all loaded the package before the first of them makes an ID. */
async function round({ name }, { threads, forks, batches, batch }) {
  const members = [];
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`a round took more than ${BOUND} ms`)), BOUND);
  });
  const start = (kind) => {
    // Settle the promise of the next message, whichever that is.
    let hears;
    let fails;
    const next = () =>
      new Promise((resolve, reject) => {
        [hears, fails] = [resolve, reject];
      });
    const ready = next();
    const member = kind(
      [name, batches, batch].map(String),
      (said) => hears(said),
      (error) => fails(error),
    );
    members.push(member);
    return { ...member, ready, next };
  };
  try {
    const all = [...Array(threads).fill(thread), ...Array(forks).fill(forked)].map(start);
    await Promise.race([late, Promise.all(all.map(({ ready }) => ready))]);
    const issued = all.map(({ next }) => next());
    const at = Date.now() + NOTICE_MS;
    for (const { tell } of all) tell(at);
    return await Promise.race([late, Promise.all(issued)]);
  } finally {
    clearTimeout(timer);
    for (const { end } of members) end();
  }
}

/** The counts of all rounds; `spoilt` is in how many of them IDs were the same. */
export async function startTogether(contestant, story) {
  const all = [];
  let spoilt = 0;
  for (let i = 0; i < story.rounds; i++) {
    const members = await round(contestant, story);
    if (sumOf(members).duplicates > 0) spoilt++;
    all.push(...members);
  }
  // By the real clock a call is as long as the machine is busy.
  return { ...sumOf(all), longest: undefined, spoilt };
}
