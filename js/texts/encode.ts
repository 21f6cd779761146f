/**
 * IDs as short texts of fixed width in one of four alphabets, or in an encoding of
 * `graupel/encodings`.
 *
 * @module graupel/encode
 */
import { type AnyFormat, givenFormat, type IdOf } from "../any-format.js";
import { typeError } from "../errors.js";
import { digitsOf, integerIn } from "./digits.js";
import { sizeOf } from "./size.js";

/** The alphabets in ASCII order, so that texts of fixed width sort as their integers do. */
const ALPHABETS = {
  /** Digits, then upper case, then lower case. */
  base62: "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
  /** Bitcoin's: without 0, O, I and l, which look like other characters. */
  base58: "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
  /** Crockford's (https://www.crockford.com/base32.html), in upper case; without I, L, O and U. */
  crockford32: "0123456789ABCDEFGHJKMNPQRSTVWXYZ",
  /** Lower case. */
  hex: "0123456789abcdef",
} as const satisfies Readonly<Record<Encoding, string>>;

/** The name of an alphabet. */
export type Encoding = "base62" | "base58" | "crockford32" | "hex";

/** Another encoding of IDs, such as those of `graupel/encodings`. */
export interface TextEncoding {
  /** The name, for messages. */
  readonly name: string;
  /** Encodes an ID, or its canonical text. Errors: those of the format's `parse`. */
  encode(this: void, format: AnyFormat, id: bigint | number | string): string;
  /**
   * Decodes a text of `encode`. Errors: `TYPE`, `LENGTH`, `CHARACTER`, `NOT_CANONICAL`, `OVERFLOW`,
   * `RANGE`.
   */
  decode<F extends AnyFormat>(this: void, format: F, text: string): IdOf<F>;
}

/** The encoding of a format's IDs in an alphabet. */
interface Writing {
  readonly alphabet: string;
  /** The number of characters: enough for the largest ID; for `hex`, two for each byte. */
  readonly width: number;
}

/** The encoding, if it has its own methods. Checks the format. */
const ownOf = (format: AnyFormat, encoding: Encoding | TextEncoding): TextEncoding | undefined =>
  givenFormat(format) &&
  typeof Object(encoding).encode === "function" &&
  typeof Object(encoding).decode === "function"
    ? (encoding as TextEncoding)
    : undefined;

function writingOf(format: AnyFormat, encoding: Encoding): Writing {
  if (typeof encoding !== "string" || !Object.hasOwn(ALPHABETS, encoding)) {
    typeError("encoding", encoding, `one of graupel/encodings, or ${Object.keys(ALPHABETS).join(", ")}`);
  }
  const alphabet = ALPHABETS[encoding];
  const [bits, bytes] = sizeOf(format);
  // Math.log2(32) is exact.
  return { alphabet, width: encoding === "hex" ? 2 * bytes : Math.ceil(bits / Math.log2(alphabet.length)) };
}

/**
 * Encodes an ID as text of fixed width, for URLs and file names. 63 bits take 11 characters of
 * `base62` or `base58`, 13 of `crockford32`, and 16 of `hex` (two digits for each byte of
 * `toBytes`). Compared by their bytes, the texts sort as the IDs do.
 *
 * @param format Any format.
 * @param id An ID, or its canonical text.
 * @param encoding `"base62"`, `"base58"` (Bitcoin's alphabet), `"crockford32"`, `"hex"`, or one of
 *   `graupel/encodings`, of which some do not sort.
 * @throws `TYPE` for an unknown encoding; the errors of the format's `parse`.
 *
 * @example
 * ```js
 * import { decode, encode } from "graupel/encode";
 * import { twitter } from "graupel/snowflake";
 *
 * const id = 1585841080431321088n;
 * console.log(encode(twitter, id, "base62"), encode(twitter, id, "base58"));    // 1t9ATWyqQwi 4gWHH554TU3
 * console.log(encode(twitter, id, "crockford32"), encode(twitter, id, "hex"));  // 1C0GA1XYN9800 16020a0f7d54a000
 * console.log(decode(twitter, "1t9ATWyqQwi", "base62") === id);                 // true
 * ```
 */
export function encode(
  format: AnyFormat,
  id: bigint | number | string,
  encoding: Encoding | TextEncoding,
): string {
  const own = ownOf(format, encoding);
  if (own) return own.encode(format, id);
  const { alphabet, width } = writingOf(format, encoding as Encoding);
  return digitsOf(format.toBigInt(id), alphabet, width);
}

/**
 * The inverse of {@link encode}. It accepts only the exact text that `encode` returns: no other
 * case, no other width, no look-alike characters.
 *
 * @throws `TYPE` for a value that is not a string, or an unknown encoding; `LENGTH` for another
 *   width; `CHARACTER` for a character outside the alphabet; `OVERFLOW` or `RANGE` for an integer
 *   that is not an ID of the format.
 */
export function decode<F extends AnyFormat>(
  format: F,
  text: string,
  encoding: Encoding | TextEncoding,
): IdOf<F> {
  const own = ownOf(format, encoding);
  if (own) return own.decode(format, text);
  const { alphabet, width } = writingOf(format, encoding as Encoding);
  return format.fromBigInt(integerIn(text, encoding as Encoding, alphabet, width)) as IdOf<F>;
}
