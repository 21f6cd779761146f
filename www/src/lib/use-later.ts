/** Loads a module on demand, if the first view does not need it. */
import { useEffect, useState } from "preact/hooks";

/**
 * Returns the module once it is loaded. If it cannot be loaded (no network, and not in the cache),
 * the page stays as it is, and the console shows the error.
 */
export function useLater<T>(isWanted: boolean, load: () => Promise<T>): T | undefined {
  const [loaded, setLoaded] = useState<{ readonly module: T }>();
  useEffect(() => {
    if (!isWanted || loaded !== undefined) return;
    load().then(
      (module) => setLoaded({ module }),
      (error: unknown) => console.warn("not loaded:", error),
    );
  }, [isWanted, loaded, load]);
  return loaded?.module;
}
