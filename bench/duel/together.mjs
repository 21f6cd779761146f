// Worker threads and forked processes that start at the same moment, each with its own generator and no configuration:
// like a new server with a worker for each processor.

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { together as sumOf } from "./tally.mjs";

const program = new URL("./member.mjs", import.meta.url);

/** Longest time of a round, in milliseconds: more than ten times what it needs. */
const BOUND = 15_000;
/** How long before the start the members are told: the message must reach all of them in time. */
const NOTICE_MS = 50;

/** Starts a thread, with the same handle as `forked`. `hears` gets its messages, `fails` the reason of its end. */
function thread(args, hears, fails) {
  const worker = new Worker(program, { argv: args });
  worker.on("message", hears).on("error", fails);
  worker.on("exit", (code) => fails(new Error(`a thread ended with exit code ${code}`)));
  return { tell: (message) => worker.postMessage(message), end: () => worker.terminate() };
}

function forked(args, hears, fails) {
  // BigInts must get across.
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

/** One round: the IDs of each member. All have loaded the package before the first one makes an ID. */
async function round({ name }, { threads, forks, batches, batch }) {
  const members = [];
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`a round took more than ${BOUND} ms`)), BOUND);
  });
  const start = (kind) => {
    // These settle the promise of the next message.
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

/** The counts of all rounds. `spoilt`: the number of rounds with duplicates. */
export async function startTogether(contestant, story) {
  const all = [];
  let spoilt = 0;
  for (let i = 0; i < story.rounds; i++) {
    const members = await round(contestant, story);
    if (sumOf(members).duplicates > 0) spoilt++;
    all.push(...members);
  }
  // The length of a call is not counted: with the real clock it contains the machine's other work.
  return { ...sumOf(all), longest: undefined, spoilt };
}
