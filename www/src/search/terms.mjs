// How texts become search terms: the same when the index is made and when somebody searches.

import { stemmer } from "stemmer";

/** Where the index is, from the site's root. */
export const INDEX = "search.json";

/** "restarts" and "restarting" are found by "restart". A name with digits or underscores has no such forms. */
export const stemOf = (word) => (/^[a-z]+$/.test(word) ? stemmer(word) : word);

/**
 * A word and, if it is a name of several words, its parts: "notBefore" and NOT_BEFORE are found by "before", and by "not before".
 */
export function processTerm(word) {
  const whole = word.toLowerCase();
  const parts = word.split(/(?<=[a-z0-9])(?=[A-Z])|_/).filter((part) => part !== "");
  if (parts.length > 1) return [whole, ...parts.map((part) => stemOf(part.toLowerCase()))];
  return whole.length > 1 || /\d/.test(whole) ? stemOf(whole) : null;
}

/** Words: everything between spaces and punctuation. CLOCK_BACKWARDS is one word. */
export const tokenize = (text) => text.split(/[^\p{L}\p{N}_]+/u).filter((word) => word !== "");

/** For MiniSearch. The first section of a page has the page's name, and `line`: what the list of pages says of it. */
export const OPTIONS = {
  fields: ["page", "heading", "line", "body"],
  storeFields: ["path", "page", "section", "body", "group", "weight"],
  extractField: (entry, name) => (name === "heading" ? entry.section || entry.page : entry[name]),
  processTerm,
  tokenize,
};
