// What happens between processes and servers. Each gives what was issued; with a mistake planted in the holders (mistakes.mjs), it has to
// show it.

import { open as openRedis } from "../servers/redis.mjs";
import { crowd, finish } from "./crowd.mjs";
import { comesBackMs, NUMBERS, TIMES } from "./judge.mjs";
import { doorTo } from "./proxy.mjs";
import { until, wait } from "./time.mjs";

/** A primary that was deposed answers this long, in milliseconds: less than the quarantine is longer than the ttl. */
const DEPOSED_MS = 800;

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
const few = (server, mistake) => {
  return {
    server,
    processes: 2,
    leases: NUMBERS / 2,
    lease: { namespace: "orders", ...TIMES[server] },
    mistake,
  };
};

/** A crowd that holds all numbers. */
async function holders(server, connection, afterwards, mistake, processes = 2) {
  const all = await crowd({ ...few(server, mistake), processes, connection });
  afterwards(all.end);
  await all.holding(NUMBERS, TIMES[server].quarantineMs + comesBackMs(server), "after the start");
  return all;
}

/** Those who hold all numbers are cut off from the server for longer than the ttl, and others get the numbers meanwhile. */
export async function cutOff(server, afterwards, mistake) {
  const { connection, port } = await begin(server, afterwards);
  const door = await doorTo(port);
  afterwards(door.close);
  const behind = await holders(server, { ...connection(), port: door.port }, afterwards, mistake);
  const others = await crowd({ ...few(server, mistake), connection: connection() });
  afterwards(others.end);
  door.shut(true);
  await others.holding(NUMBERS, comesBackMs(server), "in front of the door");
  await wait(500);
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
  await until(replica.follows, 20_000, "the replica does not follow");
  const first = await holders(server, { port: toNew.port }, afterwards, mistake, 4);
  const others = await crowd({ ...few(server, mistake), connection: { port: toOld.port } });
  afterwards(others.end);
  link.shut(true);
  for (const member of first.richest().slice(0, 2)) first.kill(member);
  await until(() => others.held() >= 4, comesBackMs(server), "nobody takes the numbers of the dead");
  await replica.takeOver();
  toNew.cut(replica.port);
  await wait(DEPOSED_MS);
  await primary.kill();
  toOld.cut(replica.port);
  const all = () => first.held() + others.held();
  await until(
    () => all() >= NUMBERS,
    2 * comesBackMs(server),
    () => `${all()} numbers are held after the failover`,
  );
  await wait(1500);
  return finish(first, others);
}

/** The server forgets all. Others want numbers, too. */
export async function flush(server, afterwards, mistake) {
  const { connection, port } = await begin(server, afterwards);
  const first = await holders(server, connection(), afterwards, mistake);
  const others = await crowd({ ...few(server, mistake), connection: connection() });
  afterwards(others.end);
  const { raw, close } = await openRedis({ port });
  afterwards(close);
  const asleep = first.richest()[0];
  first.sleep(asleep);
  await raw.sendCommand(["FLUSHALL"]);
  const all = () => first.held() + others.held();
  await until(
    () => all() >= NUMBERS,
    comesBackMs(server),
    () => `${all()} numbers are held after FLUSHALL`,
  );
  first.wake(asleep);
  await wait(1500);
  return finish(first, others);
}

/** The server is killed, and starts again: at once, and after more than a ttl. `silent`: whether nothing was issued when all intervals were over. */
export async function restart(server, afterwards, mistake, kind = { durable: true }) {
  const running = await begin(server, afterwards, kind);
  const all = await holders(server, running.connection(), afterwards, mistake);
  const { ttlMs } = TIMES[server];
  await running.kill();
  await running.again();
  await wait(ttlMs);
  await all.holding(NUMBERS, comesBackMs(server, kind.durable ?? true), "after a restart");
  await running.kill();
  await wait(2 * ttlMs);
  const before = all.issued();
  await wait(500);
  const silent = all.issued() === before;
  await running.again();
  await all.holding(NUMBERS, comesBackMs(server, kind.durable ?? true), "after a long restart");
  return { ...(await finish(all)), silent };
}
