// How texts become search terms: the same when the index is made and when somebody searches.

/** A word and, if it is a name in camel case, its parts: "notBefore" is found by "before", and "not before" by "notBefore". */
export function processTerm(word) {
  const whole = word.toLowerCase();
  const parts = word.split(/(?<=[a-z0-9])(?=[A-Z])/);
  if (parts.length === 1) return whole.length > 1 || /\d/.test(whole) ? whole : null;
  return [whole, ...parts.map((part) => part.toLowerCase())];
}

/** Words: everything between spaces and punctuation. CLOCK_BACKWARDS is one word. */
export const tokenize = (text) => text.split(/[^\p{L}\p{N}_]+/u).filter((word) => word !== "");

/** For MiniSearch. */
export const OPTIONS = {
  fields: ["page", "section", "body"],
  storeFields: ["path", "page", "section", "body"],
  processTerm,
  tokenize,
};
