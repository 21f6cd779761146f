/** The texts of a page's inputs, kept in the address after the "#". */
import { useCallback, useLayoutEffect, useRef, useState } from "preact/hooks";
import { readFragment, writeFragment } from "./fragment.ts";
import type { Texts } from "./offered.ts";

/**
 * The texts, and a function that changes some. `follow` gets the texts of another link to the same page, when someone opens one.
 * One listener does both: between two, the page may be drawn, which removes and adds listeners.
 */
export function useFragment(follow?: (link: Texts) => void): readonly [Texts, (changes: Texts) => void] {
  const [texts, setTexts] = useState<Texts>(() => Object.fromEntries(readFragment()));
  const latest = useRef(follow);
  latest.current = follow;
  // Before the page is painted: a link that is followed at once is not missed.
  useLayoutEffect(() => {
    const change = () => {
      // A link to a part of the page leaves the inputs as they are.
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
