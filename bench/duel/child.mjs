// Runs one contestant in one story, in its own process (`node child.mjs contestant story`), or in one of its four
// threads. Prints the counts as one line of JSON. A call that hangs is ended from within a clock reading; a call that
// does not even read the clock is ended by the parent.

import { writeSync } from "node:fs";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { install, StoryClock } from "./clock.mjs";
import { contestants } from "./contestants.mjs";
import { loaders } from "./copies.mjs";
import { liveAndDie } from "./lives.mjs";
import { crowd } from "./numbering/crowd.mjs";
import { stories } from "./stories.mjs";
import { Tally, together } from "./tally.mjs";
import { startTogether } from "./together.mjs";

const THREADS = 4;

const given = isMainThread ? process.argv.slice(2) : workerData;
const contestant = contestants.find(({ name }) => name === given[0]);
const story = stories.find(({ name }) => name === given[1]);
/** The worker ID: 1, or the thread's number. */
const worker = Number(given[2] ?? 1);
const { sortable = (id) => id } = contestant;

/** Returns the function that makes the story's next ID, from one generator or from several. */
async function source() {
  const modules = [];
  for (const load of await loaders(story.use === "copies" ? contestant : undefined)) {
    modules.push(await load(contestant.specifier));
  }
  const [module] = modules;
  const explains = contestant.explains && ((before, after) => contestant.explains(module, before, after));
  if (story.use === "generator per call") {
    return { explains, next: () => contestant.make(module, worker)() };
  }
  const generators = modules.map((module) => contestant.make(module, worker));
  let turn = 0;
  return { explains, next: () => generators[turn++ % generators.length]() };
}

/** Runs the story to its end, or until a call hangs; then passes the tally to `done`. */
async function play(done) {
  let tally = new Tally();
  const clock = new StoryClock(story, worker, () => {
    tally.hung = true;
    end();
    process.exit();
  });
  const end = () => {
    clock.stop();
    tally.longest = Math.max(tally.longest, clock.taken);
    done(tally);
  };
  install(clock);
  const { next, explains } = await source();
  tally = new Tally(explains);
  clock.run();
  // Bounded, because calls that throw before they read the clock do not advance the story.
  for (let calls = 0; !clock.over && calls < 2 * story.readings; calls++) {
    clock.call();
    try {
      const id = next();
      tally.add(sortable(id instanceof Promise ? await id : id));
    } catch (error) {
      tally.fail(error);
    }
    tally.longest = Math.max(tally.longest, clock.taken);
  }
  end();
}

/** One thread's IDs and counts. */
function thread(number) {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL(import.meta.url), {
      workerData: [contestant.name, story.name, number],
    });
    let result;
    thread.on("message", (message) => {
      result = message;
    });
    thread.on("error", reject);
    thread.on("exit", () => {
      if (result === undefined) reject(new Error(`thread ${number} ended without a result`));
      else resolve(result);
    });
  });
}

/** Synchronous, because after a hang the process exits at once. */
const print = (counts) => writeSync(1, `${JSON.stringify(counts)}\n`);

if (!isMainThread) {
  await play((tally) => parentPort.postMessage({ ids: tally.ids, counts: tally.counts() }));
} else if (story.use === "threads") {
  const numbers = Array.from({ length: THREADS }, (_, i) => i + 1);
  print(together(await Promise.all(numbers.map(thread))));
} else if (story.use === "started together") {
  print(await startTogether(contestant, story));
} else if (story.use === "lives") {
  print(await liveAndDie(contestant, story));
} else if (story.use === "numbering") {
  print(await crowd(contestant, story));
} else {
  await play((tally) => print(tally.counts()));
}
