/**
 * The module's bytes from the text that the build has written (xtask/lib/pack.mjs). Base64 would be simpler, but shifts
 * equal bytes to unequal letters, so that what gzip makes of it is a third larger; here a byte is always the same text.
 */

/** Codes on a page of the table. Two digits do not stand for a byte, but for the page on which to look up the next. */
const PAGE = 128;
const PAGES = 2;

/**
 * `digits`: first those that stand for a page, then those of single bytes, as these rise. `frequent`: which bytes are one
 * digit long, bit by bit; the others, in rising order too, take a page and a digit.
 */
export function unpack(text: string, digits: string, frequent: bigint): Uint8Array<ArrayBuffer> {
  const table = new Uint16Array((1 + PAGES) * PAGE);
  const put = (page: number, digit: number, value: number) => {
    table[page * PAGE + digits.charCodeAt(digit)] = value;
  };
  let single = 0;
  while (single < PAGES) {
    put(0, single, (2 + single) * PAGE);
    single++;
  }
  let other = 0;
  const bits = frequent.toString(2).padStart(256, "0");
  for (let byte = 0; byte < 256; byte++) {
    if (bits[255 - byte] === "1") {
      put(0, single++, byte);
    } else {
      put(1 + Math.floor(other / digits.length), other % digits.length, byte);
      other++;
    }
  }
  // In place: no byte takes less than a digit. Digits from an array, as asking the text for each takes half as long again.
  const bytes = new TextEncoder().encode(text);
  const { length } = bytes;
  let end = 0;
  let page = 0;
  for (let i = 0; i < length; i++) {
    const found = table[page + (bytes[i] as number)] as number;
    // No byte: a page, and one more, so that even the first is none.
    page = found > 255 ? found - PAGE : 0;
    if (page === 0) {
      bytes[end++] = found;
    }
  }
  return bytes.subarray(0, end);
}
