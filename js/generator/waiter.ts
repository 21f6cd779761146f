/** The calls that wait in a queue: the first of them, and those of each signal. */
import type { Waiter } from "../identity/shared.js";

/** A function that returns who has waited longest; undefined if nobody waits. */
export function firstOf(waiters: Set<Waiter>): () => Waiter | undefined {
  // One iterator for all calls: a new one would skip over all deleted entries again.
  let order = waiters.values();
  let first: Waiter | undefined;
  return () => {
    first = waiters.has(first as Waiter) ? first : undefined;
    while (first === undefined && waiters.size > 0) {
      first = order.next().value;
      if (first === undefined) {
        // The end, and still somebody waits: a cut has passed over them.
        order = waiters.values();
      }
    }
    return first;
  };
}

/** The calls of each signal. */
interface Signals {
  watch(waiter: Waiter): void;
  unwatch(waiter: Waiter): void;
}

/** No calls. `onAbort` is called with all calls of a signal, when it is aborted. */
export function signals(onAbort: (calls: Set<Waiter>) => void): Signals {
  const bySignal = new Map<AbortSignal, Set<Waiter>>();
  /** One listener for all calls of a signal, because platforms warn about many listeners. */
  const abort = ({ target }: Event) => {
    try {
      onAbort(bySignal.get(target as AbortSignal) as Set<Waiter>);
    } catch {
      // The stack is full: `poll` rejects the others in their turn. What a listener throws would end the process.
    }
  };
  return {
    watch(waiter) {
      const { signal } = waiter;
      if (signal) {
        const calls = bySignal.get(signal) ?? new Set();
        bySignal.set(signal, calls.add(waiter));
        signal.addEventListener("abort", abort);
      }
    },
    unwatch(waiter) {
      const { signal } = waiter;
      const calls = signal && bySignal.get(signal);
      if (calls?.delete(waiter) && calls.size === 0) {
        bySignal.delete(signal as AbortSignal);
        signal?.removeEventListener("abort", abort);
      }
    },
  };
}
