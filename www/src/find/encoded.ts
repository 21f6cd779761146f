/**
 * Finds the integers that a text can encode, and the encodings. This is the inverse of
 * look/encodings.ts.
 */
import { decode, encode } from "graupel/encode";
import {
  ALPHABETS,
  DIGITS_36,
  DIGITS_64,
  ENCODINGS,
  type EncodingName,
  inAlphabet,
} from "../lib/alphabets.ts";
import type { AnyFormat, Id } from "../lib/formats.ts";
import { outcomeOf } from "../lib/refusal.ts";
import type { Encoding } from "./types.ts";

export interface Encoded {
  readonly encoding: Encoding;
  readonly integer: bigint;
  /** The number of bytes that the text encodes; undefined for an encoding without leading zeros. */
  readonly bytes: number | undefined;
}

/** How common each encoding is in pasted texts, in bits. */
export const PRIORS: Readonly<Record<Encoding, number>> = {
  text: 0,
  UUID: -3,
  decimal: -4,
  "0x": -4,
  bytes: -4,
  hex: -5,
  binary: -5,
  "base 36": -6,
  "base 62": -8,
  "base 58": -9,
  "Crockford 32": -12,
  base64url: -8,
  shortcode: -20,
  zbase32: -11,
  "crockford32-lower": -11,
  "crockford32-lenient": -14,
  uuidv8: -3,
};

/** The widest ID has 80 bits. */
const WIDEST = 1n << 80n;

const DIGITS = /^(?:0|[1-9]\d*)$/;
const GROUPED = /^\d{1,3}(?:,\d{3})+$|^\d{1,3}(?:_\d{3})+$/;
const HEX = /^(?:[0-9a-f]+|[0-9A-F]+)$/;
/** Three leading zeros are a memory address. */
const PREFIXED = /^0[xX](?!000)([0-9a-fA-F]+)$/;
const BINARY = /^(?:0b)?([01]{56,80})$/;
const BASE36 = /^[1-9a-z][0-9a-z]{9,15}$/;
const BASE64URL = /^[\w-]{10,14}$/;
const BYTES = /^\[[\d\s,]+\]$/;

/** The lengths of Snowflake-style IDs in bytes. */
const LENGTHS = [7, 8, 10];

function integerOf(bytes: readonly number[]): bigint {
  return bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
}

/** Reads base-64 digits as an integer, not as bytes. */
const base64 = (text: string): bigint => inAlphabet(text, DIGITS_64) ?? 0n;

/** Reads base64url as bytes. The bits after the last byte must be 0. */
function base64url(text: string): Encoded | undefined {
  const bytes = Math.floor((6 * text.length) / 8);
  const spare = BigInt(6 * text.length - 8 * bytes);
  if (!LENGTHS.includes(bytes) || text.length !== Math.ceil((8 * bytes) / 6)) return undefined;
  const digits = base64(text);
  if (digits & ((1n << spare) - 1n)) return undefined;
  return { encoding: "base64url", integer: digits >> spare, bytes };
}

function bytesOf(text: string): Encoded | undefined {
  const bytes = text.slice(1, -1).split(",").map(Number);
  if (!LENGTHS.includes(bytes.length) || bytes.some((byte) => byte > 255)) return undefined;
  return { encoding: "bytes", integer: integerOf(bytes), bytes: bytes.length };
}

/**
 * Reads Instagram's shortcode in an address, which is the integer in base 64. In the address of a
 * private post, 28 more characters follow.
 */
export const shortcode = (text: string): bigint | undefined =>
  /^[\w-]{10,11}(?:[\w-]{28})?$/.test(text) ? base64(text.replace(/.{28}$/, "")) : undefined;

/** Returns every way to read a text as an integer of at most 80 bits. */
export function encodedIn(text: string): Encoded[] {
  if (BYTES.test(text)) return [bytesOf(text)].flatMap((one) => one ?? []);
  const all: Encoded[] = [];
  const grouped = GROUPED.test(text);
  if (grouped || DIGITS.test(text)) {
    const digits = grouped ? text.replace(/[,_]/g, "") : text;
    if (digits.length <= 25 && DIGITS.test(digits))
      all.push({ encoding: "decimal", integer: BigInt(digits), bytes: undefined });
    if (grouped) return all;
  }
  const prefixed = PREFIXED.exec(text)?.[1];
  if (prefixed !== undefined)
    all.push({ encoding: "0x", integer: BigInt(`0x${prefixed}`), bytes: undefined });
  const isNumber = /^\d+$/.test(text);
  // Digits alone count as hexadecimal only if there are fewer than 16 of them.
  if (HEX.test(text) && !(isNumber && text.length >= 16) && LENGTHS.includes(text.length / 2))
    all.push({ encoding: "hex", integer: BigInt(`0x${text}`), bytes: text.length / 2 });
  const binary = BINARY.exec(text)?.[1];
  if (binary !== undefined && LENGTHS.includes(binary.length / 8))
    all.push({ encoding: "binary", integer: BigInt(`0b${binary}`), bytes: binary.length / 8 });
  if (BASE36.test(text) && !isNumber)
    all.push({ encoding: "base 36", integer: inAlphabet(text, DIGITS_36) ?? 0n, bytes: undefined });
  if (BASE64URL.test(text) && !isNumber) all.push(...[base64url(text)].flatMap((one) => one ?? []));
  return all.filter(({ integer }) => integer < WIDEST);
}

/**
 * Encodings with readers of their own, because their texts can be other things, or count only in an
 * address.
 */
const APART = ["base64url", "shortcode"];

/** All other encodings: those of graupel/encode and of graupel/encodings. */
const DECODED = [
  ...ALPHABETS.map((one) => ({ ...one, sorts: true })),
  ...ENCODINGS.filter(({ name }) => !APART.includes(name)).map((encoding) => ({
    name: encoding.name as EncodingName,
    encoding,
    sorts: false,
  })),
];

/** The encodings, each with the text of a format's largest ID. */
type Largest = readonly ((typeof DECODED)[number] & { readonly most: string })[];
const largest = new WeakMap<AnyFormat, Largest>();

function largestOf(format: AnyFormat): Largest {
  const known = largest.get(format);
  if (known !== undefined) return known;
  const { max } = format.range();
  const all = DECODED.map((one) => ({ ...one, most: encode(format, max, one.encoding) }));
  largest.set(format, all);
  return all;
}

/**
 * Texts that these encodings can produce: words of suitable lengths and UUIDs of version 8. Digits
 * alone are a number.
 */
const WORD = /^(?!\d+$)[0-9A-Za-z]{7,16}$|^[0-9a-f-]{14}8[0-9a-f-]{21}$/;

/** The IDs of a format that a text can encode. */
export function decodedIn(
  format: AnyFormat,
  text: string,
): { readonly encoding: Encoding; readonly id: Id }[] {
  if (!WORD.test(text)) return [];
  const read = largestOf(format).flatMap(({ name, encoding, most, sorts }) => {
    // If texts sort as the IDs do, a comparison rejects most texts without the cost of an error.
    if (text.length !== most.length || (sorts && text > most)) return [];
    const outcome = outcomeOf(() => decode(format, text, encoding));
    if ("error" in outcome) return [];
    return [{ encoding: name, id: outcome.value, isExact: encode(format, outcome.value, encoding) === text }];
  });
  // Some encodings read more texts than they write. Such a reading counts only if no encoding
  // writes the same ID as exactly this text.
  return read.filter(({ id, isExact }) => isExact || !read.some((one) => one.isExact && one.id === id));
}
