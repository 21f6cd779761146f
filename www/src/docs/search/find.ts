/** Finds sections in the index that the build has made. */
import MiniSearch from "minisearch";
import { OPTIONS, type Section } from "./terms.mjs";

/** A part of a text: words that were searched for, or what stands around them. */
export interface Piece {
  readonly words: string;
  readonly marked: boolean;
}

export interface Found {
  readonly path: string;
  readonly page: string;
  readonly section: string;
  readonly pieces: readonly Piece[];
}

let index: MiniSearch<Section> | undefined;

export async function loadIndex(address: URL): Promise<void> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  index = await MiniSearch.loadJSONAsync(await response.text(), OPTIONS);
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

/** Who searches wants to be told first, and to look up second; the project's own papers come last. */
const boostDocument = (_id: unknown, _term: string, stored?: Record<string, unknown>): number => {
  const path = String(stored?.path);
  if (/^docs\/(?:guide|restarts|platforms)\//.test(path)) return 2;
  if (path.startsWith("docs/formats/")) return 1.3;
  return path.startsWith("docs/reference/") ? 1 : 0.5;
};

/** The likeliest first. The last word may be incomplete; longer words may have a letter wrong. */
export function find(query: string): Found[] {
  if (index === undefined) throw new Error("the index is not loaded");
  return index
    .search(query, {
      combineWith: "AND",
      prefix: true,
      fuzzy: (term) => (term.length > 5 ? 0.15 : false),
      boost: { page: 3, section: 4 },
      boostDocument,
      // Not in parts: who writes "notBefore" means the name.
      processTerm: (word) => word.toLowerCase(),
    })
    .map(({ path, page, section, body, terms }) => ({ path, page, section, pieces: pieces(body, terms) }));
}
