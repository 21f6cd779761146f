// Starts worker threads and forked processes at the same moment, each with its own generator.

import { fork } from "node:child_process";
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { countsOf } from "./counts.mjs";

/**
 * The time between the message and the start, in milliseconds. The message must reach all members
 * in this time.
 */
const NOTICE_MS = 50;

/** Starts one member of a story, as a thread or as a process. */
export function startWith(program, { isThread, ...wanted }) {
  const argv = [JSON.stringify(wanted)];
  // The default serialization cannot send BigInts.
  const options = { serialization: "advanced", stdio: ["ignore", "ignore", "inherit", "ipc"] };
  const child = isThread ? new Worker(program, { argv }) : fork(program, argv, options);
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`a part of the story ended with exit code ${code}`);
  });
  ended.catch(() => {});
  return {
    heard: () => Promise.race([once(child, "message").then(([message]) => message), ended]),
    tell: (message) => (isThread ? child.postMessage(message) : child.send(message)),
    end: () => (isThread ? child.terminate() : child.kill("SIGKILL")),
  };
}

/** The counts of four threads, each with its own worker ID. */
export const threads = (start) =>
  Promise.all([1, 2, 3, 4].map((worker) => start({ part: "thread", isThread: true, worker }).heard()));

/**
 * The counts of all rounds. Each is like the start of a server with one worker per processor and no
 * configuration. `spoilt`: the number of rounds with duplicates.
 */
export async function startTogether(start, story) {
  const all = [];
  let spoilt = 0;
  for (let round = 0; round < story.rounds; round++) {
    const kinds = [...Array(story.threads).fill(true), ...Array(story.forks).fill(false)];
    const members = kinds.map((isThread) => start({ part: "member", isThread }));
    // All members load the package before the first one generates an ID.
    await Promise.all(members.map(({ heard }) => heard()));
    const issued = members.map(({ heard }) => heard());
    const at = Date.now() + NOTICE_MS;
    for (const { tell } of members) tell(at);
    const said = await Promise.all(issued);
    for (const { end } of members) end();
    if (countsOf(said).duplicates > 0) spoilt++;
    all.push(...said);
  }
  // The length of a call does not count, because with the real clock it includes other work of the
  // machine.
  return { ...countsOf(all), longest: undefined, spoilt };
}
