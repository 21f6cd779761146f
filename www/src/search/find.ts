/** Finds sections in the index that the build has made. */
import MiniSearch, { type Query, type SearchOptions, type SearchResult } from "minisearch";
import { OPTIONS, type Section, stemOf, tokenize } from "./terms.mjs";
import { swapped, type Word, wordsOf } from "./words.ts";

/** A part of a text: words that were searched for, or what stands around them. */
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
  const longest = [...terms].sort((a, b) => b.length - a.length).join("|");
  return excerpt(text, new RegExp(longest, "i"))
    .split(new RegExp(`(${longest})`, "gi"))
    .map((part, i) => ({ words: part, marked: i % 2 === 1 }))
    .filter((piece) => piece.words !== "");
}

/** How a word is looked for, once it is a term. */
const BASE: SearchOptions = {
  boost: { page: 2, heading: 5, line: 4 },
  boostDocument: (_id, _term, stored) => Number(stored?.weight ?? 1),
  processTerm: termOf,
};

/** A name in camel case stays whole: who writes "notBefore" means the name. */
function termOf(word: string): string {
  const small = word.toLowerCase();
  return /[a-z][A-Z]/.test(word) ? small : stemOf(small);
}

/** Words of the index for one that is not in it: with two letters swapped back, or with one or two others. */
function queryOf({ text, also }: Word, search: MiniSearch<Section>, last: string): Query {
  // A longer word may be incomplete, and so may the last one.
  const prefix = (term: string) => term.length > 4 || term === termOf(last);
  const known = (word: string) => search.search(word, { ...BASE, prefix }).length > 0;
  const whole: Query = { combineWith: "AND", queries: [text], prefix };
  if (known(text)) return { combineWith: "OR", queries: [whole, ...also] };
  const others = swapped(text).filter(known);
  if (others.length > 0 || also.length > 0)
    return { combineWith: "OR", queries: [...others, ...also], prefix };
  return { combineWith: "OR", queries: [text], prefix, fuzzy: text.length > 4 ? 0.25 : false };
}

/** Results of all words are enough from so many on; before that, those of some words follow. */
const ENOUGH = 3;

/** Who writes a name of code as it is, means that: it counts as much as so many others. A single plain word is no such name. */
const EXACT = 12;
const NAME = /[a-z][A-Z]|_/;

function byScore(query: string, results: SearchResult[]): SearchResult[] {
  const scoreOf = ({ section, page, score }: SearchResult) =>
    (section || page) === query && NAME.test(query) ? score * EXACT : score;
  return results.sort((a, b) => scoreOf(b) - scoreOf(a));
}

/** The likeliest first: sections with all words before those with some. */
export function find(query: string): Found[] {
  const search = index;
  if (search === undefined) throw new Error("the index is not loaded");
  const words = wordsOf(query, tokenize);
  const queries = words.map((word) => queryOf(word, search, words.at(-1)?.text ?? ""));
  const all = byScore(query.trim(), search.search({ combineWith: "AND", queries }, BASE));
  const some =
    all.length < ENOUGH && words.length > 1 ? search.search({ combineWith: "OR", queries }, BASE) : [];
  const ids = new Set(all.map(({ id }) => id));
  return [...all, ...some.filter(({ id }) => !ids.has(id))].map(
    ({ path, page, section, body, group, terms }) => {
      return { path, page, section, group, pieces: pieces(body, terms) };
    },
  );
}
