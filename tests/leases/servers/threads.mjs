// The memory of a process, for its threads, the workers of its cluster, and processes that it forks. No server, but a process that holders have
// to be started by.

import { fork } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { atExit, temporary } from "../../support/places.mjs";
import { here, importBuilt } from "../lib/places.mjs";
import { until } from "../lib/time.mjs";

export const name = "threads and processes";
export const install = "nothing";

/** The paths of the programs: none is needed. */
export const find = () => [];

/** What is asked, by the kind of those who ask. */
const FROM = { cluster: process, forked: process, threads: "numbers" };

/** A store of one who was started by a primary. */
export async function open({ kind }) {
  const { threads } = await importBuilt("lease/threads");
  return { store: threads(FROM[kind]), close: async () => {} };
}

/** The primaries of this run, and what they have started. */
const primaries = [];

/** Whether a process runs. */
function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** One that a primary has started: as a process is to the one that has forked it. */
class Member extends EventEmitter {
  #primary;
  #i;
  pid = undefined;

  constructor(primary, i) {
    super();
    this.#primary = primary;
    this.#i = i;
  }

  send(say) {
    this.#primary.tell({ i: this.#i, say });
  }

  kill(signal) {
    if (this.#primary.kind === "threads") this.#primary.tell({ i: this.#i, signal });
    else if (isRunning(this.pid)) process.kill(this.pid, signal);
  }
}

/** Starts a holder (lib/crowd.mjs). */
export function startHolder(what) {
  const primary = primaries[what.connection.primary];
  const i = primary.members.length;
  const member = new Member(primary, i);
  primary.members.push(member);
  primary.tell({ i, what });
  return member;
}

/** Starts a process that serves. `kind`: what it starts; workers of a cluster, threads, or processes that outlive it. */
export async function start({ kind = "cluster" } = {}) {
  const members = [];
  const gate = join(temporary("threads"), "blocked");
  let child;

  function hear({ i, pid, message, exit }) {
    const member = members[i];
    member.pid ??= pid;
    if (message) member.emit("message", message);
    if (exit) member.emit("exit");
  }

  /** Members that the primary leaves behind say nothing of their end any more. */
  async function bury(member) {
    await until(() => kind === "threads" || !isRunning(member.pid), "a process outlives its primary");
    member.emit("exit");
  }

  async function again() {
    child = fork(join(here, "lib", "primary.mjs"), [kind], { stdio: "inherit" });
    child.once("message", () => child.on("message", hear));
    const mine = child;
    atExit(() => mine.kill("SIGKILL"));
    await once(child, "message");
  }

  /** It ends without a word to anybody. */
  async function kill() {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    for (const member of members) void bury(member);
  }

  await again();
  const number = primaries.length;
  primaries.push({ kind, members, tell: (message) => child.connected && child.send(message) });
  return {
    connection: () => ({ kind, primary: number }),
    again,
    stop: kill,
    kill,
    /** Its main thread does nothing until `unblock()`. Gives the time since when. */
    async block() {
      child.send({ block: gate });
      await until(() => existsSync(gate) && readFileSync(gate).length > 0, "the main thread goes on");
      return Number(readFileSync(gate, "utf8"));
    },
    unblock: () => rmSync(gate),
  };
}
