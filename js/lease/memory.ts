/** A store in the memory of this realm: for tests, and for simulations. */
import { acquire, type NamespaceRecord, type NumberRecord, release, renew } from "./rules.js";
import type { LeaseStore } from "./types.js";

/** What `memory` takes. */
export interface MemoryOptions {
  /** The store's clock, in Unix milliseconds; `Date.now` if left out. */
  readonly clock?: (() => number) | undefined;
  /** Whether it keeps to the rules of a store that loses no write; true if left out. */
  readonly durable?: boolean | undefined;
}

/**
 * A store that forgets all when the realm ends: for tests. Its namespaces are its own, so two stores know nothing of each other.
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
export function memory({ clock = Date.now, durable = true }: MemoryOptions = {}): LeaseStore {
  const namespaces = new Map<
    string,
    { readonly record: NamespaceRecord; readonly numbers: Map<number, NumberRecord> }
  >();
  return {
    durable,
    async acquire(request) {
      const now = Math.floor(clock());
      const { namespace: name, layout } = request;
      const found = namespaces.get(name) ?? { record: { layout, born: now }, numbers: new Map() };
      namespaces.set(name, found);
      const { write, answer } = acquire(found.record, found.numbers, request, now, durable);
      if (write) {
        found.numbers.set(write.number, write.record);
      }
      return answer;
    },
    async renew(request) {
      const now = Math.floor(clock());
      const numbers = namespaces.get(request.namespace)?.numbers;
      const after = renew(numbers?.get(request.number), request, now, durable);
      if (after === undefined) {
        return null;
      }
      numbers?.set(request.number, after);
      return { number: request.number, from: after.from, until: after.mark, now };
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
