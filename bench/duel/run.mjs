// Starts one process for each contestant and story, and ends it if it takes too long.

import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import { fromRoot } from "../../xtask/lib/process.mjs";

const program = fromRoot("bench", "duel", "play.mjs");

/** The longest time of a process, in milliseconds: about fifty times the time of the slowest. */
const BOUND = { timeout: 60_000, killSignal: "SIGKILL" };

const UNCOUNTED = { issued: 0, duplicates: 0, inversions: 0, explained: 0, errors: 0, kinds: {}, longest: 0 };

/** Resolves to the counts, or to the reason why there are none, as `broken`. */
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
 * Runs the pairs, a few at a time, and then, one by one, the pairs whose story is `alone`. Calls
 * `onResult` in the order of the pairs, as early as possible.
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
