// Each store passes the exported suite on a real server with each client.

import { importBuilt } from "../lib/places.mjs";
import { story } from "../lib/story.mjs";
import { until } from "../lib/time.mjs";

/**
 * `ttlMs`: a short ttl that works for the store: etcd's clock only counts seconds, and a SQL
 * database serves many clients at once. `durable`: the kinds of store. Behind PgBouncer the
 * statements are those of PostgreSQL, and the durable store adds one to each grant.
 */
const SUITES = {
  redis: { ttlMs: 1500, durable: [true, false] },
  etcd: { ttlMs: 3000, durable: [false] },
  postgres: { ttlMs: 2000, durable: [true, false] },
  pgbouncer: { ttlMs: 2000, durable: [true] },
  mysql: { ttlMs: 4000, durable: [true, false] },
};

/**
 * Checks of which number is granted first. On MariaDB, a statement skips a row that another one
 * locks and takes another number. The locked row may also be the next one in the index. So these
 * checks run one by one after all others, with a shorter ttl.
 */
const QUIET = new Set([
  "a released number is granted before an expired one",
  "a long random story agrees with the rules",
]);
const QUIET_TTL_MS = 500;

/** Runs all checks with these clients, concurrently if possible, and returns their number. */
async function check(it, running, clients) {
  const { checks } = await importBuilt("lease/conformance");
  const failed = [];
  const quiet = [];
  let count = 0;
  const isQuiet = ({ name }) => it.server === "mysql" && QUIET.has(name);
  async function run(client) {
    const { store } = await it.open(running, { client });
    const tryOne = async ({ name, run }) => {
      count++;
      await run().catch((error) => failed.push(`${client}: ${name}: ${error.message || error.stack}`));
    };
    for (const one of checks(store, { ttlMs: QUIET_TTL_MS }).filter(isQuiet)) quiet.push(() => tryOne(one));
    const others = checks(store, { ttlMs: SUITES[it.server].ttlMs }).filter((one) => !isQuiet(one));
    await Promise.all(others.map(tryOne));
  }
  await Promise.all(clients.map(run));
  if (it.server === "mysql" && quiet.length !== QUIET.size * clients.length)
    throw new Error("a quiet check has another name");
  for (const one of quiet) await one();
  if (failed.length > 0) throw new Error(failed.join("\n"));
  return count;
}

for (const [server, { durable }] of Object.entries(SUITES))
  story(server, "the conformance suite, with each client", async (it) => {
    const { clients } = await import(`../servers/${server}.mjs`);
    let count = 0;
    // All clients run the same statements, so one of them is enough for the second kind of store.
    for (const [i, isDurable] of durable.entries())
      count += await check(
        it,
        await it.begin({ durable: isDurable }),
        i === 0 ? clients : clients.slice(0, 1),
      );
    return `${count} checks with ${clients.length} clients`;
  });

story("redis", "the conformance suite in a cluster", async (it) => {
  const args = ["--cluster-enabled", "yes", "--cluster-announce-ip", "127.0.0.1"];
  const running = await it.begin({ args });
  const { raw } = await it.open(running);
  await raw.sendCommand(["CLUSTER", "ADDSLOTSRANGE", "0", "16383"]);
  const isUp = async () => (await raw.sendCommand(["CLUSTER", "INFO"])).includes("cluster_state:ok");
  await until(isUp, "the cluster is not there");
  return `${await check(it, running, ["node-redis cluster", "ioredis cluster"])} checks`;
});
