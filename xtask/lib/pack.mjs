// Packs bytes as text. js/core/unpack.ts is the inverse, and explains the form and its reasons.

/**
 * The digits: first that of the most frequent byte, last those of the pages. gzip uses one table of code lengths for this
 * text and for the minified code around it, so frequent bytes get characters that are frequent in code. This order makes
 * the entries smallest; it was found by swapping digits and measuring. Backslash, backquote and quotes are left out,
 * because a quoted text must escape them.
 */
const DIGITS = [
  ...",nti(=7s)aercjuol>;1d0+.-&?p[f|m6$ghEw<]bCyvSQz8TkI2U!YHOG35FABJxL^Rq4XV%WMPD~#/@NK9_Z*}:{",
];
/** Bytes up to 255 need this many pages. */
const PAGES = 3;
const BYTES = 256;

/** Returns the text, the digits for `unpack`, and a bit set of the bytes with one digit, the most frequent ones, and of the pages. */
export function pack(bytes) {
  const counts = new Array(BYTES).fill(0);
  for (const byte of bytes) counts[byte] += 1;
  const ranked = [...counts.keys()].sort((a, b) => counts[b] - counts[a]);
  const pages = Array.from({ length: PAGES }, (_, page) => BYTES + page);
  const coded = [...ranked.slice(0, DIGITS.length - PAGES), ...pages];
  const digitOf = new Map(coded.map((value, i) => [value, DIGITS[i]]));
  const digits = [...coded].sort((a, b) => a - b).map((value) => digitOf.get(value));
  const inTwo = (byte) =>
    digitOf.get(BYTES + Math.floor(byte / DIGITS.length)) + digits[byte % DIGITS.length];
  return {
    text: Array.from(bytes, (byte) => digitOf.get(byte) ?? inTwo(byte)).join(""),
    digits: digits.join(""),
    frequent: coded.reduce((bits, value) => bits | (1n << BigInt(value)), 0n),
  };
}
