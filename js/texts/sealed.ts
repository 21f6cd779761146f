/**
 * Public texts that hide the time and the number of IDs.
 *
 * @module graupel/sealed
 */
import { FF1 } from "@noble/ciphers/ff1.js";
import { type AnyFormat, givenFormat, type IdOf } from "../any-format.js";
import { checkOptions } from "../checks.js";
import { fail, standardOf, typeError } from "../errors.js";
import type { StandardSchema } from "../types.js";
import { decode, type Encoding, encode, type TextEncoding } from "./encode.js";
import { behind, givenPrefix } from "./prefix.js";
import { sizeOf } from "./size.js";

export type { Encoding, IdOf, TextEncoding };

/** A key, or several keys by the prefix of their texts. */
export type Keys = Uint8Array | Readonly<Record<string, Uint8Array>>;

/** Options of `sealed`. */
export interface SealedOptions {
  /** The alphabet of the texts, or an encoding of `graupel/encodings`. Default: `"base62"`. */
  readonly encoding?: Encoding | TextEncoding;
  /**
   * With the same key, equal IDs have different texts for different purposes, so that an order's
   * text reveals nothing about a user with the same ID. Default: `""`.
   */
  readonly purpose?: string;
}

/** Seals the IDs of a format. */
export interface Sealed<Id> extends StandardSchema<string, Id> {
  /** Returns the public text of an ID. Errors: those of the format's `parse`. */
  seal(this: void, id: Id): string;
  /**
   * Returns the ID of a public text. Errors: `TYPE` for a value that is not a string; `CHARACTER`
   * for another prefix or a character outside the alphabet; `LENGTH`; `OVERFLOW` or `RANGE` for a
   * text that no ID has.
   */
  open(this: void, text: unknown): Id;
}

/**
 * FF1 requires at least a million values (NIST SP 800-38G, Revision 1, section 5.1): fewer could
 * all be tried.
 */
const LEAST_BITS = 20;

/** The sizes of an AES key in bytes. */
const KEY_BYTES = [16, 24, 32];

/** A permutation of integers as lists of bits, the highest first. */
interface Permutation {
  encrypt(bits: number[]): number[];
  decrypt(bits: number[]): number[];
}

/**
 * The UTF-8 bytes of a purpose. `TextEncoder` is missing in Jest with jsdom and encodes every lone
 * surrogate as the same character.
 */
function utf8(purpose: string): Uint8Array {
  try {
    const parts = encodeURIComponent(purpose).match(/%..|./g) ?? [];
    return Uint8Array.from(parts, (part) =>
      part.length > 1 ? Number.parseInt(part.slice(1), 16) : part.charCodeAt(0),
    );
  } catch {
    return typeError("purpose", purpose, "text without lone surrogates");
  }
}

/** Whether a value is a Uint8Array of any realm; tests in a simulated browser have several. */
const isBytes = (x: unknown): x is Uint8Array =>
  ArrayBuffer.isView(x) && (x as Uint8Array)[Symbol.toStringTag] === "Uint8Array";

/** The permutation of a key. */
function permutationOf(key: unknown, tweak: Uint8Array): Permutation {
  const fits = isBytes(key) && KEY_BYTES.includes(key.length);
  const bytes = fits
    ? key
    : fail("TYPE", "key", undefined, `key: expected a Uint8Array of ${KEY_BYTES.join(" or ")} bytes`);
  // Copy the key, because the cipher reads it in each call.
  return FF1(2, Uint8Array.from(bytes), tweak);
}

/**
 * Seals IDs: a public text is the ID after a keyed permutation of all integers of its width (FF1 of
 * NIST SP 800-38G, with radix 2 and AES), in an alphabet of `graupel/encode`. Without the key, a
 * text does not reveal when an ID was issued, by which worker, how many there are, or their order.
 * With the key, you get the ID from the text, so you store nothing.
 *
 * Sealing is not access control: any text of the right width opens as some ID, so check permissions
 * as with a plain ID. Equal IDs have equal texts. Anyone with the key can read all texts; without
 * it, you can read none. The texts do not sort by time.
 *
 * @param format Any format.
 * @param keys 16, 24 or 32 random bytes. To rotate keys, pass several with prefixes as in
 *   `graupel/prefixed`: the first one seals, all of them open.
 * @throws `TYPE` for an invalid format, key, prefix, encoding or purpose; `RANGE` for a format with
 *   fewer than 20 bits, which has too few IDs to hide one; `UNKNOWN_OPTION`; `CORE`.
 *
 * @example
 * ```js
 * import { sealed } from "graupel/sealed";
 * import { twitter } from "graupel/snowflake";
 *
 * const key = new Uint8Array(32).fill(7);         // in a program: 32 random bytes, kept as a secret
 * const users = sealed(twitter, key, { purpose: "user" });
 * console.log(users.seal(1585841080431321088n));  // 2zensHg3fyQ
 * console.log(users.seal(1585841080431321089n));  // 4wxxlNskS6W
 * console.log(users.open("2zensHg3fyQ"));         // 1585841080431321088n
 * ```
 */
export function sealed<F extends AnyFormat>(
  format: F,
  keys: Keys,
  options: SealedOptions = {},
): Sealed<IdOf<F>> {
  const [width] = sizeOf(givenFormat(format));
  if (width < LEAST_BITS) {
    fail("RANGE", "format", width, `format: expected IDs of ${LEAST_BITS} bits or more, got ${width}`);
  }
  if (typeof options !== "object" || options === null) typeError("options", options, "an object");
  const { encoding = "base62", purpose = "" } = checkOptions(options, {
    // `encode` checks it.
    encoding: typeof options.encoding,
    purpose: "string",
  });
  const tweak = utf8(purpose);
  const isOne = ArrayBuffer.isView(keys);
  const entries = Object.entries(isOne ? { "": keys } : { ...keys }).map(
    ([prefix, key]): [string, Permutation] => {
      if (!isOne) givenPrefix(prefix);
      return [prefix, permutationOf(key, tweak)];
    },
  );
  const [first = fail("TYPE", "keys", undefined, "keys: expected a key, or an object of keys")] = entries;
  const permutations = new Map(entries);
  const permuted = (id: bigint | number | string, permute: (bits: number[]) => number[]) => {
    const integer = format.toBigInt(id);
    const bits = Array.from(integer.toString(2).padStart(width, "0"), Number);
    return format.fromBigInt(BigInt(`0b${permute(bits).join("")}`)) as IdOf<F>;
  };
  const [prefix, sealing] = first;
  const seal = (id: IdOf<F>) => prefix + encode(format, permuted(id, sealing.encrypt), encoding);
  const open = (text: unknown) => {
    const [found, rest] = isOne ? ["", text] : behind(text, [...permutations.keys()]);
    const { decrypt } = permutations.get(found as string) as Permutation;
    return permuted(decode(format, rest as string, encoding), decrypt);
  };
  // Throws now for an invalid encoding.
  encode(format, format.fromBigInt(0n), encoding);
  return { seal, open, "~standard": standardOf(open) };
}
