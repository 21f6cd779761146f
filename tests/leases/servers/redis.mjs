// Redis, its clients, and a replica.

import { importTool } from "../lib/places.mjs";
import { installed, listens, started, storesOf } from "../lib/program.mjs";

export const install = "apt-get install --no-install-recommends redis-server";
export const find = installed("/usr/bin/redis-server");

/** Clients come back this soon after a cut, in milliseconds. */
const AGAIN_MS = 100;
const host = "127.0.0.1";
/** Version 6 gives a command 5 seconds until it is sent, which a busy machine may need. */
const commandOptions = { timeout: 0 };

/** An open client of node-redis. */
const nodeRedis = (tool) => async (port) => {
  const { createClient } = await importTool(tool);
  const socket = { host, port, reconnectStrategy: () => AGAIN_MS };
  const client = createClient({ socket, commandOptions });
  client.on("error", () => {});
  await client.connect();
  return [client, () => (client.destroy ?? client.disconnect).call(client)];
};

/** An open client of ioredis, which sends again what was not answered. */
const ioRedis = (tool) => async (port) => {
  const { Redis } = await importTool(tool);
  const client = new Redis(port, host, { maxRetriesPerRequest: null, retryStrategy: () => AGAIN_MS });
  client.on("error", () => {});
  return [client, () => client.disconnect()];
};

const all = storesOf("redis", {
  "node-redis 6": nodeRedis("redis"),
  "node-redis 5": nodeRedis("redis-5"),
  "node-redis 4": nodeRedis("redis-4"),
  "ioredis 6": ioRedis("ioredis"),
  "ioredis 5": ioRedis("ioredis-5"),
  async "a function"(port) {
    const [client, close] = await nodeRedis("redis")(port);
    return [(script, keys, args) => client.eval(script, { keys, arguments: args }), close];
  },
  async "node-redis cluster"(port) {
    const { createCluster } = await importTool("redis");
    const client = createCluster({ rootNodes: [{ socket: { host, port } }], commandOptions });
    client.on("error", () => {});
    await client.connect();
    return [client, () => client.destroy()];
  },
  async "ioredis cluster"(port) {
    const { Cluster } = await importTool("ioredis");
    const client = new Cluster([{ host, port }]);
    return [client, () => client.disconnect()];
  },
});

export const { open } = all;
/** Those for one server. */
export const clients = all.clients.slice(0, 6);

/** `durable`: it syncs each write before it answers; else it keeps nothing. `args`: further settings. */
export const start = ({ durable = false, args = [] } = {}) =>
  started({
    command: (port, directory) => [
      ...[...find(), "--bind", host, "--port", port, "--dir", directory, "--save", ""],
      ...(durable ? ["--appendonly", "yes", "--appendfsync", "always"] : ["--appendonly", "no"]),
      ...args,
    ],
    // It listens before it has read its data.
    isReady: (port) => listens(port, "PING\r\n", "+PONG"),
    open,
    kind: { durable },
  });

/** One that follows another one, asynchronously, until it takes its place. */
export async function replicaOf(port) {
  const replica = await start({ args: ["--replicaof", host, port] });
  const command = async (...words) => {
    const { raw, close } = await replica.connect();
    return raw.sendCommand(words).finally(close);
  };
  return {
    ...replica,
    follows: async () => (await command("INFO", "replication")).includes("master_link_status:up"),
    takeOver: () => command("REPLICAOF", "NO", "ONE"),
  };
}
