// The memory of a process, for its threads, the workers of its cluster, and processes that it forks. No server, but a process that holders have
// to be started by.

import { fork } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { atExit, temporary } from "../../support/places.mjs";
import { here, importBuilt } from "../lib/places.mjs";
import { until } from "../lib/time.mjs";

export const install = "nothing";
export const find = () => [];

/** A store of one who was started by a primary: what is asked, by the kind of those who ask. */
export async function open({ kind }) {
  const { threads } = await importBuilt("lease/threads");
  return { store: threads(kind === "threads" ? "numbers" : process), close: async () => {} };
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

/** Starts a holder (lib/crowd.mjs) by a primary: as a process is to the one that has forked it. */
export function startHolder(what) {
  const { kind, members, tell } = primaries[what.connection.primary];
  const i = members.length;
  const member = Object.assign(new EventEmitter(), {
    send: (say) => tell({ i, say }),
    kill(signal) {
      if (kind === "threads") tell({ i, signal });
      else if (isRunning(member.pid)) process.kill(member.pid, signal);
    },
  });
  members.push(member);
  tell({ i, what });
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
    const mine = fork(join(here, "lib", "primary.mjs"), [kind], { stdio: "inherit" });
    child = mine;
    child.once("message", () => mine.on("message", hear));
    atExit(() => mine.kill("SIGKILL"));
    await once(child, "message");
  }

  await again();
  const primary = primaries.length;
  primaries.push({ kind, members, tell: (message) => child.connected && child.send(message) });
  return {
    connection: () => ({ kind, primary }),
    again,
    /** It ends without a word to anybody. */
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      for (const member of members) void bury(member);
    },
    /** Its main thread does nothing until `unblock()`. Gives the time since when. */
    async block() {
      child.send({ block: gate });
      await until(() => existsSync(gate) && readFileSync(gate).length > 0, "the main thread goes on");
      return Number(readFileSync(gate, "utf8"));
    },
    unblock: () => rmSync(gate),
  };
}
