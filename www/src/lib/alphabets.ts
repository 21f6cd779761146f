/** Alphabets: those of `graupel/encode`, as screens name them, and those of other texts. */
import type { Encoding, TextEncoding } from "graupel/encode";
import * as encodings from "graupel/encodings";

export type AlphabetName = "base 62" | "base 58" | "Crockford 32";

export interface Alphabet {
  readonly name: AlphabetName;
  readonly encoding: Encoding;
}

/** Its hexadecimal texts are the bytes. */
export const ALPHABETS: readonly Alphabet[] = [
  { name: "base 62", encoding: "base62" },
  { name: "base 58", encoding: "base58" },
  { name: "Crockford 32", encoding: "crockford32" },
];

/** Those of `graupel/encodings`, by their own names. */
export const ENCODINGS: readonly TextEncoding[] = Object.values(encodings);

/** Their names, which the package's types do not contain. */
export type EncodingName =
  | "base64url"
  | "shortcode"
  | "zbase32"
  | "crockford32-lower"
  | "crockford32-lenient"
  | "uuidv8";

export const DIGITS_36 = "0123456789abcdefghijklmnopqrstuvwxyz";
export const DIGITS_64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** The integer that a text writes in an alphabet; undefined if a character is not in it. */
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
