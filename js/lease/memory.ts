/**
 * A store in the memory of this realm, for tests, simulations, and the threads and child processes
 * of one program.
 */

import { callback, flag, pickOptions } from "../checks.js";
import { typeError } from "../errors.js";
import { acquire, grantOf, type NamespaceRecord, type NumberRecord, release, renew } from "./store-rules.js";
import type { LeaseStore } from "./types.js";

/** Options of `memory`. */
export interface MemoryOptions {
  /** The store's clock, in Unix milliseconds; `Date.now` by default. */
  readonly clock?: (() => number) | undefined;
  /** Whether it follows the rules of a store that loses no writes; true by default. */
  readonly durable?: boolean | undefined;
  /**
   * Confirms that nothing else provides numbers for the same column, queue or topic: no other host,
   * container or program, and no thread with its own store. Each of them starts at number 0. All
   * such stores of one realm share their numbers, and have a default `ttlMs` of 3,000.
   */
  readonly reach?: "alone" | undefined;
}

/** The records by namespace. */
type Namespaces = Map<string, { record: NamespaceRecord; readonly numbers: Map<number, NumberRecord> }>;

/** The namespaces of the realm, shared by all copies of this module. */
function namespacesOfRealm(): Namespaces {
  const key = Symbol.for("graupel.lease.memory/1");
  const realm = globalThis as { [key: symbol]: Namespaces | undefined };
  realm[key] ??= new Map();
  return realm[key];
}

/**
 * A store in the memory of this process, which is lost when the process ends. Without `reach`, for
 * tests, each store has its own namespaces. With `reach`, it serves the threads of this process and
 * the processes that it forks, through `serve` of `graupel/lease/threads`. The first number of a
 * new namespace waits for a quarantine, so every start of the program waits.
 *
 * Errors: `TYPE`, `UNKNOWN_OPTION`.
 *
 * @example
 * ```js
 * import { twitter } from "graupel";
 * import { lease, memory } from "graupel/lease";
 * const worker = await lease(memory(), { format: twitter, namespace: "orders", ttlMs: 1000, quarantineMs: 1000 });
 * const ids = twitter.generator({ lease: worker });
 * console.log(twitter.inspect(ids.next()).workerId);   // 0
 * await worker.release();
 * ```
 */
export function memory(options: MemoryOptions = {}): LeaseStore {
  const given = pickOptions(options, "options", ["clock", "durable", "reach"]);
  const { durable: isDurable = true, reach } = given;
  const durable = flag(isDurable, "durable");
  // Look up `Date.now` in each call, so that fake timers work.
  const clock = callback<() => number>(given.clock, "clock") ?? (() => Date.now());
  if (reach !== undefined && reach !== "alone") {
    return typeError("reach", reach, '"alone", if no other program feeds the column');
  }
  const namespaces: Namespaces = reach ? namespacesOfRealm() : new Map();
  return {
    durable,
    // `serve` rejects a store without it: that one is for tests.
    ...{ reach },
    // The same as for a file on this host.
    ...(reach !== undefined && { ttlMs: 3000, apartMs: 1000 }),
    async acquire(request) {
      const now = Math.floor(clock());
      const { namespace: name, layout } = request;
      const found = namespaces.get(name) ?? { record: { layout, born: now }, numbers: new Map() };
      namespaces.set(name, found);
      const { write, answer, quarantineMs } = acquire(found.record, found.numbers, request, now, durable);
      if (write) {
        found.numbers.set(...write);
      }
      if (quarantineMs) {
        found.record = { ...found.record, quarantineMs };
      }
      return { ...answer, quarantineMs };
    },
    async renew(request) {
      const now = Math.floor(clock());
      const { record, numbers } = namespaces.get(request.namespace) ?? {};
      const after = renew(numbers?.get(request.number), request, now, durable);
      if (after === undefined) {
        return null;
      }
      numbers?.set(request.number, after);
      return { ...grantOf(request.number, after, now), quarantineMs: record?.quarantineMs };
    },
    async release(request) {
      const numbers = namespaces.get(request.namespace)?.numbers;
      const after = release(numbers?.get(request.number), request);
      if (after) {
        numbers?.set(request.number, after);
      }
    },
    async list(namespace) {
      const now = Math.floor(clock());
      const numbers = namespaces.get(namespace)?.numbers ?? new Map<number, NumberRecord>();
      return [...numbers].map(([number, { token, from, mark, label }]) => ({
        number,
        held: token !== "",
        from,
        mark,
        label,
        now,
      }));
    },
    async forget(namespace) {
      namespaces.delete(namespace);
    },
  };
}
