/** What the first view does not need is loaded once it is wanted. */
import { useEffect, useState } from "preact/hooks";

/** The module, once it is there. A failure (no network, and not yet kept) leaves the page as it is, and is said in the console. */
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
