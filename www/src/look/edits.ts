/** A text with its IDs, and what edits make of it. An ID is known by its place, so that an edit changes that one alone. */
import type { Found } from "../find/types.ts";

/** What an ID was before its first edit. */
export interface Before {
  /** The reading by which it was changed. */
  readonly key: string;
  readonly integer: bigint;
}

export interface Entry {
  readonly text: string;
  readonly found: readonly Found[];
  /** Which of them is shown. */
  readonly chosen: number;
  /** What became of each that was changed, by its index. */
  readonly before: Readonly<Record<number, Before>>;
}

/** What an edit makes of the chosen ID. */
export type Rewritten = Pick<Found, "text" | "readings" | "notes" | "certainty">;

/** Puts an ID into the place of the chosen one. Those behind it move along; all keep their readings. */
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

/** How often a text has an ID, and which of these it is, from 1. */
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
