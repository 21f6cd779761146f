/**
 * The alphabets of `graupel/encode`, with the names that pages show, and the alphabets of other
 * texts.
 */
import type { Encoding, TextEncoding } from "graupel/encode";
import * as encodings from "graupel/encodings";

export type AlphabetName = "base 62" | "base 58" | "Crockford 32";

export interface Alphabet {
  readonly name: AlphabetName;
  readonly encoding: Encoding;
}

/** Hexadecimal is not among them, because its texts encode bytes. */
export const ALPHABETS: readonly Alphabet[] = [
  { name: "base 62", encoding: "base62" },
  { name: "base 58", encoding: "base58" },
  { name: "Crockford 32", encoding: "crockford32" },
];

/** The encodings of `graupel/encodings`, under their own names. */
export const ENCODINGS: readonly TextEncoding[] = Object.values(encodings);

/** The names of these encodings. The package's types do not contain them. */
export type EncodingName =
  | "base64url"
  | "shortcode"
  | "zbase32"
  | "crockford32-lower"
  | "crockford32-lenient"
  | "uuidv8";

export const DIGITS_36 = "0123456789abcdefghijklmnopqrstuvwxyz";
export const DIGITS_64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/**
 * The integer that a text encodes in an alphabet; undefined if a character is not in the alphabet.
 */
export function inAlphabet(text: string, alphabet: string): bigint | undefined {
  const base = BigInt(alphabet.length);
  let integer = 0n;
  for (const character of text) {
    const digit = alphabet.indexOf(character);
    if (digit < 0) return undefined;
    integer = base * integer + BigInt(digit);
  }
  return integer;
}
