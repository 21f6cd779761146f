// What a lease is refused with, where a server does not do what it should.

import assert from "node:assert/strict";
import { begin } from "../lib/disasters.mjs";
import { importBuilt, importTool } from "../lib/places.mjs";
import { doorTo } from "../lib/proxy.mjs";
import { story } from "../lib/story.mjs";
import { until } from "../lib/time.mjs";

const SECOND = { ttlMs: 1000, quarantineMs: 1000 };
const TWO = { ttlMs: 2000, quarantineMs: 2000 };
const FOUR = { ttlMs: 4000, quarantineMs: 4000 };
const TIMES = { redis: SECOND, etcd: FOUR, postgres: TWO, mysql: TWO };

/** Longer than a story may take: what is refused is refused at once. */
const LONG = { maxWaitMs: 3_600_000 };

/** Asks for a lease. Gives the code of the refusal, and the message. */
async function refusal(store, options) {
  const [{ lease }, { GraupelError, twitter }] = await Promise.all([
    importBuilt("lease"),
    importBuilt("index"),
  ]);
  const all = { format: twitter, namespace: "refused", maxWaitMs: 5000, ...options };
  const error = await lease(store, all).then(
    () => undefined,
    (reason) => reason,
  );
  assert.ok(GraupelError.is(error), `no refusal, but ${error}`);
  return `${error.code}: ${error.message}`;
}

for (const [server, times] of Object.entries(TIMES)) {
  story(server, "refusals have the documented codes", async (afterwards) => {
    const { open } = await import(`../servers/${server}.mjs`);
    const running = await begin(server, afterwards);
    const { store, close } = await open(running.connection());
    afterwards(close);
    const [{ lease }, { discord, twitter }] = await Promise.all([importBuilt("lease"), importBuilt("index")]);

    const one = { namespace: "refused", fixed: { datacenterId: 1, workerId: 2 }, ...times };
    const worker = await lease(store, { format: twitter, ...one });
    afterwards(() => worker.release());
    assert.match(await refusal(store, one), /^LEASE_FULL: .*\[LEASE_FULL\]$/);
    assert.match(await refusal(store, { ...times, format: discord }), /^LEASE_LAYOUT: /);

    const ids = twitter.generator({ lease: worker });
    // Not `next()`: on a busy machine the number may just have been lost, and is there again soon.
    await ids.nextAsync();
    await running.kill();
    assert.match(await refusal(store, times), /^LEASE_STORE: store: /);
    await until(() => worker.status.state === "expired", "the interval does not end");
    assert.throws(() => ids.next(), { code: "OUTSIDE_INTERVAL" });
    await running.again();
    await ids.nextAsync();
    await worker.release();
    assert.throws(() => ids.next(), { code: "LEASE_RELEASED" });
  });
}

story(
  "redis",
  "a replica is refused, and a server without memory for a new namespace",
  async (afterwards) => {
    const { open } = await import("../servers/redis.mjs");
    const primary = await begin("redis", afterwards);
    const replica = await begin("redis", afterwards, {
      args: ["--replicaof", "127.0.0.1", String(primary.port)],
    });
    const full = await begin("redis", afterwards, { args: ["--maxmemory", "500kb"] });
    for (const [{ port }, why] of [
      [replica, /^LEASE_STORE: store: READONLY/],
      [full, /^LEASE_STORE: store: OOM/],
    ]) {
      const { store, close } = await open({ port });
      afterwards(close);
      assert.match(await refusal(store, TIMES.redis), why);
    }
  },
);

/** Makes clients of a library, which tell errors to nobody. `close`: connects them, and ends that. */
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

const POSTGRES = { user: "postgres", database: "postgres" };
const MYSQL = { user: "root", database: "mysql" };
const CONNECT = /await client\.connect\(\)/;
const ANOTHER = /; open another one/;
/** Clients that no waiting connects, and what to do. */
const UNCONNECTED = {
  postgres: {
    "pg, without connect()": [maker("pg", "Client", POSTGRES), CONNECT],
    "pg, whose connect() failed": [maker("pg", "Client", { ...POSTGRES, port: 1 }, () => {}), CONNECT],
    "pg, ended": [maker("pg", "Client", POSTGRES, ended), ANOTHER],
    "pg, cut off": [
      maker("pg", "Client", POSTGRES, (client) => {
        client.connection.stream.destroy();
        return new Promise((done) => client.once("end", done));
      }),
      ANOTHER,
    ],
    "pg, an ended pool": [maker("pg", "Pool", POSTGRES, ended), ANOTHER],
    "postgres, ended": [maker("postgres", "default", POSTGRES, ended), ANOTHER],
  },
  mysql: {
    "mysql2, ended": [maker("mysql2/promise", "createConnection", MYSQL, ended), ANOTHER],
    "mysql2, destroyed": [
      maker("mysql2/promise", "createConnection", MYSQL, (client) => client.destroy()),
      ANOTHER,
    ],
    "mysql2, an ended pool": [maker("mysql2/promise", "createPool", MYSQL, ended), ANOTHER],
    "mysql2 with callbacks, ended": [
      maker("mysql2", "createConnection", MYSQL, (client) => client.promise().end()),
      ANOTHER,
    ],
  },
  redis: Object.fromEntries([
    ...["redis", "redis-5", "redis-4"].flatMap((tool) => [
      [`${tool}, without connect()`, [nodeRedis(tool), CONNECT]],
      [`${tool}, in a function`, [asFunction(nodeRedis(tool)), CONNECT]],
      [`${tool}, closed`, [nodeRedis(tool, quit), CONNECT]],
    ]),
    ...["ioredis", "ioredis-5"].map((tool) => [`${tool}, closed`, [maker(tool, "Redis", {}, quit), CONNECT]]),
  ]),
};

for (const [server, clients] of Object.entries(UNCONNECTED)) {
  story(server, "a client that is not connected, or closed, is refused at once", async (afterwards) => {
    const { port } = await begin(server, afterwards);
    const { [server]: storeOf } = await importBuilt(`lease/${server}`);
    for (const [what, [made, words]] of Object.entries(clients)) {
      const told = await refusal(storeOf(await made(port)), LONG);
      assert.match(told, /^LEASE_STORE: store: /, what);
      assert.match(told, words, what);
    }
    return Object.keys(clients).join("; ");
  });
}

story("redis", "what no waiting mends is told at once", async (afterwards) => {
  const [{ redis }, { createClient }] = await Promise.all([importBuilt("lease/redis"), importTool("redis")]);
  const { port } = await begin("redis", afterwards);
  const clientWith = (options) => createClient({ socket: { port }, ...options }).on("error", () => {});
  const opened = await clientWith({}).connect();
  await opened.sendCommand(["ACL", "SETUSER", "reader", "on", ">words", "~*", "+@read"]);
  const reader = await clientWith({ username: "reader", password: "words" }).connect();
  // ioredis connects without the password that the server asks for, and each command is refused.
  const anonymous = new (await importTool("ioredis")).Redis({ port }).on("error", () => {});
  await anonymous.ping();
  afterwards(() => anonymous.disconnect());
  await opened.sendCommand(["CONFIG", "SET", "requirepass", "secret"]);
  anonymous.disconnect(true);
  for (const client of [opened, reader]) afterwards(() => client.destroy());
  for (const [client, why] of [
    [reader, /NOPERM/],
    [anonymous, /NOAUTH/],
  ]) {
    assert.match(await refusal(redis(client), LONG), why);
  }
  for (const client of [opened.multi(), anonymous.multi()]) {
    assert.match(await refusal(redis(client), LONG), /not multi\(\)/);
  }
});

story("redis", "a primary that is cut off, and told to write nothing alone", async (afterwards) => {
  const { open, replicaOf } = await import("../servers/redis.mjs");
  const [{ lease }, { twitter }] = await Promise.all([importBuilt("lease"), importBuilt("index")]);
  const times = { ttlMs: 3000, quarantineMs: 15_000, ...LONG };
  const options = { format: twitter, fixed: { datacenterId: 0, workerId: 0 }, ...times };
  // Both at the same time: each waits for a quarantine.
  const warningsWith = async (name, args) => {
    const primary = await begin("redis", afterwards, { args });
    const replica = await replicaOf(primary.port);
    afterwards(() => replica.kill());
    await until(() => replica.follows(), "the replica does not follow");
    const [one, other] = [await open(primary.connection()), await open({ port: replica.port })];
    for (const { close } of [one, other]) afterwards(close);
    const namespace = `cut-off-${name}`;
    const first = await lease(one.store, { ...options, namespace });
    afterwards(() => first.release().catch(() => {}));
    const { warnings } = first.status;
    // The old primary is not told: a process on its side goes on asking it.
    await replica.takeOver();
    const second = await lease(other.store, { ...options, namespace });
    afterwards(() => second.release());
    const isHeld = ({ status }) => status.state === "held";
    // Without the setting both hold one number, as the status said.
    if (name === "alone") await until(() => isHeld(first) && isHeld(second), "both hold the number");
    else assert.ok(!isHeld(first), "both hold the number");
    return warnings;
  };
  const lag = ["--min-replicas-max-lag", "1", "--repl-ping-replica-period", "1"];
  const [alone, never] = await Promise.all([
    warningsWith("alone", []),
    warningsWith("never", ["--min-replicas-to-write", "1", ...lag]),
  ]);
  assert.equal(alone.length, 1);
  assert.match(alone[0], /min-replicas-to-write 1/);
  assert.deepEqual(never, []);
});

story("redis", "ioredis sends again what was not answered", async (afterwards) => {
  const { open } = await import("../servers/redis.mjs");
  const { connection, port } = await begin("redis", afterwards);
  const door = await doorTo(port);
  afterwards(door.close);
  const {
    store,
    raw: client,
    close,
  } = await open({ ...connection({ client: "ioredis 6" }), port: door.port });
  await client.ping();
  const { raw, ...other } = await open(connection());
  afterwards(close);
  afterwards(other.close);
  let sent = 0;
  const counted = (call) => (request) => {
    sent++;
    return call(request);
  };
  const counting = { ...store, acquire: counted(store.acquire), renew: counted(store.renew) };
  const [{ lease }, { twitter }] = await Promise.all([importBuilt("lease"), importBuilt("index")]);
  const times = { ttlMs: 6000, quarantineMs: 6000 };
  // The answers to the acquisition, and later to a renewal, are lost.
  door.swallow(true);
  const pending = lease(counting, { format: twitter, namespace: "again", ...times, ...LONG });
  await until(door.hasSwallowed, "the answer is lost");
  door.swallow(false);
  door.cut();
  const worker = await pending;
  afterwards(() => worker.release().catch(() => {}));
  const { number, losses, renewals } = worker.status;
  door.swallow(true);
  await until(door.hasSwallowed, "the answer is lost");
  door.swallow(false);
  door.cut();
  await until(() => worker.status.renewals > renewals + 2, "the lease is renewed");
  const ids = twitter.generator({ lease: worker });
  await ids.nextAsync();
  assert.deepEqual([worker.status.number, worker.status.losses], [number, losses]);
  const held = (await store.list("again")).filter((record) => record.held);
  assert.deepEqual(
    held.map((record) => record.number),
    [number],
  );
  const stats = await raw.sendCommand(["INFO", "commandstats"]);
  const ran = Number(/cmdstat_eval:calls=(\d+)/.exec(stats)[1]) - 1;
  assert.ok(ran > sent, `${ran} calls arrived, and ${sent} were made: nothing was sent again`);
  return `${sent} calls were made, and ${ran} arrived`;
});
