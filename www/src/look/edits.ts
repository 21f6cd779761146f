/**
 * A text with its IDs, and the effect of edits. An ID is identified by its position, so that an
 * edit changes no other ID with the same text.
 */
import type { Found } from "../find/types.ts";

/** An ID before its first edit. */
export interface Before {
  /** The key of the reading in which the ID was edited. */
  readonly key: string;
  readonly integer: bigint;
}

export interface Entry {
  readonly text: string;
  readonly found: readonly Found[];
  /** The index of the ID that the page shows. */
  readonly chosen: number;
  /** The original of each edited ID, by index. */
  readonly before: Readonly<Record<number, Before>>;
}

/** The chosen ID after an edit. */
export type Rewritten = Pick<Found, "text" | "readings" | "notes" | "certainty">;

/** Replaces the chosen ID. IDs after it move, but all of them keep their readings. */
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

/** How often a text contains an ID, and the number of this occurrence, from 1. */
export interface Repeat {
  readonly times: number;
  readonly nth: number;
}

/** The occurrences of the chosen ID in the text. */
export function repeatOf({ found, chosen }: Pick<Entry, "found" | "chosen">): Repeat {
  const same = found.filter(({ text }) => text === found[chosen]?.text);
  return { times: same.length, nth: same.indexOf(found[chosen] as Found) + 1 };
}

/** The index of the ID to show first: the one that an address leads to, if there is one. */
export const mainOf = (found: readonly Found[]): number =>
  Math.max(
    0,
    found.findIndex(({ isMain }) => isMain),
  );

/** The same text with new readings. The ID at the same position stays chosen. */
export function readAgain(entry: Entry, found: readonly Found[]): Entry {
  const place = entry.found[entry.chosen]?.start;
  const same = found.findIndex(({ start }) => start === place);
  return { text: entry.text, found, chosen: same < 0 ? mainOf(found) : same, before: {} };
}
