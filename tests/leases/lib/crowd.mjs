// Runs many processes that compete for numbers, and collects all the IDs that they issue.

import { fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { temporary } from "../../support/places.mjs";
import { isEnough, NUMBERS, repeatedAmong, timesOf } from "./judge.mjs";
import { here, importBuilt } from "./places.mjs";
import { until, wait } from "./time.mjs";

/** Summarizes the IDs in the files (judge.mjs). */
export function repeatedIn(files) {
  const parts = files.map((file) => {
    const { buffer, byteOffset: from, byteLength } = readFileSync(file);
    // A killed process may have written an incomplete ID.
    return new BigUint64Array(buffer.slice(from, from + byteLength - (byteLength % 8)));
  });
  return repeatedAmong(parts);
}

/**
 * Starts processes with several leases each. `server`, `connection`: what they open (servers/).
 * `lease`: the options of each lease. `mistake`: the mistake planted in them (mistakes.mjs). If the
 * server's file exports `program` or `halt`, the processes run in that program and are stopped with
 * that function.
 */
export async function gather({ server, processes, lease, ...rest }, afterwards) {
  const folder = temporary("issued");
  const { program = () => process.execPath, halt = (child) => child.kill("SIGSTOP") } = await import(
    `../servers/${server}.mjs`
  );
  const execPath = await program();
  const codes = new Set();
  const options = { namespace: "orders", ...timesOf(server), ...lease };
  const members = Array.from({ length: processes }, (_, i) => {
    const file = join(folder, String(i));
    const what = JSON.stringify({ server, lease: options, file, ...rest });
    const child = fork(join(here, "lib", "holder.mjs"), [what], { execPath, stdio: "inherit" });
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
  afterwards(() => self.kill(...members));
  const areThere = () => members.every(({ isReady, isAlive }) => isReady || !isAlive);
  await until(areThere, "processes have not started");
  if (!members.every(({ isAlive }) => isAlive)) throw new Error("a process has ended at its start");
  for (const { child } of members) child.send("go");
  const present = () => members.filter(({ isAlive, isAwake }) => isAlive && isAwake);
  const self = {
    ...{ members, codes },
    /** The number of numbers held by running processes. */
    held: () => present().reduce((sum, { held }) => sum + held.size, 0),
    /** Waits until this many numbers are held. Returns the milliseconds it took. */
    holding: (count, what) => holding(count, what, self),
    /** The processes with the most numbers, in descending order. */
    richest: (count) =>
      present()
        .sort((a, b) => b.held.size - a.held.size)
        .slice(0, count),
    kill(...some) {
      for (const member of some) {
        member.isAlive = false;
        member.child.kill("SIGKILL");
      }
    },
    sleep(...some) {
      for (const member of some) {
        member.isAwake = false;
        halt(member.child);
      }
    },
    wake(...some) {
      for (const member of some) {
        member.isAwake = true;
        member.child.kill("SIGCONT");
      }
    },
    /** Waits until no more IDs are issued. Fails if an ID is later than `time`. */
    async silentAfter(time) {
      const issued = () => repeatedIn(members.map(({ file }) => file));
      const isSilent = async () => {
        const before = issued().issued;
        await wait(500);
        return issued().issued === before;
      };
      await until(isSilent, "IDs are still issued");
      const { twitter } = await importBuilt("index");
      const newest = Number(twitter.inspect(issued().newest).timestamp);
      if (newest > time)
        throw new Error(`IDs were issued ${newest - time} ms after the end of all intervals`);
    },
  };
  return self;
}

/** Waits until the crowds together hold this many numbers. Returns the milliseconds it took. */
export function holding(count, what, ...crowds) {
  const held = () => crowds.reduce((sum, one) => sum + one.held(), 0);
  return until(
    () => held() >= count,
    () => `${what}: ${held()} of ${count} numbers are held`,
  );
}
export const holdingAll = (what, ...crowds) => holding(NUMBERS, what, ...crowds);

/**
 * Lets crowds issue IDs for a while, until there are enough for the test and, if a mistake is
 * planted, until there is a duplicate.
 */
export async function issueOn(ms, mistake, ...crowds) {
  await wait(ms);
  const files = crowds.flatMap(({ members }) => members.map(({ file }) => file));
  const missing = mistake ? "the planted mistake does not show itself" : "no more";
  await until(
    () => isEnough(repeatedIn(files), mistake),
    () => `${repeatedIn(files).issued} IDs, and ${missing}`,
  );
}

/** Lets crowds issue IDs, then stops them in order. Returns all issued IDs and the error codes. */
export async function finish(ms, mistake, ...crowds) {
  await issueOn(ms, mistake, ...crowds);
  const members = crowds.flatMap((one) => one.members);
  const alive = members.filter(({ isAlive }) => isAlive);
  for (const { child } of alive) child.send("stop");
  await until(() => alive.every(({ isAlive }) => !isAlive), "processes have not stopped");
  const codes = new Set(crowds.flatMap((one) => [...one.codes]));
  return { ...repeatedIn(members.map(({ file }) => file)), codes };
}
