/** The serving side of a store: the main thread of a process, or the primary of a cluster. */
import { BRAND, fail, typeError } from "../errors.js";
import { wordsOf } from "./answers.js";
import { type Answer, CALLS, ID, type Request } from "./messages.js";
import { storeOf } from "./options.js";
import type { LeaseStore } from "./types.js";

/** A forked process: a `ChildProcess` with an IPC channel. */
export interface ForkedProcess {
  /** Sends a message. */
  send(message: object, callback: (error: Error | null) => void): unknown;
  /** Listens to messages. */
  on(event: "message", listener: (message: unknown) => void): unknown;
}

/** The module `node:cluster`, in a primary. */
export interface ClusterPrimary {
  /** Exists in a primary, and not in its workers. */
  fork: unknown;
  /** Listens to messages of all workers. */
  on(event: "message", listener: (worker: ForkedProcess, message: unknown) => void): unknown;
}

/** A client of the server: the name of a channel for threads, or a process. */
export type Served = string | ClusterPrimary | ForkedProcess;

/** A served channel and its store. */
interface Service {
  store: LeaseStore;
  /** Whether another thread also answers on this channel. */
  isContested: boolean;
}

/**
 * The channels that this realm serves, shared by all copies of the package, so that each request
 * gets one answer.
 */
interface Registry {
  readonly names: Map<unknown, Service>;
  readonly processes: WeakMap<object, Service>;
}

function registry(): Registry {
  const key = Symbol.for(ID);
  const realm = globalThis as { [key: symbol]: Registry | undefined };
  realm[key] ??= { names: new Map(), processes: new WeakMap() };
  return realm[key];
}

/** Checks a store. A store in memory needs `reach`. */
function checkStore(store: LeaseStore): void {
  const it = storeOf(store) as LeaseStore & { readonly reach?: unknown };
  if ("reach" in it && it.reach === undefined) {
    typeError("store", store, 'a store of leases, such as redis(client) or memory({ reach: "alone" })');
  }
}

/** An error as data for a message. A store may reject with any value. */
function described(error: unknown): NonNullable<Answer["refusal"]> {
  try {
    const it = Object(error) as {
      readonly code: unknown;
      readonly field: unknown;
      readonly permanent?: unknown;
    };
    const { code, field, permanent } = it;
    const refusal = { message: wordsOf(error), ...(permanent === true && { permanent }) };
    return BRAND in it ? { ...refusal, code: `${code}`, field: `${field}` } : refusal;
  } catch {
    return { message: "it failed" };
  }
}

/** Answers a message, if it is a request. */
async function answer(service: Service, message: unknown, reply: (answer: Answer) => void): Promise<void> {
  const { [ID]: id, call, request } = Object(message) as Request;
  if (typeof id !== "string" || !CALLS.includes(call)) {
    return;
  }
  try {
    const { store, isContested } = service;
    if (isContested) {
      fail(
        "CONFLICT",
        "store",
        undefined,
        "store: two threads serve this name; use a different name for each",
      );
    }
    if (call === "ready") {
      await store.ready?.();
      const { durable, ttlMs, apartMs } = store;
      reply({ [ID]: id, answer: { durable, ttlMs, apartMs } });
    } else {
      const work = store[call] as (request: unknown) => Promise<unknown>;
      reply({ [ID]: id, answer: await work.call(store, request) });
    }
  } catch (error) {
    reply({ [ID]: id, refusal: described(error) });
  }
}

/** Starts to listen for requests. */
function listen(to: Served, service: Service): void {
  if (typeof to === "string") {
    const by = crypto.randomUUID();
    const channel = new BroadcastChannel(to);
    channel.onmessage = ({ data }: { readonly data: unknown }) => {
      const { [ID]: id, by: other = by } = Object(data) as Answer;
      // Another thread also serves this name, with a store whose numbers would clash with this
      // one's.
      service.isContested ||= id !== undefined && other !== by;
      void answer(service, data, (it) => channel.postMessage({ ...it, by }));
    };
    (channel as { unref?: () => void }).unref?.();
    return;
  }
  // Without a callback, sending to a process that has just ended would throw here.
  const replyTo = (process: ForkedProcess) => (it: Answer) => void process.send(it, () => {});
  if ("fork" in to) {
    to.on("message", (worker, message) => void answer(service, message, replyTo(worker)));
  } else {
    to.on("message", (message) => void answer(service, message, replyTo(to)));
  }
}

/** Whether a value is a client that can be served. */
function isServed(to: Served): boolean {
  const { fork, send, on } = Object(to) as Readonly<Record<string, unknown>>;
  return typeof to === "string"
    ? to !== ""
    : typeof on === "function" && (typeof fork === "function" || typeof send === "function");
}

/**
 * Serves a store to other threads and processes, which use it with `threads` and need no database
 * client. Call it in the main thread, or in the primary of a cluster. A second call for the same
 * client replaces its store.
 *
 * Errors: `TYPE`.
 *
 * @param store Any store; `memory({ reach: "alone" })` if you have no server.
 * @param to A name, for all threads of this process; the module `node:cluster`, for all its
 *   workers; or a process from `fork` of `node:child_process`.
 * @returns The store, for leases of this thread.
 *
 * @example
 * ```ts
 * import cluster from "node:cluster";
 * import { memory } from "graupel/lease";
 * import { serve } from "graupel/lease/threads";
 * const store = memory({ reach: "alone" });
 * serve(store, "numbers", cluster);   // threads use threads("numbers"), and workers threads(process)
 * ```
 */
export function serve(store: LeaseStore, ...to: Served[]): LeaseStore {
  checkStore(store);
  for (const one of to) {
    if (!isServed(one)) {
      typeError("to", one, "a name, the module cluster of a primary, or a forked process");
    }
  }
  const { names, processes } = registry();
  for (const one of to) {
    const services = (typeof one === "string" ? names : processes) as Map<unknown, Service>;
    const known = services.get(one);
    const service = known ?? { store, isContested: false };
    Object.assign(service, { store, isContested: false });
    if (known === undefined) {
      services.set(one, service);
      listen(one, service);
    }
  }
  return store;
}
