// A program that serves its in-memory store to six threads, prints the numbers that they get, and
// exits when it has nothing left to do.

import { Worker } from "node:worker_threads";
import { memory } from "graupel/lease";
import { serve } from "graupel/lease/threads";

// If something keeps the process alive, it fails here. Even a busy machine does not take this long.
setTimeout(() => process.exit(1), 600_000).unref();

const store = memory({ reach: "alone" });
// Delays the answers, so that all requests are pending at the same time.
const late = (call) => async (request) => {
  const answer = await store[call](request);
  await new Promise((done) => setTimeout(done, 200));
  return answer;
};
serve({ ...store, ready: late("list"), acquire: late("acquire") }, "numbers");

const numbers = [];
for (let i = 0; i < 6; i++) {
  const data = { from: "numbers", task: "acquire" };
  const thread = new Worker(new URL("asker.mjs", import.meta.url), { workerData: data });
  thread.on("message", ({ done }) => numbers.push(done.number));
}
process.once("exit", () => console.log(JSON.stringify(numbers)));
