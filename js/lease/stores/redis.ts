/**
 * Leases in Redis or Valkey, with your own client.
 *
 * @module graupel/lease/redis
 */
import { checkOptions } from "../../checks.js";
import { typeError } from "../../errors.js";
import type { LeaseStore } from "../types.js";
import { ACQUIRE, CHANGE, LIST } from "./redis-scripts.js";

/** Runs a Lua script with `KEYS` and `ARGV` and resolves to its result. */
export type RedisEval = (script: string, keys: string[], args: string[]) => Promise<unknown>;

/** A client, cluster or pool of node-redis (the package `redis`), version 4 or later. */
export interface NodeRedisClient {
  /** Runs a script. */
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  /** Distinguishes this client from ioredis. */
  evalSha: unknown;
  /** Reads a setting, to warn if a server with `durable: true` does not sync each write. */
  configGet?: unknown;
}

/** A client or cluster of ioredis. */
export interface IoRedisClient {
  /** Runs a script. */
  eval(script: string, numberOfKeys: number, ...keysAndArguments: string[]): Promise<unknown>;
  /** Distinguishes this client from node-redis. */
  defineCommand: unknown;
  /** Reads a setting, to warn if a server with `durable: true` does not sync each write. */
  config?: unknown;
}

/** Options of `redis`. */
export interface RedisOptions {
  /**
   * Confirms that no acknowledged write is ever lost: one server with `appendfsync always`, and no
   * replica that could take over. A new process then does not wait for a quarantine. False by
   * default.
   */
  readonly durable?: boolean | undefined;
  /** The prefix of the keys, before the namespace in braces; `graupel:` by default. */
  readonly prefix?: string | undefined;
}

/**
 * Returns the function with which a client runs a script. Each kind of client has a method that the
 * other one lacks.
 */
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

/** Errors that a retry cannot fix, including those of scripts on older servers. */
const PERMANENT = /WRONGPASS|NOAUTH|NOPERM|READONLY|MOVED|unknown command|can't run this/;

/**
 * The warnings about a server, from its answer to INFO and, if it is known, its setting
 * `appendfsync`.
 */
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
 * A store of leases in Redis 5 or later, or Valkey, including clusters. Each namespace is one key,
 * which must never expire or be evicted. An acquisition reads all records of its namespace. After a
 * failover, a restart or `FLUSHALL` that loses writes, no ID repeats, because a number is first
 * used one quarantine (20 seconds by default) after its acquisition.
 *
 * Errors: `TYPE`, `UNKNOWN_OPTION`.
 *
 * @param client A client of node-redis or ioredis, or a function that runs a Lua script. You close
 *   it.
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

  /** Runs a script. Marks errors that a retry cannot fix as `permanent`. */
  async function call(script: string, request: { readonly namespace: string }) {
    // The text in braces decides the slot in a cluster.
    const key = `${prefix}{${request.namespace}}`;
    try {
      const answer = await run(script, [key], [JSON.stringify({ ...request, durable })]);
      // Clients over HTTP have parsed it, maybe in another realm. JSON.parse also reads a Buffer.
      return /^(Object|Array)$/.test((answer as object | null)?.constructor.name as string)
        ? answer
        : JSON.parse(answer as string);
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
          // Not every user may read settings.
        }
        answer.warnings = warningsOf(info, durable);
      }
      return answer;
    },
    renew: (request) => call(CHANGE, request),
    release: (request) => call(CHANGE, request),
    // In Lua's JSON, an empty list is an empty object.
    list: async (namespace) => Object.values(await call(LIST, { namespace })),
    forget: (namespace) => call("return redis.call('DEL', KEYS[1])", { namespace }),
  };
}
