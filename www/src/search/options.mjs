// MiniSearch's options for building and searching the index. The build and the page share them.

import { stemmer } from "stemmer";

/** The path of the index, from the site's root. */
export const INDEX = "search.json";

/** Words that do not tell the topic of a question. */
const STOP_WORDS = new Set(
  `a about all an and any are as at be but by can could did do does for from get got had happen happens has have how i if in into is it its just
  like me my need no of on one or our own please shall should so than that the their them then there these they this those to use using want
  was we were what when where which who why will with work works would you your`.split(/\s+/),
);

/** Normalizes a word, so that "restart" finds "restarts" and "before" finds "notBefore". */
export function processTerm(word) {
  const parts = word.split(/(?<=[a-z0-9])(?=[A-Z])/);
  const terms = [word, ...(parts.length > 1 ? parts : [])].map((part) => part.toLowerCase());
  return terms
    .filter((term) => !STOP_WORDS.has(term))
    .map((term) => (/^[a-z]+$/.test(term) ? stemmer(term) : term));
}

/** In a query, a name such as notBefore stays whole, because the reader means that name. */
export const processQuery = (word) => processTerm(word)[0] ?? null;

/**
 * The options of MiniSearch. The first section of a page also has `line`, its description in the
 * list of pages, and `also`, other names for its topic.
 */
export const OPTIONS = {
  fields: ["page", "heading", "line", "also", "body"],
  storeFields: ["path", "page", "section", "body", "group", "weight"],
  extractField: (entry, name) => (name === "heading" ? entry.section || entry.page : entry[name]),
  processTerm,
};
