/** The texts of a page's inputs, kept in the address after the "#". */
import { useCallback, useEffect, useState } from "preact/hooks";
import { readFragment, writeFragment } from "./fragment.ts";
import type { Texts } from "./subjects.ts";

/** The texts, and a function that changes some. */
export function useFragment(): readonly [Texts, (changes: Texts) => void] {
  const [texts, setTexts] = useState<Texts>(() => Object.fromEntries(readFragment()));
  useEffect(() => {
    // Someone opens another link to the same page. A link to a part of the page leaves the inputs as they are.
    const change = () => {
      if (location.hash.includes("=") || location.hash === "") setTexts(Object.fromEntries(readFragment()));
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
