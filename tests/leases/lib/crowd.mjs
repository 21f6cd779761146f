// Runs many processes that compete for numbers, collects all the IDs that they issue, and judges
// them.

import { fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { temporary } from "../../support/places.mjs";
import { here, importBuilt } from "./places.mjs";
import { until, wait } from "./time.mjs";

/** Codes that a holder may get while it has no number or is cut off. */
const EXPECTED = new Set(["LEASE_FULL", "LEASE_LOST", "LEASE_STORE", "OUTSIDE_INTERVAL"]);

/** The count of numbers with the same datacenter. */
export const NUMBERS = 32;

/**
 * The times of a lease. etcd's clock only counts seconds. A database on a busy machine may take
 * longer than a third of two seconds, after which a lease retries.
 */
export const timesOf = (server) =>
  server === "redis" || server === "sqlite"
    ? { ttlMs: 2000, quarantineMs: 3000 }
    : { ttlMs: 6000, quarantineMs: 7000 };

/** The minimum number of IDs for a meaningful test. */
export const LEAST = 1000;

/**
 * The repeated IDs, the count of all IDs, and the newest one. `parts`: the IDs as 64-bit integers.
 */
export function repeatedAmong(parts) {
  const all = new BigUint64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  all.sort();
  const repeated = all.filter((id, i) => i > 0 && all[i - 1] === id);
  return { issued: all.length, newest: all.at(-1), repeated };
}

/**
 * Whether enough IDs were issued for the test and, if a mistake is planted, whether an ID was
 * issued twice.
 */
export const isEnough = ({ issued, repeated }, mistake) =>
  issued >= LEAST && (mistake === undefined || repeated.length > 0);

/** Throws if a crowd broke a condition. Returns a remark. */
export function judge({ issued, repeated, codes }) {
  if (repeated.length > 0)
    throw new Error(`${repeated.length} of ${issued} IDs are repeated, such as ${repeated[0]}`);
  if (issued < LEAST) throw new Error(`${issued} IDs are no test`);
  const strange = [...codes].filter((code) => !EXPECTED.has(code));
  if (strange.length > 0) throw new Error(`unexpected: ${strange.join("\n")}`);
  const met = [...codes].sort().join(", ") || "nothing";
  return `${issued} IDs, none twice; refused with ${met}`;
}

/** Throws if a planted mistake caused no duplicates. Returns a remark. */
export function planted({ issued, repeated }) {
  if (repeated.length === 0) throw new Error(`no duplicate in ${issued} IDs`);
  return `${repeated.length} duplicates`;
}

/** The same of the IDs in files. */
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
    /** Waits until this many numbers are held. */
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

/** Waits until the crowds together hold this many numbers. */
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
