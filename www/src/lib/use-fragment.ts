/** Keeps the texts of a page's inputs in the address after the "#". */
import { useCallback, useLayoutEffect, useRef, useState } from "preact/hooks";
import { readFragment, writeFragment } from "./fragment.ts";
import type { Texts } from "./offered.ts";

/**
 * Returns the texts and a function that changes some of them. `follow`: called with the texts of
 * another link to the same page, when the reader opens one. A single listener updates the texts and
 * calls `follow`: with two listeners, the page could render between their calls, and rendering
 * removes and adds listeners.
 */
export function useFragment(follow?: (link: Texts) => void): readonly [Texts, (changes: Texts) => void] {
  const [texts, setTexts] = useState<Texts>(() => Object.fromEntries(readFragment()));
  const latest = useRef(follow);
  latest.current = follow;
  // Add the listener before the page is painted, so that a link that is opened at once is not
  // missed.
  useLayoutEffect(() => {
    const change = () => {
      // A link to a section of the page leaves the inputs unchanged.
      if (!location.hash.includes("=") && location.hash !== "") return;
      const link = Object.fromEntries(readFragment());
      setTexts(link);
      latest.current?.(link);
    };
    addEventListener("hashchange", change);
    return () => removeEventListener("hashchange", change);
  }, []);
  const change = useCallback(
    (changes: Texts) =>
      setTexts((before) => {
        const after = { ...before, ...changes };
        writeFragment(after);
        return after;
      }),
    [],
  );
  return [texts, change];
}
