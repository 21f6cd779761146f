// A process that serves its memory to those that it starts: workers of a cluster, threads, or forked processes. Started by servers/threads.mjs,
// for which it passes messages on: `node primary.mjs <kind>`.

import { fork } from "node:child_process";
import cluster from "node:cluster";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { here, importBuilt } from "./places.mjs";

const [{ memory }, { serve }] = await Promise.all([importBuilt("lease"), importBuilt("lease/threads")]);
const newGate = () => new Int32Array(new SharedArrayBuffer(4));

const program = join(here, "lib", "holder.mjs");
const KINDS = {
  cluster(what) {
    cluster.setupPrimary({ exec: program, args: [JSON.stringify(what)] });
    return cluster.fork();
  },
  forked(what) {
    const child = fork(program, [JSON.stringify(what)], { stdio: "inherit" });
    serve(store, child);
    return child;
  },
  threads(what) {
    const gate = newGate();
    return Object.assign(new Worker(program, { workerData: { ...what, gate } }), { gate });
  },
};
const start = KINDS[process.argv[2]];
const store = memory({ reach: "alone" });
serve(store, "numbers", cluster);

const members = [];
/** What is done to a thread; processes get signals. */
const SIGNALS = {
  SIGKILL: (thread) => thread.terminate(),
  SIGSTOP(thread) {
    Atomics.store(thread.gate, 0, 1);
    thread.postMessage("sleep");
  },
  SIGCONT(thread) {
    Atomics.store(thread.gate, 0, 0);
    Atomics.notify(thread.gate, 0);
  },
};

process.on("message", ({ what, i, say, signal, block }) => {
  if (what) {
    const member = start(what);
    members[i] = member;
    process.send({ i, pid: member.process?.pid ?? member.pid });
    // Those between the members and the store stay here.
    member.on("message", (message) => "graupel.lease/1" in Object(message) || process.send({ i, message }));
    member.on("exit", () => process.send({ i, exit: true }));
  }
  const member = members[i];
  if (say) (member.send ?? member.postMessage).call(member, say);
  if (signal) SIGNALS[signal](member);
  if (block) {
    writeFileSync(block, String(Date.now()));
    while (existsSync(block)) Atomics.wait(newGate(), 0, 0, 20);
  }
});
process.on("disconnect", () => process.exit());
process.send("ready");
