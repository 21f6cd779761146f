// Starts one process for each contestant and story, and ends it if it takes too long.

import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { fromRoot } from "../../xtask/lib/process.mjs";

const program = fromRoot("bench", "duel", "child.mjs");

/** Longest time of a process, in milliseconds: about fifty times what the slowest needs. */
const BOUND = 60_000;

const UNCOUNTED = { issued: 0, duplicates: 0, inversions: 0, explained: 0, errors: 0, kinds: {}, longest: 0 };

/** Resolves to the counts, or to the reason why there are none, as `broken`. */
function runOne(contestant, story) {
  return new Promise((resolve) => {
    const args = [program, contestant.name, story.name];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    let out = "";
    let err = "";
    let ended = false;
    child.stdout.setEncoding("utf8").on("data", (text) => {
      out += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      err += text;
    });
    const timer = setTimeout(() => {
      ended = true;
      child.kill("SIGKILL");
    }, BOUND);
    child.on("error", (error) => {
      err += error.message;
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      try {
        if (ended) resolve({ ...UNCOUNTED, hung: true });
        else resolve(JSON.parse(out));
      } catch {
        const reason =
          /^\w*Error.*$/m.exec(err)?.[0] ?? `it ended with exit code ${code} and printed nothing`;
        resolve({ ...UNCOUNTED, hung: false, broken: reason });
      }
    });
  });
}

/**
 * Runs the pairs, a few at a time, and after them one by one those whose story is `alone`. Calls `onResult` in the order of the pairs, as
 * early as possible.
 */
export async function runAll(pairs, onResult) {
  const results = new Array(pairs.length);
  let told = 0;
  const run = async (index) => {
    const { contestant, story } = pairs[index];
    results[index] = { contestant, story, ...(await runOne(contestant, story)) };
    while (results[told] !== undefined) onResult(results[told++]);
  };
  const indices = [...pairs.keys()];
  const shared = indices.filter((index) => !pairs[index].story.alone);
  const lane = async () => {
    for (let index = shared.shift(); index !== undefined; index = shared.shift()) await run(index);
  };
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, lane));
  for (const index of indices.filter((one) => pairs[one].story.alone)) await run(index);
  return results;
}
