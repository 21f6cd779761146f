// Each store passes the exported suite on a real server, with each client.

import { begin } from "../lib/disasters.mjs";
import { importBuilt } from "../lib/places.mjs";
import { story } from "../lib/story.mjs";
import { until } from "../lib/time.mjs";

/** A short time to live that a store can be checked with: etcd's clock has seconds only, and a SQL database many clients at once. */
const TTL_MS = { redis: 1500, etcd: 3000, postgres: 2000, pgbouncer: 2000, mysql: 4000 };

const BOTH = [{ durable: false }, { durable: true }];
const KINDS = { redis: BOTH, etcd: [{}], postgres: BOTH, pgbouncer: BOTH, mysql: BOTH };

/**
 * Checks of which number is granted first. A statement on MariaDB does not wait for a row that another one locks, which may be the next
 * one in the index: it takes another number. So there they run when all other calls have been answered, one by one.
 */
const QUIET = new Set([
  "a released number is granted before an expired one",
  "a long random story agrees with the rules",
]);
/** Nothing else runs then, so their time to live may be short. */
const QUIET_TTL_MS = 500;

/** Runs all checks with all clients, at the same time but for those that must be quiet: they mostly wait. Gives how many there were. */
async function check(server, { open, connection }, clients, afterwards) {
  const { checks } = await importBuilt("lease/conformance");
  const failed = [];
  const quiet = [];
  let count = 0;
  async function run(client) {
    const { store, close } = await open(connection({ client }));
    afterwards(close);
    const tryOne = async ({ name, run }) => {
      count++;
      await run().catch(({ message }) => failed.push(`${client}: ${name}: ${message}`));
    };
    const isQuiet = ({ name }) => server === "mysql" && QUIET.has(name);
    for (const one of checks(store, { ttlMs: QUIET_TTL_MS }).filter(isQuiet)) quiet.push(() => tryOne(one));
    await Promise.all(
      checks(store, { ttlMs: TTL_MS[server] })
        .filter((one) => !isQuiet(one))
        .map(tryOne),
    );
  }
  await Promise.all(clients.map(run));
  if (server === "mysql" && quiet.length !== QUIET.size * clients.length)
    throw new Error("a quiet check has another name");
  for (const one of quiet) await one();
  if (failed.length > 0) throw new Error(failed.join("\n"));
  return count;
}

for (const [server, kinds] of Object.entries(KINDS)) {
  story(server, "the conformance suite, with each client", async (afterwards) => {
    const { clients, open } = await import(`../servers/${server}.mjs`);
    let count = 0;
    for (const kind of kinds) {
      const { connection } = await begin(server, afterwards, kind);
      count += await check(server, { open, connection }, clients, afterwards);
    }
    return `${count} checks with ${clients.length} clients`;
  });
}

story("redis", "the conformance suite in a cluster", async (afterwards) => {
  const { open } = await import("../servers/redis.mjs");
  const { connection } = await begin("redis", afterwards, {
    args: ["--cluster-enabled", "yes", "--cluster-announce-ip", "127.0.0.1"],
  });
  const { raw, close } = await open(connection());
  afterwards(close);
  await raw.sendCommand(["CLUSTER", "ADDSLOTSRANGE", "0", "16383"]);
  const isUp = async () => (await raw.sendCommand(["CLUSTER", "INFO"])).includes("cluster_state:ok");
  await until(isUp, "the cluster is not there");
  const clients = ["node-redis cluster", "ioredis cluster"];
  const count = await check("redis", { open, connection }, clients, afterwards);
  return `${count} checks`;
});
