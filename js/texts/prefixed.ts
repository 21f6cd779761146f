/**
 * Public texts that say what an ID is of.
 *
 * @module graupel/prefixed
 */
import type { AnyFormat } from "../any-format.js";
import { standardOf } from "../errors.js";
import { givenFormat, type IdOf } from "../given-format.js";
import type { StandardSchema } from "../types.js";
import { behind, givenPrefix } from "./prefix.js";

/** Texts of a format's IDs behind a prefix. */
export interface Prefixed<Id> extends StandardSchema<string, Id> {
  /** The prefix. */
  readonly prefix: string;
  /** Takes the prefix and canonical text, nothing else, and returns the ID in its own type. Errors: `TYPE`, `CHARACTER`; those of the format's `parse`. */
  parse(this: void, x: unknown): Id;
  /** True exactly when `parse` succeeds. Errors: `CORE`. */
  isValid(this: void, x: unknown): x is string;
  /** The one text that `parse` takes for this ID. Errors: those of the format's `format`. */
  format(this: void, id: Id): string;
}

/**
 * Texts of a format's IDs behind a prefix, such as `usr_`: for addresses, logs and JSON, where an order's ID is not to be taken for a user's. The
 * ID itself stays what it is.
 *
 * @param format A format, or its `text`.
 * @param prefix 2 to 64 characters: a letter, then letters, digits and any of `. _ ~ -`; at the end one of these four.
 * @throws `TYPE` for what is no format, or no such prefix.
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
