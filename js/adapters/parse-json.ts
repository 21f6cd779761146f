/** Parses JSON without rounding large integers. */

/** Matches an escape, which only strings have; the beginning or end of a string; or a number. */
const TOKEN = /\\.|"|-?\d[\d.e+-]*/gi;

/**
 * Parses JSON like `JSON.parse`, but returns every integer from 2^53 to 2^64 as text, because a
 * number cannot represent it exactly. Other values stay the same: safe integers such as
 * microseconds and byte counts, integers that cannot be IDs such as -1e18 and 1e20, and numbers
 * with a fraction or an exponent. Pass it to a PostgreSQL driver, whose own parser rounds the IDs
 * in rows of relational queries, `jsonArrayFrom`, `row_to_json` and `json_agg`.
 *
 * Errors: `SyntaxError`, those of `JSON.parse`.
 *
 * @example
 * ```js
 * import { parseJson } from "graupel/drizzle";
 * console.log(parseJson('{ "id": 1874244142494646273, "likes": 12 }'));   // { id: '1874244142494646273', likes: 12 }
 * ```
 */
export function parseJson(text: string): unknown {
  // Check first that the text is JSON: `{1874244142494646273:1}` is not, but the replacement would
  // make it valid.
  const value: unknown = JSON.parse(text);
  if (!/\d{16}/.test(text)) return value;
  let isInString = false;
  const whole = text.replace(TOKEN, (token) => {
    if (token === '"') isInString = !isInString;
    // Decide by size, and not by whether it would be rounded: an ID that ends in zeros would become
    // a number, which columns reject.
    return !isInString && /^\d{16,20}$/.test(token) && +token >= 2 ** 53 && +token <= 2 ** 64
      ? `"${token}"`
      : token;
  });
  return JSON.parse(whole);
}
