/**
 * SQLite. A time is any argument of its date functions: a text, a Julian day, `'now', '-1 day'`.
 * Times have whole milliseconds.
 */
import type { Dialect } from "./expressions.js";

/** The Unix milliseconds of a time. 2440587.5 is the Julian day of 1970-01-01. */
const MS = (time: string) => `CAST(round((julianday(${time}) - 2440587.5) * 86400000) AS INTEGER)`;

/** The arithmetic of SQLite. */
export const sqlite: Dialect = {
  // SQLite reads a name in double quotes as text if there is no such column.
  quote: "`",
  fits: () => true,
  words: "not empty, without zero bytes",
  unsigned: false,
  binary: (text) => `(${text} COLLATE BINARY)`,
  shifted: (column, shift) => `(${column} >> ${shift})`,
  time: (ms) => `strftime('%Y-%m-%d %H:%M:%f', ${ms} / 1000.0, 'unixepoch')`,
  micros: (expression, isUnixMs) =>
    isUnixMs ? `CAST((${expression}) * 1000 AS INTEGER)` : `(${MS(expression)} * 1000)`,
  quotient: (dividend, divisor) => `(${dividend} / ${divisor})`,
  larger: (a, b) => `max(${a}, ${b})`,
  smaller: (a, b) => `min(${a}, ${b})`,
  raised: (ticks, shift) => `(${ticks} << ${shift})`,
};
