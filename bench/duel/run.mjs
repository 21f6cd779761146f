// Runs each contestant in each story in its own process, and ends the process if it takes too long.

import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import { fromRoot } from "../../xtask/lib/process.mjs";

const program = fromRoot("bench", "duel", "play.mjs");

/**
 * The time limit of a process, in milliseconds: about fifty times as long as the slowest one takes.
 */
const BOUND = { timeout: 60_000, killSignal: "SIGKILL" };

const UNCOUNTED = { issued: 0, duplicates: 0, inversions: 0, explained: 0, errors: 0, kinds: {}, longest: 0 };

/** Resolves to the counts, or, as `broken`, to the reason why there are none. */
async function runOne({ name }, { name: title }) {
  try {
    const args = [program, JSON.stringify({ name, title })];
    return JSON.parse((await promisify(execFile)(process.execPath, args, BOUND)).stdout);
  } catch (error) {
    if (error.killed) return { ...UNCOUNTED, hung: true };
    return { ...UNCOUNTED, hung: false, broken: /^\w*Error.*$/m.exec(error.stderr)?.[0] ?? error.message };
  }
}

/**
 * Runs several pairs at a time, and then the pairs whose story is `alone`, one after the other.
 * Calls `onResult` in the order of the pairs, as early as possible.
 */
export async function runAll(pairs, onResult) {
  const results = [];
  let told = 0;
  const lane = async (indices) => {
    for (let index = indices.shift(); index !== undefined; index = indices.shift()) {
      const { contestant, story } = pairs[index];
      results[index] = { contestant, story, ...(await runOne(contestant, story)) };
      while (results[told] !== undefined) onResult(results[told++]);
    }
  };
  const of = (isAlone) => [...pairs.keys()].filter((index) => Boolean(pairs[index].story.alone) === isAlone);
  const shared = of(false);
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, () => lane(shared)));
  await lane(of(true));
  return results;
}
