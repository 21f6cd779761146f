/**
 * Leases in Redis or Valkey, by the user's own client.
 *
 * @module graupel/lease/redis
 */
import { checkOptions } from "../../checks.js";
import { typeError } from "../../errors.js";
import type { LeaseStore } from "../types.js";
import { ACQUIRE, CHANGE, LIST } from "./redis-scripts.js";

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
}

/** A client or cluster of ioredis. */
export interface IoRedisClient {
  /** Runs a script. */
  eval(script: string, numberOfKeys: number, ...keysAndArguments: string[]): Promise<unknown>;
  /** Tells this client from node-redis. */
  defineCommand: unknown;
  /** Reads a setting: how often a server that is said to be durable syncs. Asked if it is there. */
  config?: unknown;
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
  return typeof it.eval !== "function" || !(it.defineCommand || it.evalSha)
    ? typeError("client", client, "a client of node-redis or ioredis, or (script, keys, args) => Promise")
    : it.defineCommand
      ? (script, keys, args) => it.eval(script, keys.length, ...keys, ...args)
      : (script, keys, args) => it.eval(script, { keys, arguments: args });
}

/** What no waiting mends: errors of a server, and of scripts in older ones. */
const PERMANENT = /WRONGPASS|NOAUTH|NOPERM|READONLY|MOVED|unknown command|can't run this/;

/** What a server cannot promise, by its answer to INFO, and the setting appendfsync if it is known. */
function warningsOf(info: string, durable: boolean): unknown[] {
  const hasReplica = /slaves:[1-9]/.test(info);
  return [
    durable && hasReplica && "durable: a replica may lack the last writes",
    durable && /aof_enabled:0|everysec|no"/.test(info) && "durable: set appendonly yes, appendfsync always",
    hasReplica && !/min_slaves/.test(info) && "IDs may repeat after a failover: set min-replicas-to-write 1",
    /policy:allkeys/.test(info) && "numbers may be evicted: set maxmemory-policy noeviction",
  ].filter(Boolean);
}

/**
 * A store of leases in Redis 5 or later, or Valkey; also in a cluster, where a namespace is in one slot. One key for each namespace, which
 * must never expire or be evicted; an acquisition reads all records of it. A failover, a restart or `FLUSHALL` may lose writes, but repeats no ID: a number is used a
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
  const it = Object(client) as Partial<
    Record<"configGet" | "config", (...what: string[]) => Promise<unknown>>
  >;

  /** Runs a script. An error that no waiting mends says so. */
  async function call(script: string, request: { readonly namespace: string }) {
    // What stands in braces decides the slot of a cluster.
    const key = `${prefix}{${request.namespace}}`;
    try {
      // Bytes are read as text.
      return JSON.parse((await run(script, [key], [JSON.stringify({ ...request, durable })])) as string);
    } catch (cause) {
      const { message } = Object(cause) as Error;
      const words = /^(The client|Connection) is closed/.test(message)
        ? "not connected; await client.connect()"
        : cause instanceof SyntaxError
          ? "eval answered no JSON; pass the client itself, not multi()"
          : message;
      const permanent = words !== message || PERMANENT.test(message);
      throw Object.assign(new Error(words, { cause }), { permanent });
    }
  }
  return {
    durable,
    async acquire(request) {
      let { info, ...answer } = await call(ACQUIRE, request);
      if (info) {
        try {
          info += JSON.stringify(
            await (durable && (it.configGet?.("appendfsync") ?? it.config?.("GET", "appendfsync"))),
          );
        } catch {
          // Not every user may ask that.
        }
        answer.warnings = warningsOf(info, durable);
      }
      return answer;
    },
    renew: (request) => call(CHANGE, request),
    release: (request) => call(CHANGE, request),
    // No records are an empty object in the JSON of Lua.
    list: async (namespace) => Object.values(await call(LIST, { namespace })),
    forget: (namespace) => call("return redis.call('DEL', KEYS[1])", { namespace }),
  };
}
