/**
 * More encodings, for `graupel/encode` and `graupel/sealed`: a program contains only those that it
 * imports.
 *
 * | encoding | writes | sorts as the IDs do | characters of 64 bits |
 * | --- | --- | --- | --- |
 * | `base64url` | the bytes, as RFC 4648 does | no | 11 |
 * | `shortcode` | the integer in base 64: Instagram's short codes | no | up to 11 |
 * | `zbase32` | the bytes, in z-base-32 | no | 13 |
 * | `crockford32Lower` | the integer, in lower case | yes | 13 |
 * | `crockford32Lenient` | the integer, and reads what people type | yes | 13 |
 * | `uuidv8` | the bytes, as a UUID of version 8 | yes | 36 |
 *
 * @module graupel/encodings
 */
import { type AnyFormat, givenFormat, type IdOf } from "../any-format.js";
import { fail } from "../errors.js";
import { digitsOf, integerIn } from "./digits.js";
import type { TextEncoding } from "./encode.js";
import { sizeOf } from "./size.js";

export type { IdOf, TextEncoding };

/** An ID as an integer, followed by `spare` zero bits. */
const withBits = (format: AnyFormat, id: bigint | number | string, spare: number): bigint =>
  format.toBigInt(id) << BigInt(spare);

/** The inverse of `withBits`. */
function withoutBits<F extends AnyFormat>(format: F, text: string, bits: bigint, spare: number): IdOf<F> {
  if (BigInt.asUintN(spare, bits)) {
    fail("NOT_CANONICAL", "text", text, `text: expected ${spare} bits of 0 after the ID`);
  }
  return format.fromBigInt(bits >> BigInt(spare)) as IdOf<F>;
}

/**
 * An encoding of one width. `isOfBytes`: whether it writes the bytes, first byte first, with zero
 * bits up to a whole digit; otherwise it writes the integer, with enough digits for the largest ID.
 * `read`: normalizes a text first.
 */
function fixedWidth(
  name: string,
  alphabet: string,
  isOfBytes: boolean,
  read = (text: string, _width: number): string => text,
): TextEncoding {
  // Math.log2 is exact for 32 and 64.
  const perDigit = Math.log2(alphabet.length);
  const writingOf = (format: AnyFormat): [width: number, spare: number] => {
    const [bits, bytes] = sizeOf(givenFormat(format));
    const width = Math.ceil((isOfBytes ? 8 * bytes : bits) / perDigit);
    return [width, isOfBytes ? width * perDigit - 8 * bytes : 0];
  };
  return {
    name,
    encode(format, id) {
      const [width, spare] = writingOf(format);
      return digitsOf(withBits(format, id, spare), alphabet, width);
    },
    decode(format, text) {
      const [width, spare] = writingOf(format);
      return withoutBits(format, text, integerIn(read(text, width), name, alphabet, width), spare);
    },
  };
}

const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/**
 * The bytes of an ID (`toBytes`) in base64url without `=`, as `Buffer` writes it (RFC 4648, section
 * 5). It does not sort. It is not {@link shortcode}, which writes the integer in the same alphabet.
 *
 * @example
 * ```js
 * import { decode, encode } from "graupel/encode";
 * import { base64url } from "graupel/encodings";
 * import { twitter } from "graupel/snowflake";
 *
 * console.log(encode(twitter, 1585841080431321088n, base64url));   // FgIKD31UoAA
 * console.log(decode(twitter, "FgIKD31UoAA", base64url));          // 1585841080431321088n
 * ```
 */
export const base64url: TextEncoding = /* @__PURE__ */ fixedWidth("base64url", BASE64URL, true);

/**
 * The bytes of an ID in z-base-32, which is easy to read and type
 * (https://philzimmermann.com/docs/human-oriented-base-32-encoding.txt). It does not sort.
 *
 * @example
 * ```js
 * import { encode } from "graupel/encode";
 * import { zbase32 } from "graupel/encodings";
 * import { twitter } from "graupel/snowflake";
 *
 * console.log(encode(twitter, 1585841080431321088n, zbase32));   // nabywd57k1oyy
 * ```
 */
export const zbase32: TextEncoding = /* @__PURE__ */ fixedWidth(
  "zbase32",
  "ybndrfg8ejkmcpqxot1uwisza345h769",
  true,
);

/**
 * Instagram's short codes, as in its URLs: the integer in base 64 with the alphabet
 * A–Z, a–z, 0–9, `-`, `_`, the most significant digit first, without zeros (`A`) in front. It has
 * no fixed width, and does not sort.
 *
 * @example
 * ```js
 * import { decode, encode } from "graupel/encode";
 * import { shortcode } from "graupel/encodings";
 * import { instagram } from "graupel/snowflake";
 *
 * console.log(decode(instagram, "BFJ3mzaH5WN", shortcode));           // 1245771331041990029n
 * console.log(encode(instagram, 1245771331041990029n, shortcode));    // BFJ3mzaH5WN
 * ```
 */
export const shortcode: TextEncoding = {
  name: "shortcode",
  encode(format, id) {
    const width = shortest(format);
    return digitsOf(format.toBigInt(id), BASE64URL, width).replace(/^A+(?=.)/, "");
  },
  decode(format, text) {
    const integer = integerIn(text, "shortcode", BASE64URL, shortest(format), 1);
    if (/^A./.test(text)) fail("NOT_CANONICAL", "text", text, "text: expected no leading A, which is a zero");
    return withoutBits(format, text, integer, 0);
  },
};

/** The number of digits of the largest ID in base 64. Throws if the format is not one. */
const shortest = (format: AnyFormat): number => Math.ceil(sizeOf(givenFormat(format))[0] / 6);

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * `"crockford32"` in lower case. It has a fixed width, sorts as the IDs do, and is strict.
 *
 * @example
 * ```js
 * import { encode } from "graupel/encode";
 * import { crockford32Lower } from "graupel/encodings";
 * import { twitter } from "graupel/snowflake";
 *
 * console.log(encode(twitter, 1585841080431321088n, crockford32Lower));   // 1c0ga1xyn9800
 * ```
 */
export const crockford32Lower: TextEncoding = /* @__PURE__ */ fixedWidth(
  "crockford32-lower",
  "0123456789abcdefghjkmnpqrstvwxyz",
  false,
);

/** The letters that people type for digits, in upper case. */
const ALIKE: Readonly<Record<string, string>> = { I: "1", L: "1", O: "0", "-": "" };

/**
 * `"crockford32"` for texts that people type: it writes the same, and also reads lower case, `i`
 * and `l` as 1 and `o` as 0, and ignores hyphens, of which there may be as many as digits.
 * Everything else is an error: `u`, spaces, and missing leading zeros.
 *
 * @example
 * ```js
 * import { decode, encode } from "graupel/encode";
 * import { crockford32Lenient } from "graupel/encodings";
 * import { twitter } from "graupel/snowflake";
 *
 * console.log(encode(twitter, 1585841080431321088n, crockford32Lenient));      // 1C0GA1XYN9800
 * console.log(decode(twitter, "1c0ga-lxyn-98oo", crockford32Lenient));         // 1585841080431321088n
 * ```
 */
export const crockford32Lenient: TextEncoding = /* @__PURE__ */ fixedWidth(
  "crockford32-lenient",
  CROCKFORD,
  false,
  (text, width) =>
    // Limit the length first, because reading a long text takes long.
    typeof text === "string" && text.length <= 2 * width
      ? text
          .replace(/[a-z]/g, (letter) => letter.toUpperCase())
          .replace(/[ILO-]/g, (alike) => ALIKE[alike] as string)
      : text,
);

/**
 * Bits of a UUID without its version and variant (RFC 9562, section 5.8), and its digits without
 * the version.
 */
const UUID_BITS = 122;
const UUID_DIGITS = 31;
const HEX = "0123456789abcdef";

/** Matches a UUID of version 8 and captures its digits around the version and the variant. */
const UUID = /^([\da-f]{8})-([\da-f]{4})-8([\da-f]{3})-([89ab][\da-f]{3})-([\da-f]{12})$/;

const spareOf = (format: AnyFormat): number => UUID_BITS - 8 * sizeOf(givenFormat(format))[1];

/**
 * The bytes of an ID as the first bits of a UUID of version 8 (RFC 9562, section 5.8), around its
 * version and variant; the other bits are 0. Use it for columns and interfaces that accept only
 * UUIDs. It sorts as the IDs do, as text and in a `uuid` column of PostgreSQL. Decoding requires
 * lower case, as in RFC 9562. For sno, this differs from `toUUID`, which contains the 16 characters
 * and no version.
 *
 * @example
 * ```js
 * import { decode, encode } from "graupel/encode";
 * import { uuidv8 } from "graupel/encodings";
 * import { twitter } from "graupel/snowflake";
 *
 * console.log(encode(twitter, 1585841080431321088n, uuidv8));                       // 16020a0f-7d54-8a00-8000-000000000000
 * console.log(decode(twitter, "16020a0f-7d54-8a00-8000-000000000000", uuidv8));     // 1585841080431321088n
 * ```
 */
export const uuidv8: TextEncoding = {
  name: "uuidv8",
  encode(format, id) {
    const bits = withBits(format, id, spareOf(format));
    const marked = ((bits >> 62n) << 64n) | (1n << 63n) | BigInt.asUintN(62, bits);
    return digitsOf(marked, HEX, UUID_DIGITS).replace(/(.{8})(.{4})(...)(.{4})/, "$1-$2-8$3-$4-");
  },
  decode(format, text) {
    const spare = spareOf(format);
    // Checks the type and the length.
    integerIn(text, "uuidv8", `-${HEX}`, UUID_DIGITS + 5);
    const digits =
      UUID.exec(text) ?? fail("CHARACTER", "text", text, "text: expected a UUID of version 8 in lower case");
    const marked = BigInt(`0x${digits.slice(1).join("")}`);
    return withoutBits(format, text, ((marked >> 64n) << 62n) | BigInt.asUintN(62, marked), spare);
  },
};
