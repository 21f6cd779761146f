/** Prefixes of public texts. */
import { fail, typeError } from "../errors.js";

/**
 * Addresses need no escape for these characters (RFC 3986, section 2.3). The last character is in
 * no format's alphabet, so it separates prefix and ID.
 */
const ALLOWED = /^[A-Za-z][\w.~-]{0,62}[._~-]$/;

/** Checks a prefix. */
export function givenPrefix(prefix: string): void {
  if (typeof prefix !== "string" || !ALLOWED.test(prefix)) {
    typeError(
      "prefix",
      prefix,
      "a letter, then letters, digits, . _ ~ or -, and one of these four at the end",
    );
  }
}

/** Splits a text into prefix and rest. `prefixes`: the allowed prefixes. */
export function behind(text: unknown, prefixes: readonly string[]): [prefix: string, rest: string] {
  const what = `text that begins with ${prefixes.join(" or ")}`;
  if (typeof text !== "string") typeError("id", text, what);
  // A text with `a_b_` also begins with `a_`, so use the longest prefix.
  const [prefix] = prefixes
    .filter((one) => (text as string).startsWith(one))
    .sort((a, b) => b.length - a.length);
  // The message does not contain the text, which may be long.
  return prefix === undefined
    ? fail("CHARACTER", "id", text, `id: expected ${what}`)
    : [prefix, (text as string).slice(prefix.length)];
}
