// Many processes that want numbers, and all the IDs that they have issued together.

import { fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { atExit, temporary } from "../../support/places.mjs";
import { LEAST, repeatedAmong } from "./judge.mjs";
import { here, importBuilt } from "./places.mjs";
import { until, wait } from "./time.mjs";

/** What is in the files (judge.mjs). */
export function repeatedIn(files) {
  const parts = files.map((file) => {
    const bytes = readFileSync(file);
    // A killed process may have left part of one.
    return new BigUint64Array(
      bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length - (bytes.length % 8)),
    );
  });
  return repeatedAmong(parts);
}

/** A process of its own. */
const forked = (what, execPath) =>
  fork(join(here, "lib", "holder.mjs"), [JSON.stringify(what)], { execPath, stdio: "inherit" });

/**
 * Starts processes with some leases each. `server`, `connection`: what they open (servers/). `lease`: options of each lease. `mistake`: what
 * is wrong with them (mistakes.mjs). They run in the `program` of the server's file, if it has one, are started by its `startHolder`, and
 * stand still by its `halt`.
 */
export async function crowd({ server, connection, processes, leases, lease, mistake }) {
  const folder = temporary("issued");
  const {
    program = () => process.execPath,
    startHolder = forked,
    halt = (child) => child.kill("SIGSTOP"),
  } = await import(`../servers/${server}.mjs`);
  const execPath = await program();
  const codes = new Set();
  const members = Array.from({ length: processes }, (_, i) => {
    const file = join(folder, String(i));
    const what = { server, connection, leases, lease, file, mistake };
    const child = startHolder(what, execPath);
    const member = { child, file, isReady: false, isAlive: true, isAwake: true, held: new Map() };
    child.on("exit", () => {
      member.isAlive = false;
    });
    child.on("message", (message) => {
      if (message === "ready") member.isReady = true;
      else if (message.codes) for (const code of message.codes) codes.add(code);
      else if (message.number === null) member.held.delete(message.lease);
      else member.held.set(message.lease, message.number);
    });
    return member;
  });
  const end = () => {
    for (const { child } of members) child.kill("SIGKILL");
  };
  atExit(end);
  await until(
    () => members.every(({ isReady, isAlive }) => isReady || !isAlive),
    "processes have not started",
  );
  if (!members.every(({ isAlive }) => isAlive)) throw new Error("a process has ended at its start");
  for (const { child } of members) child.send("go");

  const self = {
    members,
    codes,
    /** The leases that hold a number, of processes that can use it. */
    held: () =>
      members.reduce((sum, { isAlive, isAwake, held }) => sum + (isAlive && isAwake ? held.size : 0), 0),
    /** Waits until so many leases hold a number. */
    holding: (count, what) =>
      until(
        () => self.held() >= count,
        () => `${what}: ${self.held()} of ${count} numbers are held`,
      ),
    /** Those who hold the most, first. */
    richest: () =>
      members.filter(({ isAlive, isAwake }) => isAlive && isAwake).sort((a, b) => b.held.size - a.held.size),
    kill: (member) => {
      member.isAlive = false;
      member.child.kill("SIGKILL");
    },
    sleep(member) {
      member.isAwake = false;
      halt(member.child);
    },
    wake(member) {
      member.isAwake = true;
      member.child.kill("SIGCONT");
    },
    /** Waits until nothing is issued any more. Gives the time of the newest ID. */
    async silence() {
      const issued = () => repeatedIn(members.map(({ file }) => file));
      const isSilent = async () => {
        const before = issued().issued;
        await wait(500);
        return issued().issued === before;
      };
      await until(isSilent, "IDs are still issued");
      const { twitter } = await importBuilt("index");
      return Number(twitter.inspect(issued().newest).timestamp);
    },
    end,
  };
  return self;
}

/** Lets crowds issue for a while: so many IDs that they are a test, and, with a mistake planted, until an ID is there twice. */
export async function issueOn(ms, mistake, ...crowds) {
  await wait(ms);
  const files = crowds.flatMap(({ members }) => members.map(({ file }) => file));
  const isEnough = ({ issued, repeated }) =>
    issued >= LEAST && (mistake === undefined || repeated.length > 0);
  await until(
    () => isEnough(repeatedIn(files)),
    () =>
      `${repeatedIn(files).issued} IDs, and ${mistake ? "the planted mistake does not show itself" : "no more"}`,
  );
}

/** Ends crowds in order. Gives all that they have issued together, and the codes that they were refused with. */
export async function finish(...crowds) {
  const members = crowds.flatMap((one) => one.members);
  const alive = members.filter(({ isAlive }) => isAlive);
  for (const { child } of alive) child.send("stop");
  await until(() => alive.every(({ isAlive }) => !isAlive), "processes have not stopped");
  const codes = new Set(crowds.flatMap((one) => [...one.codes]));
  return { ...repeatedIn(members.map(({ file }) => file)), codes };
}
