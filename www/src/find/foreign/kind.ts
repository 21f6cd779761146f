/** What the kinds of other families have in common: an integer of a fixed width, cut into fields. */
import { DAY_MS } from "../../lib/units.ts";
import type { Encoding, ForeignField } from "../types.ts";

/** A text read as an ID of another family. */
export interface ForeignID {
  readonly key: string;
  readonly title: string;
  readonly encoding: Encoding;
  readonly timestamp: number | undefined;
  readonly fields: readonly ForeignField[];
  readonly values: readonly { readonly name: string; readonly value: string }[];
  readonly integer: bigint;
  readonly width: number;
  /** The canonical text. */
  readonly text: string;
  /** How well this explains the text, in bits. */
  readonly score: number;
}

/** Reads a text, strictly: undefined if it is none of its kind. */
export type Reader = (text: string, now: number) => ForeignID | undefined;

/** A field's name, its bits, and how its value is written. */
export type Column = readonly [name: string, bits: number, write: (value: bigint) => string];

export const asNumber = (value: bigint): string => String(value);
/** As hexadecimal digits of the field's width. */
export const asHex =
  (bits: number) =>
  (value: bigint): string =>
    value.toString(16).padStart(Math.ceil(bits / 4), "0");
/** As a date, of a number that becomes Unix milliseconds. */
export const asTime =
  (timestamp: (value: bigint) => number) =>
  (value: bigint): string =>
    new Date(timestamp(value)).toISOString();

/** A field of random bits. */
export const random = (name: string, bits: number): Column => [name, bits, asHex(bits)];

/** Cuts an integer into fields, high to low. */
export function takeApart(
  integer: bigint,
  columns: readonly Column[],
): Pick<ForeignID, "fields" | "values" | "width"> {
  let left = columns.reduce((sum, [, bits]) => sum + bits, 0);
  const width = left;
  const values = columns.map(([name, bits, write]) => {
    left -= bits;
    return { name, value: write((integer >> BigInt(left)) & ((1n << BigInt(bits)) - 1n)) };
  });
  return { fields: columns.map(([name, bits]) => ({ name, bits })), values, width };
}

/** A time when no ID of a kind was made, in bits. */
const NEVER = -14;

/** How likely a time is, in bits: as likely as any other since the kind was made. `bits`: of the field; `tickMs`: its unit. */
export function timeScore(
  timestamp: number,
  since: number,
  now: number,
  bits: number,
  tickMs: number,
): number {
  const end = now + DAY_MS;
  return timestamp >= since && timestamp < end ? -Math.log2((end - since) / tickMs) : NEVER - bits;
}

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
