// Bytes as text: the inverse of js/runtime/unpack.ts, which says why and how.

/** The digits: what a string literal holds without an escape, whatever quotes a minifier gives it. */
const DIGITS = Array.from({ length: 92 }, (_, i) => String.fromCharCode(35 + i)).filter(
  (c) => !"\\`".includes(c),
);
const PAGES = 2;

/** The text, and which bytes are one digit long: the most frequent ones. */
export function pack(bytes) {
  const counts = new Array(256).fill(0);
  for (const byte of bytes) counts[byte] += 1;
  const ranked = [...counts.keys()].sort((a, b) => counts[b] - counts[a]);
  const rising = (list) => list.sort((a, b) => a - b);
  const singles = rising(ranked.slice(0, DIGITS.length - PAGES));
  const others = rising(ranked.slice(DIGITS.length - PAGES));
  const texts = [];
  singles.forEach((byte, i) => {
    texts[byte] = DIGITS[PAGES + i];
  });
  others.forEach((byte, i) => {
    texts[byte] = DIGITS[Math.floor(i / DIGITS.length)] + DIGITS[i % DIGITS.length];
  });
  const frequent = singles.reduce((bits, byte) => bits | (1n << BigInt(byte)), 0n);
  return { text: Array.from(bytes, (byte) => texts[byte]).join(""), frequent };
}
