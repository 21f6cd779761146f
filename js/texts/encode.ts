/**
 * IDs as short texts of one width, in any of four alphabets, or in an encoding of `graupel/encodings`.
 *
 * @module graupel/encode
 */
import type { AnyFormat } from "../any-format.js";
import { typeError } from "../errors.js";
import { givenFormat, type IdOf } from "../given-format.js";
import { digitsOf, integerIn } from "./digits.js";
import { sizeOf } from "./size.js";

/** The alphabets, each in the order of its codes in ASCII, so that texts of one width sort as their integers do. */
const ALPHABETS = {
  /** Digits, then upper case, then lower case. */
  base62: "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
  /** Bitcoin's: without 0, O, I and l, which look like others. */
  base58: "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
  /** Crockford's (https://www.crockford.com/base32.html), in upper case; without I, L, O and U. */
  crockford32: "0123456789ABCDEFGHJKMNPQRSTVWXYZ",
  /** Lower case. */
  hex: "0123456789abcdef",
} as const satisfies Readonly<Record<Encoding, string>>;

/** The name of an alphabet. */
export type Encoding = "base62" | "base58" | "crockford32" | "hex";

/** Another way to write IDs, such as those of `graupel/encodings`. */
export interface TextEncoding {
  /** Its name, for messages. */
  readonly name: string;
  /** The text of an ID, or of its canonical text. Errors: those of the format's `parse`. */
  encode(this: void, format: AnyFormat, id: bigint | number | string): string;
  /** The ID of a text that `encode` writes. Errors: `TYPE`, `LENGTH`, `CHARACTER`, `NOT_CANONICAL`, `OVERFLOW`, `RANGE`. */
  decode<F extends AnyFormat>(this: void, format: F, text: string): IdOf<F>;
}

/** How an alphabet writes the IDs of a format. */
interface Writing {
  readonly alphabet: string;
  /** Characters of each text: as many as the largest ID needs; of `hex`, two for each byte. */
  readonly width: number;
}

/** An encoding with methods of its own, after a check of the format. */
const ownOf = (format: AnyFormat, encoding: Encoding | TextEncoding): TextEncoding | undefined =>
  givenFormat(format) && typeof Object(encoding).decode === "function"
    ? (encoding as TextEncoding)
    : undefined;

function writingOf(format: AnyFormat, encoding: Encoding): Writing {
  if (typeof encoding !== "string" || !Object.hasOwn(ALPHABETS, encoding)) {
    typeError("encoding", encoding, `one of graupel/encodings, or ${Object.keys(ALPHABETS).join(", ")}`);
  }
  const alphabet = ALPHABETS[encoding];
  const [bits, bytes] = sizeOf(format);
  // The logarithm of 32 is exact.
  return { alphabet, width: encoding === "hex" ? 2 * bytes : Math.ceil(bits / Math.log2(alphabet.length)) };
}

/**
 * An ID as text of a fixed width, for addresses and file names: 63 bits take 11 characters of `base62` or `base58`, 13 of `crockford32`,
 * 16 of `hex`, which is what `toBytes` gives, two digits a byte. Compared by their bytes, such texts sort as the IDs do.
 *
 * @param format Any format.
 * @param id An ID, or its canonical text.
 * @param encoding `"base62"`, `"base58"` (Bitcoin's alphabet), `"crockford32"`, `"hex"`, or one of `graupel/encodings`, which not all sort.
 * @throws `TYPE` for another encoding; the errors of the format's `parse`.
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
 * The inverse of {@link encode}. It takes the one text that `encode` writes for an ID, and nothing that only resembles it: no other case, no
 * other width, no look-alike characters.
 *
 * @throws `TYPE` for what is no text, and another encoding; `LENGTH` for another width; `CHARACTER` for a character outside the alphabet;
 * `OVERFLOW` or `RANGE` for an integer that is no ID of the format.
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
