/** Keeps the text of the page with its IDs, and the history of its edits. */
import { useCallback, useMemo, useState } from "preact/hooks";
import type { Found } from "../find/types.ts";
import { type Before, type Entry, mainOf, type Rewritten, readAgain, rewrite } from "./edits.ts";

export type Finder = (text: string) => readonly Found[];

function entryOf(text: string, find: Finder): Entry {
  const found = find(text);
  return { text, found, chosen: mainOf(found), before: {} };
}

/** The input, and its state after each edit. `by`: the function that found the IDs. */
interface Past {
  readonly by: Finder;
  readonly states: readonly [Entry, ...Entry[]];
}

export function useEntry(first: string, find: Finder) {
  const [kept, setPast] = useState<Past>(() => ({ by: find, states: [entryOf(first, find)] }));
  // If the declared epoch or layout changes, the same text may contain other IDs.
  const past = useMemo<Past>(() => {
    if (kept.by === find) return kept;
    const last = kept.states.at(-1) as Entry;
    return { by: find, states: [readAgain(last, find(last.text))] };
  }, [kept, find]);
  const entry = past.states.at(-1) as Entry;

  const enter = useCallback((text: string) => setPast({ by: find, states: [entryOf(text, find)] }), [find]);
  const edit = (rewritten: Rewritten, before: Before) =>
    setPast({ by: find, states: [...past.states, rewrite(entry, rewritten, before)] });
  const choose = (chosen: number) =>
    setPast({ by: find, states: [...past.states.slice(0, -1), { ...entry, chosen }] as never });
  /** Shows a single ID from a file. */
  const open = (one: Found) => {
    const alone = { ...one, start: 0, end: one.text.length };
    setPast({ by: find, states: [{ text: one.text, found: [alone], chosen: 0, before: {} }] });
  };
  const undo = () => {
    if (past.states.length > 1) setPast({ by: find, states: past.states.slice(0, -1) as never });
  };
  const restore = () => setPast({ by: find, states: [{ ...past.states[0], chosen: entry.chosen }] });
  return { entry, isEdited: past.states.length > 1, enter, edit, choose, open, undo, restore };
}
