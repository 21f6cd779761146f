/** The code that all foreign kinds share. An ID is an integer of a fixed width, cut into fields. */
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
  /** How well this reading explains the text, in bits. */
  readonly score: number;
}

/** Reads a text strictly. Returns undefined if it is not of this kind. */
export type Reader = (text: string, now: number) => ForeignID | undefined;

/** The name of a field, its width in bits, and a function that formats its value. */
export type Column = readonly [name: string, bits: number, write: (value: bigint) => string];

export const asNumber = (value: bigint): string => String(value);
/** Formats a value as hexadecimal digits of the field's width. */
export const asHex =
  (bits: number) =>
  (value: bigint): string =>
    value.toString(16).padStart(Math.ceil(bits / 4), "0");
/** Formats a value as a date. `timestamp` converts it to Unix milliseconds. */
export const asTime =
  (timestamp: (value: bigint) => number) =>
  (value: bigint): string =>
    new Date(timestamp(value)).toISOString();

/** A field of random bits. */
export const random = (name: string, bits: number): Column => [name, bits, asHex(bits)];

/** Cuts an integer into fields, from high to low. */
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

/** The score of a time at which no IDs of a kind were made, in bits. */
const NEVER = -14;

/**
 * The score of a time, in bits. All times since the kind was introduced are equally likely. `bits`:
 * the width of the field; `tickMs`: its unit.
 */
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

/** The time of a kind. It is always the first field. */
interface Time {
  readonly bits: number;
  /**
   * Converts the field's value to Unix milliseconds. `integer`: the whole ID, for kinds in which
   * lower bits are part of the time.
   */
  readonly timestamp: (ticks: bigint, integer?: bigint) => number;
  readonly tickMs: number;
  /** The time from which IDs were made. */
  readonly since: number;
}

/** A kind of ID, described by the facts of its specification. */
export interface ForeignKind {
  readonly key: string;
  readonly title: string;
  /** Matches the whole text. */
  readonly form: RegExp;
  readonly integer: (text: string) => bigint | undefined;
  readonly time?: Time;
  /** The fields below the time. */
  readonly below: readonly Column[];
  /** How common it is, in bits. */
  readonly prior: number;
  readonly canonical?: (text: string) => string;
  /**
   * Such texts count only if an address or a word nearby supports the kind, or, with `isAlone`, if
   * they have no surroundings.
   */
  readonly asked?: RegExp;
  readonly isAlone?: true;
}

/** A time in Unix milliseconds. */
export const unixMs = (bits: number, since: number): Time => ({ bits, timestamp: Number, tickMs: 1, since });

/** A time in seconds since `epoch`, which is given in Unix seconds. */
export const seconds = (since: number, epoch = 0): Time => ({
  bits: 32,
  timestamp: (ticks) => 1000 * (Number(ticks) + epoch),
  tickMs: 1000,
  since,
});

/** Reads a text that matches the form of a kind. Returns undefined if it is not of this kind. */
export function read(kind: ForeignKind, text: string, now: number): ForeignID | undefined {
  const { key, title, time, below, prior, canonical } = kind;
  const integer = kind.integer(text);
  if (integer === undefined) return undefined;
  const columns: readonly Column[] =
    time === undefined ? below : [["time", time.bits, asTime((ticks) => time.timestamp(ticks))], ...below];
  const width = columns.reduce((sum, [, bits]) => sum + bits, 0);
  if (integer >> BigInt(width) !== 0n) return undefined;
  const shared = {
    ...{ key, title, encoding: "text" as const, integer, text: canonical?.(text) ?? text },
    ...takeApart(integer, columns),
  };
  if (time === undefined) return { ...shared, timestamp: undefined, score: prior - width };
  const { bits, since, tickMs } = time;
  const timestamp = time.timestamp(integer >> BigInt(width - bits), integer);
  const score = timeScore(timestamp, since, now, bits, tickMs) + prior - (width - bits);
  return { ...shared, timestamp, score };
}
