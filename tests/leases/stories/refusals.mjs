// The errors of a lease whose server is misconfigured or fails.

import assert from "node:assert/strict";
import { importBuilt, importTool } from "../lib/places.mjs";
import { story } from "../lib/story.mjs";
import { until } from "../lib/time.mjs";

const [{ lease }, { GraupelError, twitter }] = await Promise.all(["lease", "index"].map(importBuilt));

/** Longer than a story may take, so a rejection must come immediately. */
const LONG = { maxWaitMs: 3_600_000 };

/** Checks that a lease is rejected with a matching code and message. */
async function refused(store, options, words, what) {
  const asked = { format: twitter, namespace: "refused", maxWaitMs: 5000, ...options };
  const error = await lease(store, asked).catch((reason) => reason);
  assert.ok(GraupelError.is(error), `${what}: no refusal, but ${error}`);
  assert.match(`${error.code}: ${error.message}`, words, what);
}

story("redis", "a replica is refused, and a server without memory for a new namespace", async (it) => {
  const { port } = await it.begin();
  for (const [args, why] of [
    [["--replicaof", "127.0.0.1", port], /^LEASE_STORE: store: READONLY/],
    [["--maxmemory", "500kb"], /^LEASE_STORE: store: OOM/],
  ]) {
    const { store } = await it.open(await it.begin({ args }));
    await refused(store, { ttlMs: 1000, quarantineMs: 1000 }, why);
  }
});

const quiet = (client) => client.on("error", () => {});
async function clientOf(port) {
  const { default: pg } = await importTool("pg");
  return quiet(new pg.Client({ host: "127.0.0.1", port, user: "postgres" }));
}

/** By server: what the error advises if a client was closed, and clients that are not connected. */
const UNCONNECTED = {
  postgres: {
    advice: /open another one/,
    unopened: {
      "pg, without connect()": clientOf,
      async "pg, whose connect() failed"() {
        const client = await clientOf(1);
        await client.connect().catch(() => {});
        return client;
      },
    },
    over: {
      async "pg, cut off"(port) {
        const client = await clientOf(port);
        await client.connect();
        client.connection.stream.destroy();
        await new Promise((done) => client.once("end", done));
        return client;
      },
    },
  },
  mysql: { advice: /open another one/ },
  redis: {
    advice: /await client\.connect\(\)/,
    unopened: Object.fromEntries(
      ["redis", "redis-5", "redis-4"].map((tool) => [
        `${tool}, without connect()`,
        async (port) => quiet((await importTool(tool)).createClient({ socket: { port } })),
      ]),
    ),
  },
};

for (const [server, { advice, unopened = {}, over = {} }] of Object.entries(UNCONNECTED)) {
  story(server, "a client that is not connected, or closed, is refused at once", async (it) => {
    const running = await it.begin();
    const { [server]: storeOf } = await importBuilt(`lease/${server}`);
    const { clients } = await import(`../servers/${server}.mjs`);
    for (const client of clients) {
      const { store, close } = await running.connect({ client });
      await close();
      await refused(store, LONG, new RegExp(`^LEASE_STORE: store: .*${advice.source}`), `${client}, closed`);
    }
    for (const [made, words] of [
      [unopened, /^LEASE_STORE: store: .*await client\.connect\(\)/],
      [over, /^LEASE_STORE: store: .*; open another one/],
    ])
      for (const [what, make] of Object.entries(made))
        await refused(storeOf(await make(running.port)), LONG, words, what);
    return clients.join(", ");
  });
}

story("redis", "a primary that is cut off, and told to write nothing alone", async (it) => {
  const { replicaOf } = await import("../servers/redis.mjs");
  const times = { ttlMs: 3000, quarantineMs: 15_000, ...LONG };
  const options = { format: twitter, fixed: { datacenterId: 0, workerId: 0 }, ...times };
  const isHeld = ({ status }) => status.state === "held";
  async function cutOff(namespace, args) {
    const primary = await it.begin({ args });
    const replica = await replicaOf(primary.port);
    it.afterwards(replica.kill);
    await until(replica.follows, "the replica does not follow");
    const take = async (server) => {
      const { store } = await it.open(server);
      const worker = await lease(store, { ...options, namespace });
      it.afterwards(() => worker.release().catch(() => {}));
      return worker;
    };
    const first = await take(primary);
    const { warnings } = first.status;
    // The old primary is not notified. A process on its side keeps querying it.
    await replica.takeOver();
    return { first, second: await take(replica), warnings };
  }
  const lag = ["--min-replicas-max-lag", "1", "--repl-ping-replica-period", "1"];
  // Run both concurrently, because each waits for a quarantine.
  const [alone, never] = await Promise.all([
    cutOff("alone", []),
    cutOff("never", ["--min-replicas-to-write", "1", ...lag]),
  ]);
  assert.ok(!isHeld(never.first), "both hold the number");
  assert.deepEqual(never.warnings, []);
  // Without the setting, both hold the same number, as the warning in the status says.
  await until(() => isHeld(alone.first) && isHeld(alone.second), "both hold the number");
  assert.equal(alone.warnings.length, 1);
  assert.match(alone.warnings[0], /min-replicas-to-write 1/);
});
