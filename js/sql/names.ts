/** Checks names and options. A name that cannot be quoted is an error. */
import { checkOptions } from "../checks.js";
import { rangeError, typeError } from "../errors.js";

/**
 * The name of a column, table or function. A qualified name is a list, outermost part first:
 * `["app", "orders", "id"]`. A dot inside a name has no meaning.
 */
export type SqlName = string | readonly string[];

/** How a database quotes names. */
export interface Quoting {
  /** The character before and after a name; inside one, it is doubled. */
  readonly quote: string;
  /**
   * Whether the database accepts a name unchanged. Some databases truncate longer names silently.
   */
  fits(part: string): boolean;
  /** The accepted names, in words. */
  readonly words: string;
}

/** Checks a name and returns its parts. */
export function partsOf({ fits, words }: Quoting, name: SqlName, field: string): string[] {
  const parts: unknown[] = Array.isArray(name) ? [...name] : [name];
  for (const part of parts) {
    // A lone surrogate is not a character in any database.
    if (typeof part !== "string" || part === "" || /[\0\p{Surrogate}]/u.test(part) || !fits(part)) {
      typeError(field, name, `a name, or a list of parts; ${words}`);
    }
  }
  return parts.length > 0 ? (parts as string[]) : typeError(field, name, "a name");
}

/** The quoted parts, joined. */
export const quoted = ({ quote }: Quoting, parts: readonly string[]): string =>
  parts.map((part) => quote + part.split(quote).join(quote + quote) + quote).join(".");

/** The quoted name of another object in the same schema: `stem`, by default the last part, and a suffix. */
export const beside = (
  dialect: Quoting,
  parts: readonly string[],
  suffix: string,
  field = "name",
  stem = parts[parts.length - 1],
): string => quoted(dialect, partsOf(dialect, [...parts.slice(0, -1), `${stem}_${suffix}`], field));

/**
 * The quoted names in the statements for a default: the table, its column, and the objects that
 * count.
 */
export function countingNames(
  dialect: Quoting,
  {
    table,
    column,
    name,
  }: { readonly table: SqlName; readonly column: string; readonly name?: string | undefined },
) {
  const quote = (parts: readonly string[]) => quoted(dialect, parts);
  const parts = partsOf(dialect, table, "table");
  const id = quote(partsOf(dialect, [column], "column"));
  const stem = name === undefined ? `${parts[parts.length - 1]}_${column}` : name;
  const named = (suffix: string) => beside(dialect, parts, suffix, "name", stem);
  return { table: quote(parts), id, last: named("last"), next: named("next") };
}

/** A copy of the options with these names. Does not check their types. */
export function namedOptions<Options extends object>(options: Options, names: readonly string[]): Options {
  const own: Record<string, unknown> = { __proto__: null, ...Object(options) };
  return checkOptions(options, Object.fromEntries(names.map((name) => [name, typeof own[name]])));
}

/** Checks how many milliseconds a counter may be ahead of the clock. */
export const aheadOf = (value: unknown): bigint =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31
    ? BigInt(value as number)
    : rangeError("maxAheadMs", value, 0, 2 ** 31 - 1);
