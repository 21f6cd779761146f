// Failures of processes and servers. No ID may repeat. Each story can fail: it detects a mistake
// that is planted in the holders.

import { finish, holdingAll, issueOn } from "../lib/crowd.mjs";
import { NUMBERS, seconds, timesOf } from "../lib/judge.mjs";
import { doorTo } from "../lib/proxy.mjs";
import { tale } from "../lib/story.mjs";
import { until, wait } from "../lib/time.mjs";

/**
 * Two hundred leases compete for 32 numbers, with ten leases in each process. Two hundred processes
 * would need 8 GB of memory and a minute of CPU time. etcd and SQLite get fewer leases: there,
 * every request reads all numbers, and SQLite serves one request at a time.
 */
const MANY = { processes: 20, leases: 10 };
const FEWER = { processes: 16, leases: 5 };
const CROWD = { redis: MANY, etcd: FEWER, postgres: MANY, mysql: MANY, sqlite: FEWER };

for (const [server, size] of Object.entries(CROWD)) {
  const name = `${size.processes} processes with ${size.leases} leases each fight for 32 numbers; some are killed, some stand still`;
  tale(server, name, async (it) => {
    const { connection } = await it.begin();
    const all = await it.holders({ connection: connection(), ...size });
    all.kill(...all.richest(4));
    const killed = await all.holding(NUMBERS, "after SIGKILL");
    const asleep = all.richest(4);
    all.sleep(...asleep);
    const stopped = await all.holding(NUMBERS, "after SIGSTOP");
    await wait(timesOf(server).ttlMs);
    all.wake(...asleep);
    const note = `all numbers are held ${seconds(killed)} after SIGKILL, ${seconds(stopped)} after SIGSTOP`;
    return { ...(await finish(1500, undefined, all)), note };
  });
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

for (const server of ["redis", "etcd", "postgres", "mysql"]) {
  const mistakes = { "the interval is not checked": "endless" };
  tale(server, "a cut connection, for longer than the ttl", cutOff, mistakes);
  tale(server, "the server is killed, and keeps its data", restart(true));
}
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
  const first = await it.holders({ ...all, processes: 4, connection: { port: toNew.port } });
  const others = await it.gather({ ...all, connection: { port: toOld.port } });
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

for (const server of ["redis", "postgres"])
  tale(server, "a failover to a replica that has not heard the last writes", failover, {
    "the quarantine is too short for a failover": "hasty",
  });
