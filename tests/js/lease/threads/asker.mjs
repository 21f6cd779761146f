// A thread, or a process, that asks another one for numbers: `{ from, task, options }` is the data of the thread, or the first argument of
// the process. It reports `{ done }`, or `{ failed }`, and ends when it has nothing more to do.

import { parentPort, Worker, workerData } from "node:worker_threads";
import { twitter } from "graupel";
import { lease, memory } from "graupel/lease";
import { checks } from "graupel/lease/conformance";
import { serve, threads } from "graupel/lease/threads";

const { from, task, options } = workerData ?? JSON.parse(process.argv[2]);
const report = (message) => (parentPort ? parentPort.postMessage(message) : process.send(message));
// Whatever keeps it alive ends here, as a failure. A busy machine does not take as long.
setTimeout(() => process.exit(1), 600_000).unref();

const store = threads(from === "process" ? process : from);

const numbers = { namespace: "asker", layout: "a layout", last: 31, mask: 0, bits: 0, label: "a test" };
const acquire = () =>
  store.acquire({ ...numbers, ttlMs: 5000, quarantineMs: 5000, token: crypto.randomUUID(), ...options });

/** A lease, until the end. */
async function hold() {
  const worker = await lease(store, { format: twitter, namespace: "orders", ...options });
  globalThis.kept = [worker, twitter.generator({ lease: worker })];
  globalThis.kept[1].next();
  return { status: { state: worker.status.state } };
}

/** What a thread of this one reports. */
async function ofThread(data) {
  const inner = new Worker(new URL(import.meta.url), { workerData: data });
  return new Promise((resolve) => inner.once("message", ({ done }) => resolve(done)));
}

const TASKS = {
  acquire,
  hold,
  /** The exported suite: the names of the checks, and what went wrong. */
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
  /** Asks without the one that has forked it, and prints what comes of it. */
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
  /** Serves a name that somebody else serves, too. */
  serve() {
    serve(memory({ reach: "alone" }), from);
    // Else nothing keeps this thread alive.
    setInterval(() => {}, 1000);
    return "serving";
  },
  /** A thread of its own, which asks the same one. */
  inner: () => ofThread({ from, task: "acquire", options }),
  /** Serves what it is served to a thread of its own. */
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
