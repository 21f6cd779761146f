// Redis, its clients, and a replica.

import { importTool } from "../lib/places.mjs";
import { installed, listens, started, storesOf } from "../lib/program.mjs";

export const install = "apt-get install --no-install-recommends redis-server";
export const find = installed("/usr/bin/redis-server");

/** How soon clients reconnect, in milliseconds. */
const AGAIN_MS = 100;
const host = "127.0.0.1";
/**
 * Disables a timeout: version 6 allows a command 5 seconds to be sent, which may be too short on a
 * busy machine.
 */
const commandOptions = { timeout: 0 };

/** A connected node-redis client. */
const nodeRedis = (tool) => async (port) => {
  const { createClient } = await importTool(tool);
  const socket = { host, port, reconnectStrategy: () => AGAIN_MS };
  const client = createClient({ socket, commandOptions });
  client.on("error", () => {});
  await client.connect();
  return [client, () => (client.destroy ?? client.disconnect).call(client)];
};

/** A connected ioredis client, which resends unanswered commands. */
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
/** The clients for a single server. */
export const clients = all.clients.slice(0, 6);

/**
 * `durable`: syncs each write before the answer; otherwise, the server persists nothing. `args`:
 * further settings.
 */
export const start = ({ durable = false, args = [] } = {}) =>
  started({
    command: (port, directory) => [
      ...[...find(), "--bind", host, "--port", port, "--dir", directory, "--save", ""],
      ...(durable ? ["--appendonly", "yes", "--appendfsync", "always"] : ["--appendonly", "no"]),
      ...args,
    ],
    // The server listens before it has loaded its data.
    isReady: (port) => listens(port, "PING\r\n", "+PONG"),
    open,
    kind: { durable },
  });

/** Starts a replica that follows the server asynchronously until it is promoted. */
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
