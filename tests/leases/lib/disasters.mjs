// What happens between processes and servers. Each gives what was issued; with a mistake planted in the holders (mistakes.mjs), it has to
// show it.

import { open as openRedis } from "../servers/redis.mjs";
import { crowd, finish, issueOn } from "./crowd.mjs";
import { NUMBERS, TIMES } from "./judge.mjs";
import { doorTo } from "./proxy.mjs";
import { until, wait } from "./time.mjs";

/**
 * A primary that was deposed answers this long, in milliseconds: less than the quarantine is longer than the ttl, by so much that a busy
 * machine ends it in time; and so long that a quarantine which is too short shows itself.
 */
const DEPOSED_MS = 5000;
const FAILOVER = { ttlMs: 2000, quarantineMs: 13_000 };

/** Starts a server, until the story ends. */
export async function begin(server, afterwards, options) {
  const { start } = await import(`../servers/${server}.mjs`);
  const running = await start(options);
  afterwards(running.kill);
  return running;
}

/** Connects with a client, until the story ends. */
export async function connectTo(running, afterwards, client) {
  const connected = await running.connect({ client });
  afterwards(connected.close);
  return connected;
}

/** What all crowds here have in common: they are as many as the numbers. */
const few = (server, mistake, times = TIMES[server]) => {
  return { server, processes: 2, leases: NUMBERS / 2, lease: { namespace: "orders", ...times }, mistake };
};

/** A crowd, which ends with the story. */
export async function gather(what, afterwards) {
  const all = await crowd(what);
  afterwards(all.end);
  return all;
}

/** A crowd that holds all numbers. */
export async function holders(what, afterwards) {
  const all = await gather(what, afterwards);
  await all.holding(NUMBERS, "after the start");
  return all;
}

/** Waits until crowds hold all numbers together. */
function holdingAll(what, ...crowds) {
  const held = () => crowds.reduce((sum, one) => sum + one.held(), 0);
  return until(
    () => held() >= NUMBERS,
    () => `${what}: ${held()} numbers are held`,
  );
}

/** Those who hold all numbers are cut off from the server for longer than the ttl, and others get the numbers meanwhile. */
export async function cutOff(server, afterwards, mistake) {
  const { connection, port } = await begin(server, afterwards);
  const door = await doorTo(port);
  afterwards(door.close);
  const all = few(server, mistake);
  const behind = await holders({ ...all, connection: { ...connection(), port: door.port } }, afterwards);
  const others = await gather({ ...all, connection: connection() }, afterwards);
  door.shut(true);
  await others.holding(NUMBERS, "in front of the door");
  await issueOn(500, mistake, behind, others);
  door.shut(false);
  door.cut();
  await wait(1000);
  return finish(behind, others);
}

/**
 * A replica hears nothing any more. Holders die, and others get their numbers, of which the replica does not know; then it takes the
 * primary's place, which answers some of them for a while.
 */
export async function failover(server, afterwards, mistake) {
  const primary = await begin(server, afterwards);
  const doors = [];
  for (let i = 0; i < 3; i++) {
    doors.push(await doorTo(primary.port));
    afterwards(doors[i].close);
  }
  const [link, toNew, toOld] = doors;
  const { replicaOf } = await import(`../servers/${server}.mjs`);
  const replica = await replicaOf(link.port);
  afterwards(replica.kill);
  await until(replica.follows, "the replica does not follow");
  const all = few(server, mistake, FAILOVER);
  const first = await holders({ ...all, processes: 4, connection: { port: toNew.port } }, afterwards);
  const others = await gather({ ...all, connection: { port: toOld.port } }, afterwards);
  link.shut(true);
  for (const member of first.richest().slice(0, 2)) first.kill(member);
  await others.holding(4, "of the dead");
  await replica.takeOver();
  toNew.cut(replica.port);
  await wait(DEPOSED_MS);
  await primary.kill();
  toOld.cut(replica.port);
  await holdingAll("after the failover", first, others);
  await issueOn(1500, mistake, first, others);
  return finish(first, others);
}

/** The server forgets all. Others want numbers, too. */
export async function flush(server, afterwards) {
  const { connection, port } = await begin(server, afterwards);
  const all = { ...few(server), connection: connection() };
  const first = await holders(all, afterwards);
  const others = await gather(all, afterwards);
  const { raw, close } = await openRedis({ port });
  afterwards(close);
  const asleep = first.richest()[0];
  first.sleep(asleep);
  await raw.sendCommand(["FLUSHALL"]);
  await holdingAll("after FLUSHALL", first, others);
  first.wake(asleep);
  await issueOn(1500, undefined, first, others);
  return finish(first, others);
}

/** The server is killed, and starts again: at once, and after more than a ttl. `silent`: whether no ID is of a time when all intervals were over. */
export async function restart(server, afterwards, kind = { durable: true }) {
  const running = await begin(server, afterwards, kind);
  const all = await holders({ ...few(server), connection: running.connection() }, afterwards);
  const { ttlMs, quarantineMs } = TIMES[server];
  await running.kill();
  await running.again();
  await wait(ttlMs);
  await all.holding(NUMBERS, "after a restart");
  await running.kill();
  const killed = Date.now();
  await wait(2 * ttlMs);
  const silent = (await all.silence()) <= killed + quarantineMs;
  await running.again();
  await all.holding(NUMBERS, "after a long restart");
  await issueOn(500, undefined, all);
  return { ...(await finish(all)), silent };
}
