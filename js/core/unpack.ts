/**
 * Decodes the module's bytes from the text that the build has written (xtask/lib/pack.mjs). Here a byte always has the same
 * text. Base64 would be simpler, but equal bytes have different letters there, and gzip output would be a third larger.
 */

/** Entries of a page of the table. Two of the digits select a page on which the next digit is looked up. */
const PAGE = 128;
const PAGES = 2;

/**
 * `digits`: first those that select a page, then those of single bytes in ascending order. `frequent`: a mask of the bytes that
 * are one digit long. The others, also ascending, are a page and a digit.
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
  const { length } = text;
  const bytes = new Uint8Array(length);
  let end = 0;
  let page = 0;
  for (let i = 0; i < length; i++) {
    const found = table[page + text.charCodeAt(i)] as number;
    // Values above 255 select a page, stored plus one.
    page = found > 255 ? found - PAGE : 0;
    if (page === 0) {
      bytes[end++] = found;
    }
  }
  return bytes.subarray(0, end);
}
