/** JSON Schema for a format's IDs. */
import { type AnyFormat, givenFormat, type IdOf } from "../any-format.js";
import { typeError } from "../errors.js";

/** JSON Schema for a text. */
export interface TextSchema {
  /** IDs with more than 53 bits are text in JSON. */
  type: "string";
  /**
   * Matches exactly the texts that the format's `parse` accepts, with letters in either case if it
   * accepts both.
   */
  pattern: string;
  /** The fewest characters. */
  minLength: number;
  /** The most characters. */
  maxLength: number;
}

/** JSON Schema for a safe integer. */
export interface IntegerSchema {
  /** Only for formats of safe numbers, which are exact in JSON. */
  type: "integer";
  /** Tells code generators that 32 bits are not enough. */
  format: "int64";
  /** The smallest ID: 0. */
  minimum: number;
  /** The largest ID. */
  maximum: number;
}

/**
 * A character class for the digits from one value to another, in base 36 or below, with letters in
 * either case.
 */
function digits(from: number, to: number): string {
  const span = (first: number, last: number) => {
    const [a, b] = [first.toString(36), last.toString(36)];
    return first > last ? "" : first === last ? a : `${a}-${b}`;
  };
  if (from === to && to < 10) return String(to);
  const letters = span(Math.max(from, 10), to);
  return `[${span(from, Math.min(to, 9))}${letters.toUpperCase()}${letters}]`;
}

/** Matches texts of the same length up to this text. `least`: the smallest first digit. */
function upTo(text: string, radix: number, least = 0): string {
  const [digit, rest] = [Number.parseInt(text.charAt(0), 36), text.slice(1)];
  if (!rest) return digits(least, digit);
  const less = digit > least ? `${digits(least, digit - 1)}${digits(0, radix - 1)}{${rest.length}}|` : "";
  return `(?:${less}${digits(digit, digit)}${upTo(rest, radix)})`;
}

/** The letters in the other case. */
const swapped = (letters: string) => {
  const lower = letters.toLowerCase();
  return lower === letters ? letters.toUpperCase() : lower;
};

/** A schema for texts with these lengths. */
const ofText = (pattern: string, maxLength: number, minLength = maxLength): TextSchema => ({
  type: "string",
  pattern,
  minLength,
  maxLength,
});

/**
 * Returns the JSON Schema of a format's IDs in JSON, for OpenAPI, Fastify, TypeBox and ajv. It
 * accepts exactly the JSON values that the format's `parse` accepts, so a later `parse` does not
 * throw. It works with every draft and with OpenAPI 3.0 and loads no core.
 *
 * 64-bit IDs are text: `type: "string"`, without a `format`, because ajv and TypeBox reject unknown
 * names. Safe numbers are integers with `format: "int64"`, which ajv gets from ajv-formats. With
 * ajv's `coerceTypes`, which Fastify enables, check a body before ajv does: ajv converts a number,
 * which `JSON.parse` has rounded, to text before it validates.
 *
 * @param format A format, or its `text`: Snowflake-SI's texts are also strings.
 * @throws `TYPE` for an invalid format.
 *
 * @example
 * ```js
 * import { jsonSchema } from "graupel/schema";
 * import { sno } from "graupel/sno";
 * import { snowflakeSI } from "graupel/snowflake-si";
 *
 * console.log(jsonSchema(sno).pattern);                        // ^[2-9a-x]{16}$
 * console.log(jsonSchema(snowflakeSI({ epoch: Date.UTC(2024) })).maximum);  // 9007199254740991
 * ```
 */
export function jsonSchema<F extends AnyFormat>(
  format: F,
): IdOf<F> extends number ? IntegerSchema : TextSchema;
export function jsonSchema(format: AnyFormat): IntegerSchema | TextSchema {
  const { layout, valueType, columnType, max } = givenFormat(format);
  const { bits, base: radix, ignoresCase, pattern } = layout;
  if (!radix) typeError("format", format, "a format with its own texts");
  if (columnType === "string") {
    const either = (characters: string) =>
      characters + (ignoresCase ? swapped(characters.replace(/\[|\d-?/g, "")) : "");
    return ofText(pattern.replace(/\[[^\]]+/g, either), Math.ceil(bits / Math.log2(radix)));
  }
  if (valueType === "number") {
    return { type: "integer", format: "int64", minimum: 0, maximum: Number(max) };
  }
  const last = max.toString(radix);
  const { length } = last;
  const shorter = length > 1 ? `${digits(1, radix - 1)}${digits(0, radix - 1)}{0,${length - 2}}|` : "";
  return ofText(`^(?:0|${shorter}${upTo(last, radix, 1)})$`, length, 1);
}
