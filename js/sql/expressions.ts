/** The expressions that all databases share. */
import type { AnyFormat } from "../any-format.js";
import { partsOf, type Quoting, quoted, type SqlName } from "./names.js";
import { givenTime, isText, literal, literalBound, type Scale, type SqlTime, scaleOf } from "./scale.js";
import type { Sql } from "./types.js";

/** The arithmetic of a database, as SQL. */
export interface Dialect extends Quoting {
  /** Whether the database has unsigned 64-bit integers. */
  readonly unsigned: boolean;
  /** A text literal that compares byte by byte. */
  binary(text: string): string;
  /** The integer of a column, shifted right, as a signed integer. */
  shifted(column: string, shift: bigint): string;
  /** The time for Unix milliseconds. */
  time(ms: string): string;
  /**
   * The whole microseconds of a time or of Unix milliseconds, rounded down. Uses the expression
   * only once, because it may be a placeholder.
   */
  micros(expression: string, isUnixMs: boolean): string;
  /** The quotient of two integers, towards zero. */
  quotient(dividend: string, divisor: bigint): string;
  /** The larger of two values. NULL if either is. */
  larger(a: string, b: string): string;
  smaller(a: string, b: string): string;
  /** An integer, shifted left. */
  raised(ticks: string, shift: bigint): string;
}

/** The Unix milliseconds of an ID. */
function unixMs(dialect: Dialect, { shift, tickMs, epochMs }: Scale, id: string): string {
  const ticks = dialect.shifted(id, shift);
  return `(${tickMs === 1n ? ticks : `(${ticks} * ${tickMs})`} + ${literal(epochMs)})`;
}

/**
 * The number of ticks that start at or before a time (or only before it), limited to the format's
 * life: 0 to last, or last + 1.
 */
function ticks(dialect: Dialect, { epoch, tick, last }: Scale, micros: string, before: boolean): string {
  const { larger, smaller, quotient } = dialect;
  // Division rounds towards zero. Add one tick, so that the relevant quotients are never negative.
  const since = `(${micros} - ${literal(before ? epoch - tick + 1n : epoch)})`;
  return larger(smaller(quotient(since, tick), literal(last + 1n)), "0");
}

/** The smallest ID of the tick that contains a time; NULL after the last tick. */
function smallest(dialect: Dialect, scale: Scale, micros: string): string {
  const tick = `nullif(${ticks(dialect, scale, micros, false)}, ${scale.last + 1n})`;
  return dialect.raised(tick, scale.shift);
}

/** The largest ID of the last tick that starts before a time; NULL before the epoch. */
function largest(dialect: Dialect, scale: Scale, micros: string): string {
  const count = `nullif(${ticks(dialect, scale, micros, true)}, 0)`;
  return `(${dialect.raised(`(${count} - 1)`, scale.shift)} | ${scale.ones})`;
}

/** The four calculations, which take SQL expressions of IDs and times. */
export const calculations = (dialect: Dialect, format: AnyFormat) => {
  const scale = scaleOf(format, dialect.unsigned);
  return {
    unixMs: (id: string) => unixMs(dialect, scale, id),
    time: (id: string) => dialect.time(unixMs(dialect, scale, id)),
    min: (time: string, isUnixMs = false) => smallest(dialect, scale, dialect.micros(time, isUnixMs)),
    max: (time: string, isUnixMs = false) => largest(dialect, scale, dialect.micros(time, isUnixMs)),
  };
};

/** The expressions for every database. */
export function expressions(dialect: Dialect, format: AnyFormat): Sql {
  const columnOf = (column: SqlName) => quoted(dialect, partsOf(dialect, column, "column"));
  function bound(time: SqlTime, isMax: boolean): string {
    const given = givenTime(time);
    if (given.expression === undefined) {
      const text = literalBound(format, isMax, given.instant, dialect.unsigned);
      return isText(format) ? dialect.binary(text) : text;
    }
    return calculations(dialect, format)[isMax ? "max" : "min"](given.expression, given.isUnixMs);
  }
  return {
    timeOf: (column) => calculations(dialect, format).time(columnOf(column)),
    unixMsOf: (column) => calculations(dialect, format).unixMs(columnOf(column)),
    min: (time) => bound(time, false),
    max: (time) => bound(time, true),
    between: (column, from, to) => `${columnOf(column)} BETWEEN ${bound(from, false)} AND ${bound(to, true)}`,
  };
}
