/** Finds sections in the index that the build has made. */
import MiniSearch, { type SearchOptions } from "minisearch";
import { OPTIONS, processQuery, type Section } from "./options.mjs";

/** A part of a text: words that were searched for, or the text around them. */
export interface Piece {
  readonly words: string;
  readonly marked: boolean;
}

export interface Found {
  readonly path: string;
  readonly page: string;
  readonly section: string;
  /** The group of the page in the contents. */
  readonly group: string;
  readonly pieces: readonly Piece[];
}

export interface Answer {
  readonly found: readonly Found[];
  /** Words of the question that are on no page. */
  readonly unknown: readonly string[];
}

let index: MiniSearch<Section> | undefined;

/** `text`: the file that the build has made. */
export async function useIndex(text: string): Promise<void> {
  index = await MiniSearch.loadJSONAsync(text, OPTIONS);
}

/** How much text a result shows, and how much of it before the first word that was found. */
const SHOWN = 140;
const BEFORE = 40;

/** A part of the text, around the first of the words, cut between words. */
function excerpt(text: string, words: RegExp): string {
  const at = text.search(words);
  const from = at > BEFORE ? text.indexOf(" ", at - BEFORE) + 1 : 0;
  const end = from + SHOWN < text.length ? text.lastIndexOf(" ", from + SHOWN) : text.length;
  return `${from > 0 ? "… " : ""}${text.slice(from, end)}${end < text.length ? " …" : ""}`;
}

/** The text around the words found, split at them. */
function pieces(text: string, terms: readonly string[]): Piece[] {
  // The longest first: "before" must not cut "notBefore" in two.
  const longest = [...terms]
    .sort((a, b) => b.length - a.length)
    .map((term) => term.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&"))
    .join("|");
  return excerpt(text, new RegExp(longest, "i"))
    .split(new RegExp(`(${longest})`, "gi"))
    .map((part, i) => ({ words: part, marked: i % 2 === 1 }))
    .filter((piece) => piece.words !== "");
}

/** A longer word may be incomplete, and so may the last one. */
const WHOLE = 5;

/** Matches the name of an export or a member, but not of a format. */
const NAME = /[a-z][A-Z]/;

const SEARCH: SearchOptions = {
  processTerm: processQuery,
  prefix: (term, i, terms) => term.length >= WHOLE || i === terms.length - 1,
  boost: { page: 3, heading: 5, line: 3, also: 4 },
};

/** How many letters of a word that is on no page may be wrong. */
const WRONG = 2;

/** The likeliest first. A section with more of the words comes before one with fewer. */
export function find(query: string): Answer {
  const search = index;
  if (search === undefined) throw new Error("the index is not loaded");
  const words = query.split(/[\s\p{P}]+/u).filter((word) => word !== "" && processQuery(word) !== null);
  const unknown = words.filter((word) => search.search(word, SEARCH).length === 0);
  const misspelt = new Set(unknown.map(processQuery));
  const fuzzy = (term: string) => misspelt.has(term) && term.length >= WRONG * 2 && WRONG;
  // A reader who types an exact name wants that export, and not only a guide that mentions it.
  const name = NAME.test(query) ? query.trim() : undefined;
  const results = search.search(query, {
    ...SEARCH,
    fuzzy,
    boostDocument: (_id, _term, stored) =>
      (stored?.section || stored?.page) === name ? 1 : Number(stored?.weight),
  });
  const found = results.map(({ path, page, section, body, group, terms }) => {
    return { path, page, section, group, pieces: pieces(body, terms) };
  });
  return { found, unknown };
}
