/** Numbers by messages: real threads and real processes ask the one that serves them. */
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
import { node } from "../support/user-project.ts";

const lease = leaseIn(platform);
const room = join(testsJs, "lease", "threads");
const program = join(room, "asker.mjs");
cluster.setupPrimary({ exec: program, execArgv: [] });

type Asker = Worker | ClusterWorker | ChildProcess;
const started: Asker[] = [];
after(() => {
  for (const one of started) one instanceof Worker ? one.terminate() : one.kill("SIGKILL");
});
/** What a task resolves to. */
interface Done {
  readonly number: number;
  readonly status: { readonly state: string };
}
interface Report {
  readonly done?: unknown;
  readonly failed?: { readonly message: string; readonly code?: string; readonly is: boolean };
}
/** What each asker reports; undefined if it ends before. Messages of the package go by. */
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

interface Data {
  readonly from: string;
  readonly task: string;
  readonly options?: object;
}
const thread = (data: Data) => keep(new Worker(program, { workerData: data }));
const forked = (data: Data) => keep(fork(program, [JSON.stringify(data)], { execArgv: [] }));
function member(data: Data): ClusterWorker {
  cluster.setupPrimary({ args: [JSON.stringify(data)] });
  return keep(cluster.fork());
}

async function report(asker: Asker): Promise<Report> {
  const reported = await reports.get(asker);
  return reported ?? assert.fail("it ended without a report");
}
async function done<T = Done>(asker: Asker): Promise<T> {
  const { done, failed } = await report(asker);
  assert.equal(failed, undefined);
  return done as T;
}

let names = 0;
const newName = () => `test-${names++}`;
/** Times of leases that a test waits for. */
const short = { ttlMs: 500, quarantineMs: 500 };
const alone = (durable = true) => memory({ reach: "alone", durable });

async function passes(asker: Asker): Promise<void> {
  const all = await done<[string, string | null][]>(asker);
  assert.ok(all.length >= 15);
  for (const [name, failed] of all) assert.equal(failed, null, name);
}

// They mostly wait.
describe("the exported suite", { concurrency: true }, () => {
  const checks = { task: "checks", options: { ttlMs: 1000 } };
  for (const durable of [true, false]) {
    const kind = durable ? "a durable" : "a forgetful";
    test(`${kind} store passes it from a thread`, async () => {
      const name = newName();
      serve(alone(durable), name);
      await passes(thread({ from: name, ...checks }));
    });
    test(`${kind} store passes it from a process`, async () => {
      const child = forked({ from: "process", ...checks });
      serve(alone(durable), child);
      await passes(child);
    });
  }
  test("a store passes it from a worker of a cluster", async () => {
    serve(alone(), cluster);
    await passes(member({ from: "process", ...checks }));
  });
});

test("a store works as it does where it is: its properties, its errors", async () => {
  const name = newName();
  const refuse = new GraupelError("CONFLICT", "store: not now", "store");
  const answers = [
    () => Promise.reject(refuse),
    () => Promise.reject(new TypeError("no network")),
    () => Promise.reject(Object.assign(new Error("no table"), { permanent: true })),
    () => Promise.reject("a text"),
    async () => () => "what no message carries",
  ];
  const store = { ...alone(), durable: false, ttlMs: 7000, apartMs: 70 };
  serve({ ...store, acquire: () => (answers.shift() as () => Promise<never>)() }, name);
  assert.deepEqual(await done(thread({ from: name, task: "ready" })), {
    durable: false,
    ttlMs: 7000,
    apartMs: 70,
  });
  const asked = threads(name);
  const acquire = () => asked.acquire({} as never);
  await assert.rejects(acquire(), (error) => {
    const { message, code, field } = error as GraupelError;
    assert.deepEqual([message, code, field], [refuse.message, "CONFLICT", "store"]);
    return GraupelError.is(error);
  });
  await assert.rejects(
    acquire(),
    (error) => !GraupelError.is(error) && /^no network$/.test((error as Error).message),
  );
  await assert.rejects(acquire(), { name: "Error", message: "no table", permanent: true });
  await assert.rejects(acquire(), /^Error: a text$/);
  await assert.rejects(acquire(), /could not be cloned/);
});

test("a store without a list says so", async () => {
  const name = newName();
  serve({ ...alone(), list: undefined } as never, name);
  const { failed } = await report(thread({ from: name, task: "list" }));
  assert.match(failed?.message ?? "", /not a function|undefined/);
});

test("a thread may ask before anybody serves", async () => {
  const name = newName();
  const asker = thread({ from: name, task: "ready" });
  const asked = new BroadcastChannel(name);
  await once(asked, "message");
  asked.close();
  serve(alone(), name);
  assert.deepEqual(await done(asker), { durable: true, ttlMs: 3000, apartMs: 1000 });
});

test("where nobody serves, it is told within the wait, or by a signal", async () => {
  const nobody = { format: twitter, namespace: "orders" };
  const late = AbortSignal.timeout(60_000);
  await assert.rejects(lease(threads(newName()), { ...nobody, maxWaitMs: 600, signal: late }), (error) => {
    assert.match((error as Error).message, /^store: no answer; call serve .* \[LEASE_STORE\]$/);
    return GraupelError.is(error) && error.code === "LEASE_STORE";
  });
  const signal = AbortSignal.timeout(300);
  await assert.rejects(lease(threads(newName()), { ...nobody, signal }), { name: "TimeoutError" });
});

test("the thread that serves may do nothing for longer than the ttl", async () => {
  const name = newName();
  serve(alone(), name);
  // The thread answers only while it is awake, and not every question is still waiting then: so the wait has no end.
  const asker = thread({ from: name, task: "hold", options: { ...short, maxWaitMs: 3_600_000 } });
  await once(asker, "online");
  const blocked = new Int32Array(new SharedArrayBuffer(4));
  for (let i = 0; i < 3; i++) {
    Atomics.wait(blocked, 0, 0, 900);
    await pause(1);
  }
  assert.equal((await done(asker)).status.state, "held");
});

test("neither a thread nor a process is kept alive by a lease that it holds", async () => {
  const name = newName();
  const child = forked({ from: "process", task: "hold", options: { namespace: "child", ...short } });
  serve(alone(), name, child);
  const asker = thread({ from: name, task: "hold", options: { namespace: "thread", ...short } });
  const ends = [asker, child].map((one) => once(one as Worker, "exit"));
  for (const one of [asker, child]) assert.equal((await done(one)).status.state, "held");
  for (const end of ends) assert.deepEqual((await end)[0], 0);
});

test("a release at the end of a program arrives", async () => {
  const name = newName();
  const store = alone();
  serve(store, name);
  const options = { namespace: name, ...short };
  const asker = thread({ from: name, task: "release", options });
  const end = once(asker, "exit");
  await done(asker);
  const records = await store.list?.(options.namespace);
  assert.deepEqual(
    records?.map(({ held }) => held),
    [false],
  );
  assert.equal((await end)[0], 0);
});

test("a program that serves ends when it has nothing more to do", async () => {
  assert.equal(await node(room, "alone.mjs", "0"), "[]\n");
});

test("threads that draw the same numbers by chance do not take each other's answers", async () => {
  const numbers = JSON.parse(await node(room, "--random-seed=1", "alone.mjs", "6")) as number[];
  assert.deepEqual(numbers.sort(), [0, 1, 2, 3, 4, 5]);
});

test("a thread of a thread asks the same one", async () => {
  const name = newName();
  serve(alone(), name);
  const { number } = await done(thread({ from: name, task: "inner", options: { namespace: "inner" } }));
  assert.equal(number, 0);
});

test("a process passes on to its threads what it is served", async () => {
  const child = forked({ from: "process", task: "pass" });
  serve({ ...alone(), ttlMs: 7000 }, child);
  assert.deepEqual(await done(child), { durable: true, ttlMs: 7000, apartMs: 1000 });
});

test("messages of others are not answered, and change nothing", async () => {
  const heard: unknown[] = [];
  const name = newName();
  const others = new BroadcastChannel(name);
  others.onmessage = ({ data }) => {
    heard.push(data);
    // Some programs send back all that they get.
    others.postMessage(data);
  };
  const noise = [
    null,
    1,
    "text",
    [],
    {},
    { call: "acquire" },
    { by: "somebody", call: "acquire" },
    { "graupel.lease/1": "1", call: "constructor" },
  ];
  const store = alone();
  serve(store, name, cluster);
  const asker = thread({ from: name, task: "hold", options: short });
  const noises = setInterval(() => {
    for (const message of noise) others.postMessage(message);
  }, 20);
  try {
    assert.equal((await done(asker)).status.state, "held");
  } finally {
    clearInterval(noises);
    others.close();
  }
  // Requests, and answers to them; nothing that answers a noise.
  assert.ok(heard.length > 3);
  const asked = heard.flatMap((message) => ("call" in Object(message) ? [idOf(message)] : []));
  assert.deepEqual(
    heard.filter((message) => !asked.includes(idOf(message))),
    [],
  );

  const worker = member({ from: "process", task: "hold", options: short });
  const echoes: unknown[] = [];
  worker.on("message", (message) => {
    echoes.push(message);
    worker.send(message);
    for (const one of noise) worker.send(one ?? 0);
  });
  assert.equal((await done(worker)).status.state, "held");
  assert.ok(echoes.length > 1);
});
const idOf = (message: unknown) => (message as Record<string, string>)["graupel.lease/1"];

test("whoever ends in the middle of a call harms nobody", async () => {
  const name = newName();
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
  const child = forked({ from: "process", task: "acquire" });
  serve(slow, name, child, cluster);
  const askers = [
    thread({ from: name, task: "acquire" }),
    member({ from: "process", task: "acquire" }),
    child,
  ];
  while (calls < 3) await pause(20);
  const ends = askers.map((asker) => once(asker as Worker, "exit"));
  for (const asker of askers) asker instanceof Worker ? asker.terminate() : asker.kill("SIGKILL");
  await Promise.all(ends);
  ended.emit("all");
  assert.ok("number" in (await done(thread({ from: name, task: "acquire" }))));
});

test("a process whose primary is gone is told so, and does not wait", async () => {
  const data = { from: "process", task: "orphan" };
  const child = keep(fork(program, [JSON.stringify(data)], { execArgv: [], stdio: "pipe" }));
  const told = await text(child.stdout as Readable);
  assert.equal(told, "LEASE_STORE: store: Channel closed [LEASE_STORE]\n");
});

test("two threads that serve one name are refused", async () => {
  const name = newName();
  serve(alone(), name);
  assert.equal(await done(thread({ from: name, task: "serve" })), "serving");
  const request = { namespace: "contested", layout: "a layout", last: 3, mask: 0, bits: 0 };
  const acquire = () =>
    threads(name).acquire({ ...request, ttlMs: 1000, quarantineMs: 1000, token: "a token", label: "" });
  // Whoever answers last has heard of the other one; from then on, nobody grants anything.
  while (await acquire().catch(() => undefined)) await pause(20);
  for (let i = 0; i < 3; i++) {
    await assert.rejects(acquire(), { code: "CONFLICT", message: /two threads serve this name/ });
  }
  await assert.rejects(lease(threads(name), { format: twitter, namespace: "contested" }), {
    code: "CONFLICT",
  });
});

test("a module that is loaded again, or another copy, answers once, from the same memory", async () => {
  const name = newName();
  const answered: string[] = [];
  const told = (by: string): LeaseStore => ({
    ...alone(),
    async acquire(request) {
      answered.push(by);
      return alone().acquire(request);
    },
  });
  serve(told("first"), name);
  const acquire = async () =>
    (await done(thread({ from: name, task: "acquire", options: { namespace: name } }))).number;
  assert.equal(await acquire(), 0);
  serveOfCopy(told("copy"), name);
  assert.equal(await acquire(), 1);
  serve(told("again"), name);
  assert.equal(await acquire(), 2);
  assert.deepEqual(answered, ["first", "copy", "again"]);
});
