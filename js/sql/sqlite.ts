/** SQLite. A time is what its date functions take: texts, Julian days, `'now', '-1 day'`; it has whole milliseconds. */
import type { Dialect } from "./expressions.js";

/** The Julian day of 1970-01-01, and milliseconds of a day. */
const MS = (time: string) => `CAST(round((julianday(${time}) - 2440587.5) * 86400000) AS INTEGER)`;

/** How SQLite calculates. */
export const sqlite: Dialect = {
  // Where there is no such column, SQLite takes a name in double quotes for a text.
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
