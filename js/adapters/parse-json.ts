/** JSON whose large integers stay whole. */

/** A string of JSON, or a number. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi;

/**
 * `JSON.parse` that gives an integer of 16 or more digits as text, where `JSON.parse` would round it. For a driver of PostgreSQL, whose
 * own parser rounds the IDs in rows of relational queries, `jsonArrayFrom`, `row_to_json` and `json_agg`.
 *
 * Errors: `SyntaxError`, as `JSON.parse`.
 *
 * @example
 * ```js
 * import { parseJson } from "graupel/drizzle";
 * console.log(parseJson('{ "id": 1874244142494646273, "likes": 12 }'));   // { id: '1874244142494646273', likes: 12 }
 * ```
 */
export function parseJson(text: string): unknown {
  return JSON.parse(text.replace(TOKEN, (token) => (/^-?\d{16,}$/.test(token) ? `"${token}"` : token)));
}
