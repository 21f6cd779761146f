/**
 * A text with its IDs, and how edits change it. An ID is identified by its place, so that an edit
 * changes only that one.
 */
import type { Found } from "../find/types.ts";

/** What an ID was before its first edit. */
export interface Before {
  /** The key of the reading under which the ID was edited. */
  readonly key: string;
  readonly integer: bigint;
}

export interface Entry {
  readonly text: string;
  readonly found: readonly Found[];
  /** The index of the ID that is shown. */
  readonly chosen: number;
  /** Each ID that was changed, by its index. */
  readonly before: Readonly<Record<number, Before>>;
}

/** The chosen ID after an edit. */
export type Rewritten = Pick<Found, "text" | "readings" | "notes" | "certainty">;

/** Replaces the chosen ID. Later IDs are shifted; all keep their readings. */
export function rewrite(entry: Entry, rewritten: Rewritten, before: Before): Entry {
  const { text, found, chosen } = entry;
  const old = found[chosen];
  if (old === undefined) return entry;
  const end = old.start + rewritten.text.length;
  const shift = end - old.end;
  return {
    text: text.slice(0, old.start) + rewritten.text + text.slice(old.end),
    found: found.map((one, index) => {
      if (index === chosen) return { ...rewritten, start: old.start, end };
      return one.start < old.end ? one : { ...one, start: one.start + shift, end: one.end + shift };
    }),
    chosen,
    before: { ...entry.before, [chosen]: entry.before[chosen] ?? before },
  };
}

/** How often a text contains an ID, and which occurrence this one is, from 1. */
export interface Repeat {
  readonly times: number;
  readonly nth: number;
}

/** Where else the text has the chosen ID. */
export function repeatOf({ found, chosen }: Pick<Entry, "found" | "chosen">): Repeat {
  const same = found.filter(({ text }) => text === found[chosen]?.text);
  return { times: same.length, nth: same.indexOf(found[chosen] as Found) + 1 };
}

/** Which of the IDs is shown first: the one to which an address leads. */
export const mainOf = (found: readonly Found[]): number =>
  Math.max(
    0,
    found.findIndex(({ isMain }) => isMain),
  );

/** The same text read anew, with the ID at the same place chosen. */
export function readAgain(entry: Entry, found: readonly Found[]): Entry {
  const place = entry.found[entry.chosen]?.start;
  const same = found.findIndex(({ start }) => start === place);
  return { text: entry.text, found, chosen: same < 0 ? mainOf(found) : same, before: {} };
}
