/** Finds sections in the search index that the build has written. */
import MiniSearch, { type SearchOptions } from "minisearch";
import { OPTIONS, processQuery, type Section } from "./options.mjs";

/** A part of a text: either words of the query or the text around them. */
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
  /** The words of the query that no page contains. */
  readonly unknown: readonly string[];
}

let index: MiniSearch<Section> | undefined;

/** `text`: the index file. */
export async function useIndex(text: string): Promise<void> {
  index = await MiniSearch.loadJSONAsync(text, OPTIONS);
}

/** The length of an excerpt, and how much of it precedes the first word of the query. */
const SHOWN = 140;
const BEFORE = 40;

/** An excerpt around the first word of the query, cut between words. */
function excerpt(text: string, words: RegExp): string {
  const at = text.search(words);
  const from = at > BEFORE ? text.indexOf(" ", at - BEFORE) + 1 : 0;
  const end = from + SHOWN < text.length ? text.lastIndexOf(" ", from + SHOWN) : text.length;
  return `${from > 0 ? "… " : ""}${text.slice(from, end)}${end < text.length ? " …" : ""}`;
}

/** An excerpt, split at the words of the query. */
function pieces(text: string, terms: readonly string[]): Piece[] {
  const words = terms
    .map((term) => term.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&"))
    // A term is the beginning of a word. A short one must not be marked in a longer word, such as
    // "id" in "idea".
    .map((term) => (term.length < 4 ? `${term}(?!\\w\\w)` : `${term}\\w*`))
    .join("|");
  return excerpt(text, new RegExp(`(?<!\\w)(?:${words})`, "i"))
    .split(new RegExp(`(?<!\\w)(${words})`, "gi"))
    .map((part, i) => ({ words: part, marked: i % 2 === 1 }))
    .filter((piece) => piece.words !== "");
}

/** Words of at least this length may be incomplete, and so may the last word. */
const WHOLE = 5;

/** Matches the name of an export or a member, but not of a format. */
const NAME = /[a-z][A-Z]/;

const SEARCH: SearchOptions = {
  processTerm: processQuery,
  prefix: (term, i, terms) => term.length >= WHOLE || i === terms.length - 1,
  boost: { page: 3, heading: 5, line: 3, also: 4 },
};

/** The number of wrong letters that are tolerated in a word that no page contains. */
const WRONG = 2;

/** The results, best first. A section with more words of the query comes before one with fewer. */
export function find(query: string): Answer {
  const search = index;
  if (search === undefined) throw new Error("the index is not loaded");
  const words = query.split(/[\s\p{P}]+/u).filter((word) => word !== "" && processQuery(word) !== null);
  const unknown = words.filter((word) => search.search(word, SEARCH).length === 0);
  const misspelt = new Set(unknown.map(processQuery));
  const fuzzy = (term: string) => misspelt.has(term) && term.length >= WRONG * 2 && WRONG;
  // A reader who types an exact name wants that export, not only a guide that mentions it.
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
