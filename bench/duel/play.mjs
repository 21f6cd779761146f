// Plays a story with one contestant, in its own process or thread: `node play.mjs
// '{"name":…,"title":…}'` prints the counts as one line of JSON. If it has a `part`, it is one of
// several members, and sends its IDs to their parent.

import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parentPort } from "node:worker_threads";
import { install, StoryClock } from "./clock.mjs";
import { contestants } from "./contestants.mjs";
import { loaders } from "./copies.mjs";
import { countsOf, Issue } from "./counts.mjs";
import { live, liveAndDie } from "./lives.mjs";
import { load } from "./load.mjs";
import { crowd } from "./numbering/crowd.mjs";
import { stories } from "./stories.mjs";
import { startTogether, startWith, threads } from "./together.mjs";

const { name, title, part, worker = 1 } = JSON.parse(process.argv[2]);
const contestant = contestants.find((one) => one.name === name);
const story = stories.find((one) => one.name === title);
const { sortable } = contestant;

/** The known reasons for an inversion, for the package of a module. */
const explainsIn = (module) =>
  contestant.explains && ((before, after) => contestant.explains(module, before, after));

/**
 * Resolves to the function that generates the story's next ID, from one generator or from several,
 * and to their module.
 */
async function source() {
  const modules = [];
  for (const load of await loaders(story.use === "copies")) modules.push(await load(contestant.package));
  const [module] = modules;
  if (story.use === "generator per call") return { module, next: () => contestant.make(module, worker)() };
  const generators = modules.map((one) => contestant.make(one, worker));
  let turn = 0;
  return { module, next: () => generators[turn++ % generators.length]() };
}

/** Runs the story's clock to its end or until a call hangs, and passes the issued IDs to `done`. */
async function scripted(done) {
  const issue = new Issue();
  let module;
  const clock = new StoryClock(story, worker, () => {
    issue.hung = true;
    end();
    process.exit();
  });
  const end = () => {
    clock.stop();
    issue.longest = Math.max(issue.longest, clock.taken);
    done(issue.ordered(module && explainsIn(module)));
  };
  install(clock);
  const made = await source();
  module = made.module;
  clock.run();
  // Limit the number of calls, because calls that throw before they read the clock do not advance
  // the story.
  for (let calls = 0; !clock.over && calls < 2 * story.readings; calls++) {
    clock.call();
    const pending = issue.call(made.next, sortable);
    if (pending) await pending;
    issue.longest = Math.max(issue.longest, clock.taken);
  }
  end();
}

/**
 * Loads the package, waits for the given moment, and generates IDs. It sleeps between batches, so
 * that all members run at the same time.
 */
async function member(tell, heard) {
  const module = await load(contestant.package);
  tell("ready");
  await sleep(Math.max(0, (await heard) - Date.now()));
  const next = contestant.make(module);
  const issue = new Issue();
  for (let i = 0; i < story.batches; i++) {
    for (let j = 0; j < story.batch; j++) {
      const pending = issue.call(next, sortable);
      if (pending) await pending;
    }
    await sleep(1);
  }
  tell(issue.ordered(explainsIn(module)));
}

/** Writes synchronously, because the process exits immediately after a hang. */
const print = (counts) => writeSync(1, `${JSON.stringify(counts)}\n`);

const program = fileURLToPath(import.meta.url);
const others = (wanted) => startWith(program, { name, title, ...wanted });

if (part === "thread") await scripted((issued) => parentPort.postMessage(issued));
else if (part === "member") {
  // End together with the parent.
  process.once("disconnect", () => process.exit());
  const heard = new Promise((resolve) => (parentPort ?? process).once("message", resolve));
  await member((said) => (parentPort ? parentPort.postMessage(said) : process.send(said)), heard);
} else if (part === "life") await live(contestant, story);
else if (story.use === "threads") print(countsOf(await threads(others)));
else if (story.use === "started together") print(await startTogether(others, story));
else if (story.use === "lives") print(await liveAndDie(program, contestant, story));
else if (story.use === "numbering") print(await crowd(contestant, story));
else await scripted((issued) => print(countsOf([issued])));
