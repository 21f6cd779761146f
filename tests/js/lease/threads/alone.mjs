// A program that serves its own memory to six threads, prints the numbers that they get, and ends when it has nothing more to do.

import { Worker } from "node:worker_threads";
import { memory } from "graupel/lease";
import { serve } from "graupel/lease/threads";

// Whatever keeps it alive ends here, as a failure. A busy machine does not take as long.
setTimeout(() => process.exit(1), 600_000).unref();

const store = memory({ reach: "alone" });
// Late, so that all requests are pending at the same time.
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
