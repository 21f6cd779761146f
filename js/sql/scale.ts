/** The integers of a format that SQL needs, and the literals of given times. */
import type { AnyFormat } from "../any-format.js";
import { checkOptions } from "../checks.js";
import { fail, typeError } from "../errors.js";
import type { Time } from "../types.js";

/**
 * A time: an SQL expression of the database's own time type, an expression of Unix milliseconds
 * (digits below a microsecond are dropped), or a Date or number. An expression becomes part of the
 * statement unchanged: never build one from user input, use a placeholder.
 */
export type SqlTime = string | SqlUnixMs | Time;

/** Unix milliseconds in SQL. */
export interface SqlUnixMs {
  /** The expression. */
  readonly unixMs: string;
}

/** The largest integer of a signed column. */
const SIGNED_MAX = 2n ** 63n - 1n;

/** Microseconds in a millisecond. Databases count microseconds. */
export const MICROS: bigint = 1000n;

/** A format whose IDs are integers. */
export interface Scale {
  /** The offset of the time field from the lowest bit. */
  readonly shift: bigint;
  /** All ones below the time field. */
  readonly ones: bigint;
  /** The last tick whose IDs fit the column. */
  readonly last: bigint;
  /** The largest ID that fits the column. */
  readonly max: bigint;
  /** The length of a tick, and the epoch, in milliseconds. */
  readonly tickMs: bigint;
  readonly epochMs: bigint;
  /** The same in microseconds. */
  readonly tick: bigint;
  readonly epoch: bigint;
}

/**
 * Whether the format's IDs are stored as text. Texts of the other formats do not sort as their IDs
 * do, so their columns are integers.
 */
export const isText = ({ columnType }: AnyFormat): boolean => columnType === "string";

/** The integers of a format. `unsigned`: whether the database has unsigned 64-bit integers. */
export function scaleOf(format: AnyFormat, unsigned: boolean): Scale {
  if (isText(format)) {
    typeError(
      "format",
      format,
      "one whose IDs are integers; texts only have bounds for a Date or Unix milliseconds",
    );
  }
  const { layout, epoch } = format;
  const shift = BigInt(layout.bits - (layout.fields[0]?.bits as number));
  const tickMs = BigInt(layout.tickMs);
  const epochMs = BigInt(epoch);
  const max = unsigned || format.max < SIGNED_MAX ? format.max : SIGNED_MAX;
  return {
    ...{ shift, ones: (1n << shift) - 1n, last: max >> shift, max },
    ...{ tickMs, epochMs, tick: tickMs * MICROS, epoch: epochMs * MICROS },
  };
}

/**
 * A number in an expression. A negative one has parentheses, because two minus signs start a
 * comment.
 */
export const literal = (value: bigint): string => (value < 0n ? `(${value})` : `${value}`);

/** A checked time for a bound. */
export type GivenTime =
  | { readonly expression: string; readonly isUnixMs: boolean }
  | { readonly expression?: undefined; readonly instant: Time };

/** Checks a time. The format checks a Date or a number later. */
export function givenTime(time: SqlTime): GivenTime {
  const isUnixMs = Object.keys(Object(time)).includes("unixMs");
  const expression: unknown = isUnixMs ? checkOptions(time as SqlUnixMs, { unixMs: "string" }).unixMs : time;
  if (typeof expression === "string" && expression.trim() !== "") {
    return { expression, isUnixMs };
  }
  return isUnixMs || expression === undefined || typeof expression === "string"
    ? typeError("time", time, "an SQL expression, { unixMs: an SQL expression }, a Date or Unix milliseconds")
    : { instant: time as Time };
}

/** The bound for a Date or a number, as `range` computes it. */
export function literalBound(format: AnyFormat, largest: boolean, time: Time, unsigned: boolean): string {
  const id = largest ? format.range(undefined, time).max : format.range(time).min;
  if (isText(format)) {
    return `'${format.format(id)}'`;
  }
  const { max } = scaleOf(format, unsigned);
  const integer = format.toBigInt(id);
  if (integer <= max) {
    return `${integer}`;
  }
  return largest
    ? `${max}`
    : fail("END_OF_LIFE", "time", time, "time: later than any ID that fits a signed 64-bit column");
}

/**
 * The smallest ID of the first tick that starts at or after this time; 0 before the epoch,
 * undefined after the last ID.
 */
export function edgeOf(format: AnyFormat, unixMs: number, unsigned: boolean): bigint | undefined {
  if (unixMs <= format.epoch) {
    return 0n;
  }
  const { max } = scaleOf(format, unsigned);
  const below = unixMs <= format.endOfLife ? format.toBigInt(format.range(undefined, unixMs).max) : max;
  return below < max ? below + 1n : undefined;
}
