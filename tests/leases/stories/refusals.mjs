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

/**
 * Makes a client of a library and ignores its error events. `close`: closes the client after it has
 * connected.
 */
const maker = (tool, name, options, close) => async (port) => {
  const library = await importTool(tool);
  const make = library[name] ?? library.default[name] ?? library.default;
  const all = { host: "127.0.0.1", port, ...options };
  const client = await (/^[A-Z]/.test(name) ? new make(all) : make(all));
  client.on?.("error", () => {});
  if (close) {
    await (name === "Client" && client.connect().catch(() => {}));
    await (name === "createClient" && client.connect());
    await close(client);
  }
  return client;
};
const ended = (client) => client.end();
const quit = (client) => client.quit();
const nodeRedis = (tool, close) => (port) => maker(tool, "createClient", { socket: { port } }, close)(port);
const asFunction = (made) => async (port) => {
  const client = await made(port);
  return (script, keys, args) => client.eval(script, { keys, arguments: args });
};
const cutOff = (client) => {
  client.connection.stream.destroy();
  return new Promise((done) => client.once("end", done));
};

const POSTGRES = { user: "postgres", database: "postgres" };
const pg = (name, close, options) => maker("pg", name, { ...POSTGRES, ...options }, close);
const mysql = (tool, name, close) => maker(tool, name, { user: "root", database: "mysql" }, close);
/**
 * Clients that waiting cannot connect, by the advice in the error: to connect the client, or to
 * open another one.
 */
const UNCONNECTED = {
  postgres: [
    {
      "pg, without connect()": pg("Client"),
      "pg, whose connect() failed": pg("Client", () => {}, { port: 1 }),
    },
    {
      "pg, ended": pg("Client", ended),
      "pg, cut off": pg("Client", cutOff),
      "pg, an ended pool": pg("Pool", ended),
      "postgres, ended": maker("postgres", "default", POSTGRES, ended),
    },
  ],
  mysql: [
    {},
    {
      "mysql2, ended": mysql("mysql2/promise", "createConnection", ended),
      "mysql2, destroyed": mysql("mysql2/promise", "createConnection", (client) => client.destroy()),
      "mysql2, an ended pool": mysql("mysql2/promise", "createPool", ended),
      "mysql2 with callbacks, ended": mysql("mysql2", "createConnection", (client) => client.promise().end()),
    },
  ],
  redis: [
    Object.fromEntries([
      ...["redis", "redis-5", "redis-4"].flatMap((tool) => [
        [`${tool}, without connect()`, nodeRedis(tool)],
        [`${tool}, in a function`, asFunction(nodeRedis(tool))],
        [`${tool}, closed`, nodeRedis(tool, quit)],
      ]),
      ...["ioredis", "ioredis-5"].map((tool) => [`${tool}, closed`, maker(tool, "Redis", {}, quit)]),
    ]),
    {},
  ],
};

for (const [server, [unopened, over]] of Object.entries(UNCONNECTED)) {
  story(server, "a client that is not connected, or closed, is refused at once", async (it) => {
    const { port } = await it.begin();
    const { [server]: storeOf } = await importBuilt(`lease/${server}`);
    for (const [clients, words] of [
      [unopened, /^LEASE_STORE: store: .*await client\.connect\(\)/],
      [over, /^LEASE_STORE: store: .*; open another one/],
    ])
      for (const [what, made] of Object.entries(clients))
        await refused(storeOf(await made(port)), LONG, words, what);
    return Object.keys({ ...unopened, ...over }).join("; ");
  });
}

story("redis", "what no waiting mends is told at once", async (it) => {
  const [{ redis }, { createClient }] = await Promise.all([importBuilt("lease/redis"), importTool("redis")]);
  const { port } = await it.begin();
  const clientWith = async (options) => {
    const made = createClient({ socket: { port }, ...options }).on("error", () => {});
    it.afterwards(() => made.destroy());
    return made.connect();
  };
  const opened = await clientWith({});
  await opened.sendCommand(["ACL", "SETUSER", "reader", "on", ">words", "~*", "+@read"]);
  const reader = await clientWith({ username: "reader", password: "words" });
  // ioredis connects without the password that the server requires, and every command is rejected.
  const anonymous = new (await importTool("ioredis")).Redis({ port }).on("error", () => {});
  await anonymous.ping();
  it.afterwards(() => anonymous.disconnect());
  await opened.sendCommand(["CONFIG", "SET", "requirepass", "secret"]);
  anonymous.disconnect(true);
  for (const [client, why] of [
    [reader, /NOPERM/],
    [anonymous, /NOAUTH/],
    [opened.multi(), /not multi\(\)/],
    [anonymous.multi(), /not multi\(\)/],
  ])
    await refused(redis(client), LONG, why);
});

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
