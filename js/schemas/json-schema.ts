/** JSON Schema of a format's IDs. */
import type { AnyFormat } from "../any-format.js";
import { givenFormat, type IdOf } from "../given-format.js";

/** JSON Schema of a text. */
export interface TextSchema {
  /** An ID of more than 53 bits is text in JSON. */
  type: "string";
  /** Matches the texts that the format's `parse` takes, and no others: letters in either case, where the format takes both. */
  pattern: string;
  /** The fewest characters. */
  minLength: number;
  /** The most characters. */
  maxLength: number;
}

/** JSON Schema of a safe integer. */
export interface IntegerSchema {
  /** Snowflake-SI alone: 53 bits are exact in JSON. */
  type: "integer";
  /** Says to generators of code that 32 bits are too few. */
  format: "int64";
  /** The smallest ID: 0. */
  minimum: number;
  /** The largest ID. */
  maximum: number;
}

/** A class of characters: the digits from one value to another, in base 36 or below, letters in either case. */
function digits(from: number, to: number): string {
  const span = (first: number, last: number) => {
    const [a, b] = [first.toString(36), last.toString(36)];
    return first > last ? "" : first === last ? a : `${a}-${b}`;
  };
  if (from === to && to < 10) return String(to);
  const letters = span(Math.max(from, 10), to);
  return `[${span(from, Math.min(to, 9))}${letters.toUpperCase()}${letters}]`;
}

/** Matches as many digits as the text has, which are at most the text. `least`: the smallest first digit. */
function upTo(text: string, radix: number, least = 0): string {
  const [digit, rest] = [Number.parseInt(text.charAt(0), 36), text.slice(1)];
  if (!rest) return digits(least, digit);
  const less = digit > least ? `${digits(least, digit - 1)}${digits(0, radix - 1)}{${rest.length}}|` : "";
  return `(?:${less}${digits(digit, digit)}${upTo(rest, radix)})`;
}

/** Letters in the other case. */
const swapped = (letters: string) => {
  const lower = letters.toLowerCase();
  return lower === letters ? letters.toUpperCase() : lower;
};

/** A schema of texts of some lengths. */
const ofText = (pattern: string, maxLength: number, minLength = maxLength): TextSchema => ({
  type: "string",
  pattern,
  minLength,
  maxLength,
});

/**
 * JSON Schema of the IDs of a format as they stand in JSON: for OpenAPI, Fastify, TypeBox and ajv. It accepts exactly what the format's `parse`
 * accepts of JSON, so `parse` refuses nothing afterwards. Works with every draft and with OpenAPI 3.0; loads no core.
 *
 * IDs of 64 bits are text: `type: "string"`, with no `format`, because ajv and TypeBox refuse names that they do not know. Numbers of
 * Snowflake-SI are integers with `format: "int64"`, which ajv knows from ajv-formats. With ajv's `coerceTypes`, which Fastify turns on, check
 * a body before ajv does: it makes text of a number, which `JSON.parse` has rounded, before the schema sees it.
 *
 * @param format A format, or its `text`: the texts of Snowflake-SI, too, are strings.
 * @throws `TYPE` for what is no format.
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
