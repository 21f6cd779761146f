/** A store in the memory of this realm: for its own threads and processes, for tests, and for simulations. */

import { callback, flag, orDefault, pickOptions } from "../checks.js";
import { typeError } from "../errors.js";
import { acquire, grantOf, type NamespaceRecord, type NumberRecord, release, renew } from "./store-rules.js";
import type { LeaseStore } from "./types.js";

/** What `memory` takes. */
export interface MemoryOptions {
  /** The store's clock, in Unix milliseconds; `Date.now` if left out. */
  readonly clock?: (() => number) | undefined;
  /** Whether it keeps to the rules of a store that loses no write; true if left out. */
  readonly durable?: boolean | undefined;
  /**
   * States that nobody else feeds the column, queue or topic that the IDs meet in: no other host, container or program, and no other thread
   * with such a store, as each of them begins with number 0. All such stores of one realm have the same numbers, and a `ttlMs` of 3,000 if
   * nothing else is said.
   */
  readonly reach?: "alone" | undefined;
}

/** The records by the names of their namespaces. */
type Namespaces = Map<string, { record: NamespaceRecord; readonly numbers: Map<number, NumberRecord> }>;

/** Those of the realm, also of a module that is loaded again. */
function namespacesOfRealm(): Namespaces {
  const key = Symbol.for("graupel.lease.memory/1");
  const realm = globalThis as { [key: symbol]: Namespaces | undefined };
  realm[key] ??= new Map();
  return realm[key];
}

/**
 * A store that forgets all when the process ends: for tests, where its namespaces are its own; or, with `reach`, for the threads of this
 * process and the processes that it forks, which `serve` of `graupel/lease/threads` lets ask for numbers. A new namespace waits for a
 * quarantine, and so does each start of the program.
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
  const durable = flag(orDefault(given.durable, true), "durable");
  const { reach } = given;
  // `Date.now` is looked up at each call, so that a fake one takes effect, and ends.
  const clock = callback<() => number>(given.clock, "clock") ?? (() => Date.now());
  if (reach !== undefined && reach !== "alone") {
    return typeError("reach", reach, '"alone": no other program feeds the same column');
  }
  const namespaces: Namespaces = reach ? namespacesOfRealm() : new Map();
  return {
    durable,
    // By this, `serve` knows what is for tests alone.
    ...{ reach },
    // As for a file on this host.
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
