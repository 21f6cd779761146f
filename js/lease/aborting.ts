/** Many that wait for one signal add one listener to it: Node 20 warns of more than ten. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `work` when the signal is aborted. Returns a function that ends this. */
export function onAbort(signal: AbortSignal, work: () => void): () => void {
  let all = waiting.get(signal);
  if (all === undefined) {
    const added = new Set<() => void>();
    signal.addEventListener("abort", () => {
      for (const one of added) {
        one();
      }
    });
    waiting.set(signal, added);
    all = added;
  }
  all.add(work);
  return () => all.delete(work);
}
