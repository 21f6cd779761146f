/**
 * The shared parts of the kinds of other families: an integer of a fixed width, cut into fields.
 */
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

/** Reads a text strictly; undefined if it is not of this kind. */
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

/** The time of a kind, which is its first field. */
interface Time {
  readonly bits: number;
  /** Unix milliseconds of a field's value. `integer`: of the whole ID, where later bits are a part of the time. */
  readonly timestamp: (ticks: bigint, integer?: bigint) => number;
  readonly tickMs: number;
  /** When the first IDs were made. */
  readonly since: number;
}

/** A kind of IDs, as the facts of its specification. */
export interface ForeignKind {
  readonly key: string;
  readonly title: string;
  /** The whole text. */
  readonly form: RegExp;
  readonly integer: (text: string) => bigint | undefined;
  readonly time?: Time;
  /** The fields below the time. */
  readonly below: readonly Column[];
  /** How common it is, in bits. */
  readonly prior: number;
  readonly canonical?: (text: string) => string;
  /** Texts that are read only where an address or a word speaks for the kind, or, if they may, alone. */
  readonly asked?: RegExp;
  readonly isAlone?: true;
}

/** The time of a kind that counts Unix milliseconds. */
export const unixMs = (bits: number, since: number): Time => ({ bits, timestamp: Number, tickMs: 1, since });

/** The time of a kind that counts seconds since `epoch`, which is in Unix seconds. */
export const seconds = (since: number, epoch = 0): Time => ({
  bits: 32,
  timestamp: (ticks) => 1000 * (Number(ticks) + epoch),
  tickMs: 1000,
  since,
});

/** Reads a text that has the form of a kind; undefined if it is not of this kind. */
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
