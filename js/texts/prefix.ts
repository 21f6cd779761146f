/** Prefixes of public texts. */
import { fail, typeError } from "../errors.js";

/**
 * RFC 3986 escapes none of these characters in an address (section 2.3). The last one is in no alphabet of a format, so that prefix and
 * ID can be told apart.
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

/** What stands behind a prefix. `prefixes`: those that there may be. */
export function behind(text: unknown, prefixes: readonly string[]): [prefix: string, rest: string] {
  const what = `text that begins with ${prefixes.join(" or ")}`;
  if (typeof text !== "string") typeError("id", text, what);
  // `a_` also begins the texts behind `a_b_`: the longest one counts.
  const [prefix] = prefixes
    .filter((one) => (text as string).startsWith(one))
    .sort((a, b) => b.length - a.length);
  // A long text does not stand in the message.
  return prefix === undefined
    ? fail("CHARACTER", "id", text, `id: expected ${what}`)
    : [prefix, (text as string).slice(prefix.length)];
}
