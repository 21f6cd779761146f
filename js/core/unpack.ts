/**
 * Decodes the module's bytes from the text that the build has written (xtask/lib/pack.mjs). Here a byte always has the same
 * text. Base64 would be simpler, but equal bytes have different letters there, and gzip output would be a third larger.
 */

/**
 * `digits`: those of single bytes, in ascending order, and then of the pages. `frequent`: a mask of these bytes, and of the pages above
 * them. Any other byte is the digit of its page, and the digit whose index is its place there.
 */
export function unpack(text: string, digits: string, frequent: bigint): Uint8Array<ArrayBuffer> {
  const PAGES = 256;
  const table = new Uint16Array(128);
  let single = 0;
  for (let value = 0; single < digits.length; value++) {
    if ((frequent >> BigInt(value)) & 1n) {
      table[digits.charCodeAt(single++)] = value;
    }
  }
  const { length } = text;
  const bytes = new Uint8Array(length);
  let end = 0;
  for (let i = 0; i < length; i++) {
    const value = table[text.charCodeAt(i)] as number;
    bytes[end++] =
      value < PAGES ? value : (value - PAGES) * digits.length + digits.indexOf(text[++i] as string);
  }
  return bytes.subarray(0, end);
}
