/**
 * Reads the module's bytes from the text that the build has written (`pack` in xtask/build.mjs). A byte below 88 is one character, "#"
 * for 0; any other has a sign for its page before it, "{" or "|". So a byte always has the same text: base64 would be simpler, but gzip
 * output would be 1,100 bytes larger, and with hexadecimal digits 400.
 */
export function unpack(text: string): Uint8Array<ArrayBuffer> {
  const FIRST = 35;
  const PAGE = 88;
  const bytes = new Uint8Array(text.length);
  let end = 0;
  let page = 0;
  for (let i = 0; i < text.length; i++) {
    const digit = text.charCodeAt(i) - FIRST;
    if (digit < PAGE) {
      bytes[end++] = page + digit;
      page = 0;
    } else {
      page = (digit - PAGE + 1) * PAGE;
    }
  }
  return bytes.subarray(0, end);
}
