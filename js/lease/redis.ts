/**
 * Leases in Redis or Valkey, by the user's own client.
 *
 * @module graupel/lease/redis
 */

import { checkOptions, wrong } from "../refusals.js";
import { ACQUIRE, LIST, RELEASE, RENEW } from "./redis-scripts.js";
import type { LeaseStore } from "./types.js";

/** Runs a Lua script with these `KEYS` and `ARGV`, and resolves to what it returns. */
export type RedisEval = (script: string, keys: string[], args: string[]) => Promise<unknown>;

/** A client, cluster or pool of node-redis (the package `redis`), version 4 or later. */
export interface NodeRedisClient {
  /** Runs a script. */
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  /** Tells this client from ioredis. */
  evalSha: unknown;
  /** Reads a setting: how often a server that is said to be durable syncs. Asked if it is there. */
  configGet?: unknown;
  /** False before `connect()`. */
  readonly isOpen?: boolean;
}

/** A client or cluster of ioredis. */
export interface IoRedisClient {
  /** Runs a script. */
  eval(script: string, numberOfKeys: number, ...keysAndArguments: string[]): Promise<unknown>;
  /** Tells this client from node-redis. */
  defineCommand: unknown;
  /** Reads a setting: how often a server that is said to be durable syncs. Asked if it is there. */
  config?: unknown;
  /** `"end"` after `quit()`. */
  readonly status?: string;
}

/** What `redis` takes besides. */
export interface RedisOptions {
  /**
   * States that no acknowledged write is ever lost: one server with `appendfsync always`, without a replica that could take its place. A
   * start then does not wait for a quarantine. False if left out.
   */
  readonly durable?: boolean | undefined;
  /** What the keys begin with, before the namespace in braces; `graupel:` if left out. */
  readonly prefix?: string | undefined;
}

/** The way in which a client runs a script. The clients are told apart by what only one of them has. */
function evalOf(client: unknown): RedisEval {
  if (typeof client === "function") {
    return client as RedisEval;
  }
  const it = Object(client) as NodeRedisClient & IoRedisClient;
  if (typeof it.eval === "function") {
    if (typeof it.defineCommand === "function") {
      return (script, keys, args) => it.eval(script, keys.length, ...keys, ...args);
    }
    if (typeof it.evalSha === "function") {
      return (script, keys, args) => it.eval(script, { keys, arguments: args });
    }
  }
  return wrong(
    "client",
    client,
    "a client of node-redis 4 or later, of ioredis, or a function (script, keys, args) => Promise",
  );
}

/** What no waiting mends: errors of a server, and of scripts in older ones. */
const PERMANENT = /\b(WRONGPASS|NOAUTH|NOPERM|READONLY|MOVED)\b|unknown command|can't run this/i;

/** Runs a script. An error that no waiting mends says so. */
async function evaluate(client: unknown, work: () => Promise<unknown>) {
  const { isOpen, status } = Object(client) as Partial<NodeRedisClient & IoRedisClient>;
  let isAnswered = false;
  try {
    const text = await work();
    isAnswered = true;
    // Bytes are read as text.
    return JSON.parse(text as string);
  } catch (cause) {
    const { message } = Object(cause) as Error;
    const isClosed = isOpen === false || status === "end";
    const words = isClosed
      ? "the client is closed; await client.connect()"
      : isAnswered
        ? "eval answers no JSON; pass the client itself, not multi()"
        : message;
    const permanent = isClosed || isAnswered || PERMANENT.test(message);
    throw Object.assign(new Error(words), { cause, permanent });
  }
}

/** What a server cannot promise, by its answer to INFO. `sync`: its setting appendfsync, if it is known. */
function warningsOf(info: string, durable: boolean, sync: string): string[] {
  const hasReplica = /connected_slaves:[1-9]/.test(info);
  const found = {
    "durable: Redis has a replica, which may lack the last writes": durable && hasReplica,
    "durable: Redis does not sync each write; set appendonly yes and appendfsync always":
      durable && (/aof_enabled:0/.test(info) || /everysec|no"/.test(sync)),
    "Redis may answer here after a replica took over, and then IDs can repeat; set min-replicas-to-write 1":
      hasReplica && !/min_slaves_good_slaves/.test(info),
    "Redis may evict numbers; set maxmemory-policy noeviction": /maxmemory_policy:allkeys/.test(info),
  };
  return Object.entries(found).flatMap(([words, isSo]) => (isSo ? words : []));
}

/**
 * A store of leases in Redis 5 or later, or Valkey; also in a cluster, where a namespace is in one slot. Two keys for each namespace, which
 * must never expire or be evicted. A failover, a restart or `FLUSHALL` may lose writes, but repeats no ID: a number is used a
 * quarantine after its acquisition, which is 20 seconds by default.
 *
 * Errors: `TYPE`, `UNKNOWN_OPTION`.
 *
 * @param client A client of node-redis or ioredis, or a function that runs a Lua script. It stays the caller's: closing it is, too.
 *
 * @example
 * ```ts
 * import { createClient } from "redis";
 * import { twitter } from "graupel";
 * import { lease } from "graupel/lease";
 * import { redis } from "graupel/lease/redis";
 * const client = await createClient().on("error", console.error).connect();
 * const worker = await lease(redis(client), { format: twitter, namespace: "orders" });
 * const ids = twitter.generator({ lease: worker });
 * ```
 */
export function redis(
  client: NodeRedisClient | IoRedisClient | RedisEval,
  options: RedisOptions = {},
): LeaseStore {
  const run = evalOf(client);
  const { durable = false, prefix = "graupel:" } = checkOptions(options, {
    durable: "boolean",
    prefix: "string",
  });
  const call = async (script: string, request: { readonly namespace: string }) => {
    // What stands in braces decides the slot of a cluster.
    const key = `${prefix}{${request.namespace}}`;
    const asked = JSON.stringify({ ...request, durable });
    return evaluate(client, () => run(script, [key, `${key}:order`], [asked]));
  };
  /** The setting appendfsync, as JSON; empty if the client or the server does not tell. */
  async function sync(): Promise<string> {
    const { configGet, config } = Object(client) as Record<string, (...what: string[]) => Promise<unknown>>;
    try {
      return JSON.stringify(
        await (configGet
          ? configGet.call(client, "appendfsync")
          : config?.call(client, "GET", "appendfsync")),
      );
    } catch {
      return "";
    }
  }
  return {
    durable,
    async acquire(request) {
      const { info, ...answer } = await call(ACQUIRE, request);
      return info ? { ...answer, warnings: warningsOf(info, durable, durable ? await sync() : "") } : answer;
    },
    renew: (request) => call(RENEW, request),
    release: (request) => call(RELEASE, request),
    // No records are an empty object in the JSON of Lua.
    list: async (namespace) => Object.values(await call(LIST, { namespace })),
    forget: (namespace) => call("return redis.call('DEL', KEYS[1], KEYS[2])", { namespace }),
  };
}
