// A thread or process that requests numbers from another one. Its parameters, `{ from, task,
// options }`, are the thread's data or the first argument of the process. It reports `{ done }` or
// `{ failed }` and exits when it has nothing left to do.

import { parentPort, Worker, workerData } from "node:worker_threads";
import { twitter } from "graupel";
import { lease, memory } from "graupel/lease";
import { checks } from "graupel/lease/conformance";
import { serve, threads } from "graupel/lease/threads";

const { from, task, options } = workerData ?? JSON.parse(process.argv[2]);
const report = (message) => (parentPort ? parentPort.postMessage(message) : process.send(message));
// If something keeps it alive, it fails here. Even a busy machine does not take this long.
setTimeout(() => process.exit(1), 600_000).unref();

const store = threads(from === "process" ? process : from);

const numbers = { namespace: "asker", layout: "a layout", last: 31, mask: 0, bits: 0, label: "a test" };
const acquire = () =>
  store.acquire({ ...numbers, ttlMs: 5000, quarantineMs: 5000, token: crypto.randomUUID(), ...options });

/**
 * Holds a lease until the end. Returns an ID as text. On a busy machine, the lease may end before
 * its first ID, and get another number.
 */
async function hold() {
  const worker = await lease(store, { format: twitter, namespace: "orders", ...options });
  globalThis.kept = [worker, twitter.generator({ lease: worker })];
  return String(await globalThis.kept[1].nextAsync());
}

/** The report of a thread of this one. */
async function ofThread(data) {
  const inner = new Worker(new URL(import.meta.url), { workerData: data });
  return new Promise((resolve) => inner.once("message", ({ done }) => resolve(done)));
}

const TASKS = {
  acquire,
  hold,
  /** Runs the exported suite. Returns the name and the error of each check. */
  async checks() {
    await store.ready();
    const run = async ({ name, run }) => [name, await run().then(() => null, String)];
    return Promise.all(checks(store, options).map(run));
  },
  async ready() {
    await store.ready(options);
    const { durable, ttlMs, apartMs } = store;
    return { durable, ttlMs, apartMs };
  },
  /** Makes a request without the parent process and prints the outcome. */
  async orphan() {
    process.disconnect();
    const { code, message } = await acquire().catch((error) => error);
    console.log(`${code}: ${message}`);
    process.exit();
  },
  async release() {
    await hold();
    await globalThis.kept[0].release();
  },
  /** Serves a name that another thread also serves. */
  serve() {
    serve(memory({ reach: "alone" }), from);
    // Otherwise nothing would keep this thread alive.
    setInterval(() => {}, 1000);
    return "serving";
  },
  /** A nested thread that asks the same server. */
  inner: () => ofThread({ from, task: "acquire", options }),
  /** Serves an in-memory store to six threads, and reports the numbers that they get. */
  async crowd() {
    const store = memory({ reach: "alone" });
    // Delays the answers, so that all requests are pending at the same time.
    const late = (call) => async (request) => {
      const answer = await store[call](request);
      await new Promise((done) => setTimeout(done, 200));
      return answer;
    };
    serve({ ...store, ready: late("list"), acquire: late("acquire") }, "crowd");
    const data = { from: "crowd", task: "acquire" };
    const all = await Promise.all(Array.from({ length: 6 }, () => ofThread(data)));
    return all.map(({ number }) => number);
  },
  /** Passes on the numbers that it is served to a nested thread. */
  pass() {
    serve(store, "passed on");
    return ofThread({ from: "passed on", task: "ready" });
  },
};

const work = async () => TASKS[task]();
work().then(
  (done) => report({ done }),
  ({ message }) => report({ failed: { message } }),
);
