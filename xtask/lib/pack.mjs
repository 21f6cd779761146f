// Bytes as text: the inverse of js/core/unpack.ts, which says why and how.

/**
 * The digits, from the one for the most frequent byte to the ones for pages. The text stands in the midst of minified code,
 * and gzip gives both one table of code lengths: what is frequent here must be what is frequent there. This order makes the
 * entries smallest; it was found by exchanging digits and measuring. Backslash, backquote and the quotes are left out, as a
 * quoted text may have to escape them.
 */
const DIGITS = [
  ...",etn(=0s)arli;:c{}.go]f&?udpF+b[-m1A>$vhKxNDqyS|kC<IRY4BL2*w_59!JH%Wz8O6MZGP^~7/@QVUjX#3ET",
];
const PAGES = 2;

/** The text; the digits as `unpack` wants them; and which bytes are one digit long: the most frequent ones. */
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
