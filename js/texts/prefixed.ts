/**
 * Public texts that say what an ID is of.
 *
 * @module graupel/prefixed
 */
import type { AnyFormat } from "../any-format.js";
import { givenFormat, type IdOf } from "../given-format.js";
import { refused, wrong } from "../refusals.js";
import type { StandardSchema } from "../types.js";

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
 * RFC 3986 escapes none of these characters in an address (section 2.3). The last one is in no alphabet of a format, so that prefix and
 * ID can be told apart, and one of two prefixes is never the beginning of the other one's texts.
 */
const ALLOWED = /^[A-Za-z][\w.~-]{0,62}[._~-]$/;

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
  if (typeof prefix !== "string" || !ALLOWED.test(prefix)) {
    wrong("prefix", prefix, "a letter, then letters, digits, . _ ~ or -, and one of these four at the end");
  }
  function parse(x: unknown): IdOf<F> {
    if (typeof x !== "string") wrong("id", x, `text that begins with ${prefix}`);
    const text = x as string;
    if (!text.startsWith(prefix)) {
      // A long text does not stand in the message.
      refused("CHARACTER", "id", text, `id: expected text that begins with ${prefix}`);
    }
    return format.parse(text.slice(prefix.length)) as IdOf<F>;
  }
  /** What a refusal says; all else is thrown. */
  function attempt(x: unknown): { readonly value: IdOf<F> } | { readonly issues: [{ message: string }] } {
    try {
      return { value: parse(x) };
    } catch (error) {
      const { name, code, message } = Object(error);
      if (name !== "GraupelError" || code === "CORE") throw error;
      return { issues: [{ message }] };
    }
  }
  return {
    prefix,
    parse,
    isValid: (x): x is string => "value" in attempt(x),
    format: (id) => prefix + format.format(id),
    "~standard": { version: 1, vendor: "graupel", validate: attempt },
  };
}
