// One of the threads and processes that together.mjs starts: `member.mjs contestant batches batch`. Loads the package,
// reports "ready", waits for the given moment, and makes its IDs. It sleeps between batches, so that all run side by side.

import { setTimeout as sleep } from "node:timers/promises";
import { isMainThread, parentPort } from "node:worker_threads";
import { contestants } from "./contestants.mjs";
import { load } from "./load.mjs";
import { Tally } from "./tally.mjs";

const [name, batches, batch] = process.argv.slice(2);
const {
  specifier,
  unconfigured,
  sortable = (id) => id,
  explains,
} = contestants.find((one) => one.name === name);

const say = (message) => (isMainThread ? process.send(message) : parentPort.postMessage(message));
const heard = new Promise((resolve) => {
  if (isMainThread) process.once("message", resolve);
  else parentPort.once("message", resolve);
});
// Do not outlive the parent.
if (isMainThread) process.once("disconnect", () => process.exit());

const module = await load(specifier);
say("ready");
const at = await heard;
await sleep(Math.max(0, at - Date.now()));

const next = unconfigured(module);
const tally = new Tally(explains && ((before, after) => explains(module, before, after)));
for (let i = 0; i < Number(batches); i++) {
  for (let j = 0; j < Number(batch); j++) {
    try {
      const id = next();
      tally.add(sortable(id instanceof Promise ? await id : id));
    } catch (error) {
      tally.fail(error);
    }
  }
  await sleep(1);
}
say({ ids: tally.ids, counts: tally.counts() });
