// Packs bytes as text. js/core/unpack.ts is the inverse, and explains the form and its reasons.

/**
 * The digits: first that of the most frequent byte, last those of the pages. gzip uses one table of code lengths for this
 * text and for the minified code around it, so frequent bytes get characters that are frequent in code. This order makes
 * the entries smallest; it was found by swapping digits and measuring. Backslash, backquote and quotes are left out,
 * because a quoted text must escape them.
 */
const DIGITS = [
  ...",etr(=0snc)l?ioad{fg+u}.]&;p[:AFm$hD1-b>kxNvSRzY<Cq*yI4L92|wK5B!_HGO%#Z6VJMPj~8/@^WQUX37ET",
];
const PAGES = 2;

/** Returns the text, the digits for `unpack`, and a bit set of the bytes with one digit: the most frequent ones. */
export function pack(bytes) {
  const counts = new Array(256).fill(0);
  for (const byte of bytes) counts[byte] += 1;
  const ranked = [...counts.keys()].sort((a, b) => counts[b] - counts[a]);
  const rising = (list) => list.sort((a, b) => a - b);
  const singles = ranked.slice(0, DIGITS.length - PAGES);
  const others = rising(ranked.slice(DIGITS.length - PAGES));
  const digitOf = new Map(singles.map((byte, i) => [byte, DIGITS[i]]));
  const digits = [...DIGITS.slice(-PAGES), ...rising([...singles]).map((byte) => digitOf.get(byte))];
  const texts = others.map((byte, i) => [
    byte,
    digits[Math.floor(i / DIGITS.length)] + digits[i % DIGITS.length],
  ]);
  const textOf = new Map([...digitOf, ...texts]);
  const frequent = singles.reduce((bits, byte) => bits | (1n << BigInt(byte)), 0n);
  return { text: Array.from(bytes, (byte) => textOf.get(byte)).join(""), digits: digits.join(""), frequent };
}
