/**
 * Numbers through messages: real threads and processes request them from the thread that serves
 * them.
 */
import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import cluster, { type Worker as ClusterWorker } from "node:cluster";
import { EventEmitter, once } from "node:events";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { after, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { GraupelError, twitter } from "graupel";
import { serve as serveOfCopy } from "graupel/lease/threads";
import { platform } from "../../../js/lease/environment.ts";
import { leaseIn } from "../../../js/lease/lease.ts";
import { memory } from "../../../js/lease/memory.ts";
import { serve, threads } from "../../../js/lease/stores/threads.ts";
import type { LeaseStore } from "../../../js/lease/types.ts";
import { testsJs } from "../support/places.ts";
import { request } from "./scripted-leases.ts";

const lease = leaseIn(platform);
const program = join(testsJs, "lease", "threads", "asker.mjs");
cluster.setupPrimary({ exec: program, execArgv: [] });

type Asker = Worker | ClusterWorker | ChildProcess;
const end = (asker: Asker) => (asker instanceof Worker ? asker.terminate() : asker.kill("SIGKILL"));
const started: Asker[] = [];
after(() => started.forEach(end));
/** The result of a task. */
interface Done {
  readonly number: number;
}
interface Report {
  readonly done?: unknown;
  readonly failed?: { readonly message: string };
}
/**
 * The report of each asker; undefined if it ends before it reports. Ignores the package's own
 * messages.
 */
const reports = new WeakMap<Asker, Promise<Report | undefined>>();
function keep<T extends Asker>(asker: T): T {
  started.push(asker);
  const reported = new Promise<Report | undefined>((resolve) => {
    asker.on("message", (message: Report) => {
      if ("done" in message || "failed" in message) resolve(message);
    });
    asker.on("exit", () => resolve(undefined));
  });
  reports.set(asker, reported);
  return asker;
}

/**
 * A thread that asks the server with this name; and a process and a cluster worker that ask this
 * process.
 */
const thread = (from: string, task: string, options = {}) =>
  keep(new Worker(program, { workerData: { from, task, options } }));
const argumentOf = (task: string, options: object) => [JSON.stringify({ from: "process", task, options })];
const forked = (task: string, options = {}) =>
  keep(fork(program, argumentOf(task, options), { execArgv: [] }));
function member(task: string, options = {}): ClusterWorker {
  cluster.setupPrimary({ args: argumentOf(task, options) });
  return keep(cluster.fork());
}

async function done<T = Done>(asker: Asker): Promise<T> {
  const { done, failed } = (await reports.get(asker)) ?? assert.fail("it ended without a report");
  assert.equal(failed, undefined);
  return done as T;
}
const isHeld = async (asker: Asker) => assert.match(await done<string>(asker), /^\d+$/);

let names = 0;
const alone = (durable = true) => memory({ reach: "alone", durable });
/** Serves a store under a new name. */
function served(store: LeaseStore = alone(), ...to: Parameters<typeof serve>[1][]): string {
  const name = `test-${names++}`;
  serve(store, name, ...to);
  return name;
}
/** Short times for leases that a test waits for. */
const short = { ttlMs: 500, quarantineMs: 500 };

// The checks mostly wait.
describe("the exported suite", { concurrency: true }, () => {
  const times = { ttlMs: 1000 };
  for (const [what, start] of [
    ["a durable store, from a thread", () => thread(served(), "checks", times)],
    ["a forgetful store, from a thread", () => thread(served(alone(false)), "checks", times)],
    ["a durable store, from a process", () => forked("checks", times)],
    ["a forgetful store, from a process", () => forked("checks", times)],
    ["a durable store, from a worker of a cluster", () => member("checks", times)],
  ] as const) {
    test(what, async () => {
      const asker = start();
      if (!(asker instanceof Worker)) {
        serve(alone(!what.includes("forgetful")), "process" in asker ? cluster : asker);
      }
      const all = await done<[string, string | null][]>(asker);
      assert.ok(all.length >= 15);
      for (const [name, failed] of all) assert.equal(failed, null, name);
    });
  }
});

test("a store works as it does where it is: its properties, its errors", async () => {
  const refuse = new GraupelError("CONFLICT", "store: not now", "store");
  const answers = [
    () => Promise.reject(refuse),
    () => Promise.reject(new TypeError("no network")),
    () => Promise.reject(Object.assign(new Error("no table"), { permanent: true })),
    ...["a text", Symbol("none"), Object.create(null), { message() {} }, undefined].map(
      (thrown) => () => Promise.reject(thrown),
    ),
    async () => () => "what no message carries",
  ];
  const properties = { durable: false, ttlMs: 7000, apartMs: 70 };
  const acquire = () => (answers.shift() as () => Promise<never>)();
  const name = served({ ...alone(), ...properties, acquire, list: undefined } as never);
  assert.deepEqual(await done(thread(name, "ready")), properties);
  const asked = threads(name);
  for (const like of [
    { name: "GraupelError", message: refuse.message, code: "CONFLICT", field: "store" },
    { name: "Error", message: "no network" },
    { name: "Error", message: "no table", permanent: true },
    /^Error: a text$/,
    ...Array(4).fill(/^Error: (it failed|message|undefined)/),
    /could not be cloned/,
  ]) {
    await assert.rejects(asked.acquire({} as never), like);
  }
  await assert.rejects(async () => asked.list?.("orders"), /not a function|undefined/);
});

test("a thread may ask before anybody serves", async () => {
  const name = `test-${names++}`;
  const asker = thread(name, "ready");
  const asked = new BroadcastChannel(name);
  await once(asked, "message");
  asked.close();
  serve(alone(), name);
  assert.deepEqual(await done(asker), { durable: true, ttlMs: 3000, apartMs: 1000 });
});

test("where nobody serves, it is told within the wait, or by a signal", async () => {
  const refused = (options: object, like: object) =>
    assert.rejects(
      lease(threads(`test-${names++}`), { format: twitter, namespace: "orders", ...options }),
      like,
    );
  const { signal } = new AbortController();
  const message = /^store: no answer; call serve .* \[LEASE_STORE\]$/;
  await refused({ maxWaitMs: 600, signal }, { name: "GraupelError", code: "LEASE_STORE", message });
  await refused({ signal: AbortSignal.timeout(300) }, { name: "TimeoutError" });
});

test("the thread that serves may do nothing for longer than the ttl", async () => {
  // The server answers only while it is awake, and some requests may have given up by then, so the
  // wait is practically unlimited.
  const asker = thread(served(), "hold", { ...short, maxWaitMs: 3_600_000 });
  await once(asker, "online");
  const blocked = new Int32Array(new SharedArrayBuffer(4));
  for (let i = 0; i < 3; i++) {
    Atomics.wait(blocked, 0, 0, 900);
    await pause(1);
  }
  await isHeld(asker);
});

test("neither a thread nor a process is kept alive by a lease that it holds", async () => {
  const child = forked("hold", { namespace: "child", ...short });
  const asker = thread(served(alone(), child), "hold", { namespace: "thread", ...short });
  const ends = [asker, child].map((one) => once(one as Worker, "exit"));
  await Promise.all([asker, child].map(isHeld));
  for (const end of ends) assert.deepEqual((await end)[0], 0);
});

test("a release at the end of a program arrives", async () => {
  const store = alone();
  const name = served(store);
  const asker = thread(name, "release", { namespace: name, ...short });
  const ended = once(asker, "exit");
  await done(asker);
  assert.deepEqual(
    (await store.list?.(name))?.map(({ held }) => held),
    [false],
  );
  assert.equal((await ended)[0], 0);
});

test("threads that draw the same numbers by chance do not take each other's answers; who serves them ends", async () => {
  const execArgv = ["--random-seed=1"];
  const child = keep(fork(program, argumentOf("crowd", {}), { execArgv }));
  const ended = once(child, "exit");
  assert.deepEqual((await done<number[]>(child)).sort(), [0, 1, 2, 3, 4, 5]);
  // Serving does not keep a process alive.
  assert.equal((await ended)[0], 0);
});

test("a thread of a thread asks the same one, and a process passes on to its threads what it is served", async () => {
  assert.equal((await done(thread(served(), "inner", { namespace: "inner" }))).number, 0);
  const child = forked("pass");
  serve({ ...alone(), ttlMs: 7000 }, child);
  assert.deepEqual(await done(child), { durable: true, ttlMs: 7000, apartMs: 1000 });
});

test("messages of others are not answered, and change nothing", async () => {
  const idOf = (message: unknown) => (message as Record<string, string>)["graupel.lease/1"];
  const noise = [
    ...[null, 1, "text", [], {}, { call: "acquire" }, { by: "somebody", call: "acquire" }],
    { "graupel.lease/1": "1", call: "constructor" },
  ];
  const heard: unknown[] = [];
  const name = served(alone(), cluster);
  const others = new BroadcastChannel(name);
  others.onmessage = ({ data }) => {
    heard.push(data);
    // Some programs send back every message that they receive.
    others.postMessage(data);
  };
  const noises = setInterval(() => {
    for (const message of noise) others.postMessage(message);
  }, 20);
  try {
    await isHeld(thread(name, "hold", short));
  } finally {
    clearInterval(noises);
    others.close();
  }
  // Only requests and responses to them were sent, and no response to noise.
  assert.ok(heard.length > 3);
  const asked = heard.flatMap((message) => ("call" in Object(message) ? [idOf(message)] : []));
  assert.ok(heard.every((message) => asked.includes(idOf(message))));

  const worker = member("hold", short);
  let echoes = 0;
  worker.on("message", (message) => {
    echoes++;
    worker.send(message);
    for (const one of noise) worker.send(one ?? 0);
  });
  await isHeld(worker);
  assert.ok(echoes > 1);
});

test("whoever ends in the middle of a call harms nobody", async () => {
  const store = alone();
  const ended = new EventEmitter();
  let calls = 0;
  const slow: LeaseStore = {
    ...store,
    async acquire(request) {
      if (++calls <= 3) await once(ended, "all");
      return store.acquire(request);
    },
  };
  const child = forked("acquire");
  const name = served(slow, child, cluster);
  const askers = [thread(name, "acquire"), member("acquire"), child];
  while (calls < 3) await pause(20);
  const ends = askers.map((asker) => once(asker as Worker, "exit"));
  askers.forEach(end);
  await Promise.all(ends);
  ended.emit("all");
  assert.ok("number" in (await done(thread(name, "acquire"))));
});

test("a process whose primary is gone is told so, and does not wait", async () => {
  const child = keep(fork(program, argumentOf("orphan", {}), { execArgv: [], stdio: "pipe" }));
  const told = await text(child.stdout as Readable);
  assert.equal(told, "LEASE_STORE: store: Channel closed [LEASE_STORE]\n");
});

test("two threads that serve one name are refused", async () => {
  const name = served();
  assert.equal(await done(thread(name, "serve")), "serving");
  const acquire = () => threads(name).acquire({ ...request, namespace: "contested" });
  // The server that answers last has heard of the other one. From then on, neither grants a number.
  while (await acquire().catch(() => undefined)) await pause(20);
  for (let i = 0; i < 3; i++) {
    await assert.rejects(acquire(), { code: "CONFLICT", message: /two threads serve this name/ });
  }
  const refused = lease(threads(name), { format: twitter, namespace: "contested" });
  await assert.rejects(refused, { code: "CONFLICT" });
});

test("a module that is loaded again, or another copy, answers once, from the same memory", async () => {
  const answered: string[] = [];
  const told = (by: string): LeaseStore => ({
    ...alone(),
    async acquire(request) {
      answered.push(by);
      return alone().acquire(request);
    },
  });
  const name = served(told("first"));
  const isNext = async (number: number) =>
    assert.equal((await done(thread(name, "acquire", { namespace: name }))).number, number);
  await isNext(0);
  serveOfCopy(told("copy"), name);
  await isNext(1);
  serve(told("again"), name);
  await isNext(2);
  assert.deepEqual(answered, ["first", "copy", "again"]);
});
