/** JSON whose large integers stay whole. */

/** An escape, which only strings have; where a string begins or ends; a number. */
const TOKEN = /\\.|"|-?\d[\d.e+-]*/gi;

/**
 * Parses JSON as `JSON.parse` does, but returns integers from 2^53 to 2^64 as text, whether or not they are IDs: a number cannot hold
 * them exactly. Other values stay as they are: safe integers such as microseconds and byte counts, integers that cannot be IDs such as
 * -1e18 and 1e20, and numbers with a fraction or an exponent. Give it to a driver of PostgreSQL, whose own parser rounds the IDs in rows
 * of relational queries, `jsonArrayFrom`, `row_to_json` and `json_agg`.
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
  // What follows must see only JSON: `{1874244142494646273:1}` is none, but would become some.
  const value: unknown = JSON.parse(text);
  if (!/\d{16}/.test(text)) return value;
  let isInString = false;
  const whole = text.replace(TOKEN, (token) => {
    if (token === '"') isInString = !isInString;
    // By size, and not by whether it would be rounded: an ID that ends in zeros would come as a number, which columns have to refuse.
    return !isInString && /^\d{16,20}$/.test(token) && +token >= 2 ** 53 && +token <= 2 ** 64
      ? `"${token}"`
      : token;
  });
  return JSON.parse(whole);
}
