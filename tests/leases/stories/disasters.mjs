// Failures of processes and servers. No ID may repeat. Each story can fail: it detects a mistake
// that is planted in the holders.

import { connect, createServer } from "node:net";
import { crowd } from "../../../bench/duel/numbering/crowd.mjs";
import { numbering } from "../../../bench/duel/stories.mjs";
import { finish, holdingAll, issueOn, NUMBERS, timesOf } from "../lib/crowd.mjs";
import { story, tale } from "../lib/story.mjs";
import { until, wait } from "../lib/time.mjs";

/**
 * Eighty leases compete for 32 numbers, with five leases in each process. More processes would need
 * gigabytes of memory, and keep two processors busy for a minute.
 */
const CROWD = { processes: 16, leases: 5 };

for (const server of ["redis", "etcd", "postgres", "mysql", "sqlite"]) {
  const name = "80 leases compete for 32 numbers; some processes are killed, some are paused";
  tale(server, name, async (it) => {
    const { connection } = await it.begin();
    const all = await it.holders({ connection: connection(), ...CROWD });
    all.kill(...all.richest(4));
    await all.holding(NUMBERS, "after SIGKILL");
    const asleep = all.richest(4);
    all.sleep(...asleep);
    await all.holding(NUMBERS, "after SIGSTOP");
    await wait(timesOf(server).ttlMs);
    all.wake(...asleep);
    return finish(1500, undefined, all);
  });
}

/**
 * A proxy in front of a server, on its own port. It can be shut, and redirected to another server.
 */
async function doorTo(port) {
  /** Both ends of each connection. */
  const ends = new Set();
  let target = port;
  let isShut = false;
  const turn = (end) => (isShut ? end.pause() : end.resume());

  const server = createServer((near) => {
    const far = connect(target, "127.0.0.1");
    for (const [one, other] of [
      [near, far],
      [far, near],
    ]) {
      const end = () => {
        ends.delete(one);
        other.destroy();
      };
      ends.add(one);
      one.on("error", end).on("close", end);
      one.on("data", (bytes) => other.write(bytes));
      if (isShut) turn(one);
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));

  /** Closes all connections. New connections go to `to`. */
  function cut(to = target) {
    target = to;
    for (const end of ends) end.destroy();
  }
  return {
    port: server.address().port,
    /** Blocks or unblocks all traffic. A blocked connection stays open. */
    shut(shut) {
      isShut = shut;
      ends.forEach(turn);
    },
    cut,
    close() {
      cut();
      server.close();
    },
  };
}

/**
 * The holders of all numbers are cut off from the server for longer than the ttl, while others get
 * the numbers.
 */
async function cutOff(it, mistake) {
  const { connection, port } = await it.begin();
  const door = await doorTo(port);
  it.afterwards(door.close);
  const behind = await it.holders({ connection: connection({ port: door.port }), mistake });
  const others = await it.gather({ connection: connection(), mistake });
  door.shut(true);
  await others.holding(NUMBERS, "in front of the door");
  await issueOn(500, mistake, behind, others);
  door.shut(false);
  door.cut();
  return finish(1000, mistake, behind, others);
}

/**
 * The server is killed and restarted twice: immediately, and after more than a ttl, in which all
 * intervals end.
 */
const restart = (durable) => async (it) => {
  const running = await it.begin({ durable });
  const all = await it.holders({ connection: running.connection() });
  const { ttlMs, quarantineMs } = timesOf(it.server);
  await running.kill();
  await running.again();
  await wait(ttlMs);
  await all.holding(NUMBERS, "after a restart");
  await running.kill();
  const killed = Date.now();
  await wait(2 * ttlMs);
  await all.silentAfter(killed + quarantineMs);
  await running.again();
  await all.holding(NUMBERS, "after a long restart");
  return finish(500, undefined, all);
};

// The holder itself observes its interval, so one server is enough.
tale("redis", "a cut connection, for longer than the ttl", cutOff, {
  "the interval is not checked": "endless",
});
for (const server of ["redis", "etcd", "postgres", "mysql"])
  tale(server, "the server is killed, and keeps its data", restart(true));
tale("redis", "the server is killed, and all is lost", restart(false));

/**
 * How long a deposed primary still answers, in milliseconds. This is shorter than the difference
 * between the quarantine and the ttl, with enough margin for a busy machine, and long enough to
 * expose a quarantine that is too short.
 */
const DEPOSED_MS = 5000;
const FAILOVER = { ttlMs: 2000, quarantineMs: 13_000 };

/**
 * The replica stops receiving updates. Holders die, and others get their numbers, which the replica
 * does not learn of. Then it is promoted, while the old primary still answers some processes for a
 * while.
 */
async function failover(it, mistake) {
  const primary = await it.begin();
  const door = async () => {
    const made = await doorTo(primary.port);
    it.afterwards(made.close);
    return made;
  };
  const [link, toNew, toOld] = [await door(), await door(), await door()];
  const replica = await (await import(`../servers/${it.server}.mjs`)).replicaOf(link.port);
  it.afterwards(replica.kill);
  await until(replica.follows, "the replica does not follow");
  const all = { lease: FAILOVER, mistake };
  const first = await it.holders({ ...all, processes: 4, leases: 8, connection: { port: toNew.port } });
  const others = await it.gather({ ...all, leases: 8, connection: { port: toOld.port } });
  link.shut(true);
  first.kill(...first.richest(2));
  await others.holding(4, "of the dead");
  await replica.takeOver();
  toNew.cut(replica.port);
  await wait(DEPOSED_MS);
  await primary.kill();
  toOld.cut(replica.port);
  await holdingAll("after the failover", first, others);
  return finish(1500, mistake, first, others);
}

const FAILED_OVER = "a failover to a replica that has not heard the last writes";
tale("redis", FAILED_OVER, failover, { "the quarantine is too short for a failover": "hasty" });
tale("postgres", FAILED_OVER, failover);

// The short form of the duel's numbering stories (bench/duel/numbering): one round. `npm run duel
// -- --story number` plays three.

/** A process pauses for longer than the timeout. */
const [paused] = numbering.stories;

story("redis", "the duel: if a process is paused, a lease repeats nothing, and a lock does", async () => {
  const play = (name) => crowd({ name }, { ...paused, rounds: 1 });
  const [lease, lock] = await Promise.all(["graupel lease", "SETNX and EXPIRE"].map(play));
  for (const { issued } of [lease, lock]) if (issued < 10_000) throw new Error(`${issued} IDs are no test`);
  if (lease.duplicates > 0 || lock.duplicates === 0)
    throw new Error(`${lease.duplicates} and ${lock.duplicates} IDs are repeated`);
  return `${lock.duplicates} of ${lock.issued} IDs of the lock twice`;
});
