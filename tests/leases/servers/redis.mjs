// Redis, and its clients.

import { existsSync } from "node:fs";
import { connect as connectTo } from "node:net";
import { freePort, temporary } from "../../support/places.mjs";
import { importBuilt, importTool } from "../lib/places.mjs";
import { started } from "../lib/program.mjs";

export const name = "Redis";
export const install = "apt-get install --no-install-recommends redis-server";

const PROGRAM = "/usr/bin/redis-server";

/** The paths of the programs. */
export const find = () => (existsSync(PROGRAM) ? [PROGRAM] : undefined);

/** Clients come back this soon after a cut, in milliseconds. */
const AGAIN_MS = 100;

/** Version 6 gives a command 5 seconds until it is sent, which a busy machine may need. */
const commandOptions = { timeout: 0 };

/** An open client of node-redis. */
async function nodeRedis(tool, port) {
  const { createClient } = await importTool(tool);
  const socket = { host: "127.0.0.1", port, reconnectStrategy: () => AGAIN_MS };
  const client = createClient({ socket, commandOptions });
  client.on("error", () => {});
  await client.connect();
  return [client, () => (client.destroy ?? client.disconnect).call(client)];
}

/** An open client of ioredis, which sends again what was not answered. */
async function ioRedis(tool, port) {
  const { Redis } = await importTool(tool);
  const client = new Redis(port, "127.0.0.1", { maxRetriesPerRequest: null, retryStrategy: () => AGAIN_MS });
  client.on("error", () => {});
  return [client, () => client.disconnect()];
}

async function asFunction(port) {
  const [client, close] = await nodeRedis("redis", port);
  return [(script, keys, args) => client.eval(script, { keys, arguments: args }), close];
}

async function nodeRedisCluster(port) {
  const { createCluster } = await importTool("redis");
  const rootNodes = [{ socket: { host: "127.0.0.1", port } }];
  const client = createCluster({ rootNodes, defaults: { commandOptions } });
  client.on("error", () => {});
  await client.connect();
  return [client, () => client.destroy()];
}

async function ioRedisCluster(port) {
  const { Cluster } = await importTool("ioredis");
  const client = new Cluster([{ host: "127.0.0.1", port }]);
  return [client, () => client.disconnect()];
}

const CLIENTS = {
  "node-redis 6": (port) => nodeRedis("redis", port),
  "node-redis 5": (port) => nodeRedis("redis-5", port),
  "node-redis 4": (port) => nodeRedis("redis-4", port),
  "ioredis 6": (port) => ioRedis("ioredis", port),
  "ioredis 5": (port) => ioRedis("ioredis-5", port),
  "a function": asFunction,
  "node-redis cluster": nodeRedisCluster,
  "ioredis cluster": ioRedisCluster,
};

/** Those for one server. */
export const clients = Object.keys(CLIENTS).slice(0, 6);

/** A store with a client of its own. `raw`: the client. */
export async function open({ port, client = "node-redis 6", ...options }) {
  const [{ redis }, [raw, close]] = await Promise.all([importBuilt("lease/redis"), CLIENTS[client](port)]);
  return { store: redis(raw, options), raw, close };
}

/** Whether Redis answers, and has read its data. */
const isReady = (port) =>
  new Promise((done) => {
    const socket = connectTo(port, "127.0.0.1", () => socket.write("PING\r\n"));
    socket.once("data", (bytes) => {
      done(String(bytes).startsWith("+PONG"));
      socket.destroy();
    });
    socket.once("error", () => done(false));
  });

/** One that follows another one, asynchronously, until it takes its place. */
export async function replicaOf(port) {
  const replica = await start({ args: ["--replicaof", "127.0.0.1", String(port)] });
  const command = async (...words) => {
    const { raw, close } = await open({ port: replica.port });
    return raw.sendCommand(words).finally(close);
  };
  return {
    ...replica,
    follows: async () => (await command("INFO", "replication")).includes("master_link_status:up"),
    takeOver: () => command("REPLICAOF", "NO", "ONE"),
  };
}

/** `durable`: it syncs each write before it answers; else it keeps nothing. `args`: further settings. */
export async function start({ durable = false, args = [] } = {}) {
  const [directory, port] = [temporary("redis"), await freePort()];
  const kept = durable ? ["--appendonly", "yes", "--appendfsync", "always"] : ["--appendonly", "no"];
  const command = [
    PROGRAM,
    ...["--bind", "127.0.0.1", "--port", String(port), "--dir", directory, "--save", ""],
    ...kept,
    ...args,
  ];
  return started({
    ...{ command, directory, port, isReady: () => isReady(port) },
    /** What clients connect to. */
    connect: () => `redis://127.0.0.1:${port}`,
    /** What `open` takes. */
    connection: (options) => ({ port, durable, ...options }),
  });
}
