/**
 * Leases for the threads of a process and the workers of a cluster: one side serves a store, and
 * the others send it messages.
 *
 * @module graupel/lease/threads
 */

import { type ErrorCode, GraupelError, typeError } from "../../errors.js";
import { type Answer, type Call, ID } from "../messages.js";
import type { LeaseStore } from "../types.js";

export { type ClusterPrimary, type ForkedProcess, type Served, serve } from "../serve.js";

/** `process` in a forked process. */
export interface OwnProcess {
  /** Sends a message to the parent process. */
  send?(message: object, callback: (error: Error | null) => void): unknown;
  /** Listens to messages. */
  on(event: "message", listener: (message: unknown) => void): unknown;
  /** Stops listening. */
  off(event: "message", listener: (message: unknown) => void): unknown;
}

/** The longest wait for an answer, in milliseconds. */
const LONGEST_MS = 5000;
/**
 * The default for the longest wait for the serving side, in milliseconds, and the pause between
 * questions.
 */
const READY_MS = 10_000;
const AGAIN_MS = 200;

/** Rebuilds the error of the serving side. Without a code, it is not a `GraupelError`. */
function received({ message, code, field, permanent }: NonNullable<Answer["refusal"]>): Error {
  const error =
    code === undefined
      ? new Error(message)
      : new GraupelError(code as ErrorCode, message.replace(` [${code}]`, ""), field);
  return Object.assign(error, permanent && { permanent });
}

/**
 * A channel to the serving side. It is open only while an answer is pending, so that it keeps no
 * thread or process alive.
 */
interface Channel {
  open(hear: (message: unknown) => void): void;
  /** Sends a message. Calls `failed` if that is impossible. */
  send(message: object, failed: (error: Error | null) => void): void;
  close(hear: (message: unknown) => void): void;
}

function channelTo(from: string | OwnProcess): Channel {
  if (typeof from === "string" && from !== "") {
    let channel: BroadcastChannel;
    return {
      open(hear) {
        channel = new BroadcastChannel(from);
        channel.onmessage = ({ data }) => hear(data);
      },
      send: (message) => channel.postMessage(message),
      close: () => channel.close(),
    };
  }
  const { send, on } = Object(from) as Readonly<Record<string, unknown>>;
  if (typeof send !== "function" || typeof on !== "function") {
    return typeError("from", from, "the served name, or process in a forked process");
  }
  const process = from as Required<OwnProcess>;
  return {
    open: (hear) => process.on("message", hear),
    send: (message, failed) => process.send(message, (error) => error && failed(error)),
    close: (hear) => process.off("message", hear),
  };
}

/**
 * The store that another thread or process serves with `serve`.
 *
 * Errors: `TYPE`; its calls reject with the errors of the served store, with `LEASE_STORE` without
 * an answer, and with `CONFLICT` if two threads serve the same name.
 *
 * @param from In a thread, the served name; in a worker of a cluster or another forked process,
 *   `process`.
 *
 * @example
 * ```js
 * import { twitter } from "graupel";
 * import { lease, memory } from "graupel/lease";
 * import { serve, threads } from "graupel/lease/threads";
 * serve(memory({ reach: "alone" }), "numbers");
 * // The same in any other thread of this process:
 * const options = { format: twitter, namespace: "orders", ttlMs: 1000, quarantineMs: 1000 };
 * const worker = await lease(threads("numbers"), options);
 * const ids = twitter.generator({ lease: worker });
 * console.log(twitter.inspect(ids.next()).workerId);   // 0
 * await worker.release();
 * ```
 */
export function threads(from: string | OwnProcess): LeaseStore {
  const channel = channelTo(from);
  /** The pending requests by ID. */
  const pending = new Map<string, (answer: Answer) => void>();
  const hear = (message: unknown) => {
    const { [ID]: id, ...rest } = Object(message) as Answer;
    // The channel also carries requests of other threads, and some programs send every message
    // back.
    if (!("call" in rest)) {
      pending.get(id)?.(message as Answer);
    }
  };

  let isOpen = false;
  function rest(): void {
    if (isOpen && pending.size === 0) {
      isOpen = false;
      channel.close(hear);
    }
  }

  async function ask<T>(call: Call, request: unknown, limitMs = LONGEST_MS): Promise<T> {
    // Do not use Math.random: a seeded one could draw the same IDs in several threads.
    const id = crypto.randomUUID();
    if (!isOpen) {
      isOpen = true;
      channel.open(hear);
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      const { answer, refusal } = await new Promise<Answer>((resolve) => {
        const fail = (why: string) =>
          resolve({
            [ID]: id,
            refusal: { code: "LEASE_STORE", field: "store", message: `store: ${why} [LEASE_STORE]` },
          });
        timer = setTimeout(fail, limitMs, "no answer; call serve in the main thread or the primary");
        pending.set(id, resolve);
        channel.send({ [ID]: id, call, request }, (error) => fail(`${error?.message}`));
      });
      if (refusal) {
        throw received(refusal);
      }
      return answer as T;
    } finally {
      clearTimeout(timer);
      pending.delete(id);
      // Wait before closing: the next question may follow, and in Deno a channel that replaces
      // another one at once receives nothing.
      setTimeout(rest);
    }
  }

  return {
    durable: false,
    async ready({ maxWaitMs = READY_MS, signal } = {}) {
      const end = performance.now() + maxWaitMs;
      for (;;) {
        try {
          Object.assign(this, await ask("ready", null, AGAIN_MS));
          return;
        } catch (error) {
          if (signal?.aborted) {
            throw signal.reason;
          }
          if (performance.now() > end || (error as { code?: string }).code === "CONFLICT") {
            throw error;
          }
        }
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    },
    acquire: (request) => ask("acquire", request),
    renew: (request) => ask("renew", request),
    release: (request) => ask("release", request),
    list: (namespace) => ask("list", namespace),
  };
}
