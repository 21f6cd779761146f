/** Loads a module that the first view does not need, once it is needed. */
import { useEffect, useState } from "preact/hooks";

/**
 * The module, once it is there. After a failure (no network, and not in the cache), the page stays
 * as it is, and the console shows the error.
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
