/**
 * The module's bytes from the text that the build has written (xtask/lib/pack.mjs). Base64 would be simpler, but shifts
 * equal bytes to unequal letters, so that what gzip makes of it is a third larger; here a byte is always the same text.
 */

/** Two of the digits do not stand for a byte, but for the page in which the digit after them is looked up. */
const PAGES = 2;
/** Digits: the characters from `#` to `~` that no quote, and no escape in one, needs. */
const DIGITS = 90;
const FIRST = 35;
const LEFT_OUT = [92, 96] as const;

/** `frequent`: which bytes are one digit long, bit by bit; the others, in rising order too, take a page and a digit. */
export function unpack(text: string, frequent: bigint): Uint8Array<ArrayBuffer> {
  const order: number[] = [];
  for (const wanted of [1n, 0n]) {
    for (let byte = 0; byte < 256; byte++) {
      if (((frequent >> BigInt(byte)) & 1n) === wanted) {
        order.push(byte);
      }
    }
  }
  const bytes: number[] = [];
  let page = -PAGES;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const digit = code - FIRST - (code > LEFT_OUT[0] ? 1 : 0) - (code > LEFT_OUT[1] ? 1 : 0);
    if (page < 0 && digit < PAGES) {
      page = DIGITS - PAGES + digit * DIGITS;
    } else {
      bytes.push(order[page + digit] as number);
      page = -PAGES;
    }
  }
  return Uint8Array.from(bytes);
}
