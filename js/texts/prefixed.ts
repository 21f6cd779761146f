/**
 * Public texts whose prefix says what an ID belongs to.
 *
 * @module graupel/prefixed
 */
import { type AnyFormat, givenFormat, type IdOf } from "../any-format.js";
import { standardOf } from "../errors.js";
import type { StandardSchema } from "../types.js";
import { behind, givenPrefix } from "./prefix.js";

/** Texts of a format's IDs with a prefix. */
export interface Prefixed<Id> extends StandardSchema<string, Id> {
  /** The prefix. */
  readonly prefix: string;
  /**
   * Parses the prefix with canonical text and returns the ID. Errors: `TYPE`, `CHARACTER`; those of
   * the format's `parse`.
   */
  parse(this: void, x: unknown): Id;
  /** Whether `parse` succeeds. Errors: none. */
  isValid(this: void, x: unknown): x is string;
  /**
   * Returns the only text of this ID that `parse` accepts. Errors: those of the format's `format`.
   */
  format(this: void, id: Id): string;
}

/**
 * Adds a prefix such as `usr_` to the texts of a format's IDs, for URLs, logs and JSON, so
 * that an order's ID cannot be mistaken for a user's. The IDs themselves do not change.
 *
 * @param format A format, or its `text`.
 * @param prefix 2 to 64 characters: a letter, then letters, digits and any of `. _ ~ -`, with one
 *   of these four at the end.
 * @throws `TYPE` for an invalid format or prefix.
 *
 * @example
 * ```js
 * import { prefixed } from "graupel/prefixed";
 * import { twitter } from "graupel/snowflake";
 *
 * const users = prefixed(twitter, "usr_");
 * console.log(users.format(1585841080431321088n));      // usr_1585841080431321088
 * console.log(users.parse("usr_1585841080431321088"));  // 1585841080431321088n
 * console.log(users.isValid("1585841080431321088"));    // false
 * ```
 */
export function prefixed<F extends AnyFormat>(format: F, prefix: string): Prefixed<IdOf<F>> {
  givenFormat(format);
  givenPrefix(prefix);
  const parse = (x: unknown) => format.parse(behind(x, [prefix])[1]) as IdOf<F>;
  const standard = standardOf<string, IdOf<F>>(parse);
  return {
    prefix,
    parse,
    isValid: (x): x is string => "value" in standard.validate(x),
    format: (id) => prefix + format.format(id),
    "~standard": standard,
  };
}
