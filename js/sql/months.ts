/** The months of an interval in UTC, and the first ID of each month. */
import type { AnyFormat } from "../any-format.js";
import { fail, typeError } from "../errors.js";
import type { Time } from "../types.js";
import { edgeOf, scaleOf } from "./scale.js";

/** The largest number of partitions of a MySQL table. */
const MOST = 8192;

/** A month that overlaps the interval. */
export interface Month {
  /** Year and month: `2025_01`. */
  readonly name: string;
  /** The smallest ID of the month. */
  readonly first: bigint;
  /** The smallest ID after the month; undefined if there is none. */
  readonly next: bigint | undefined;
}

/** The months that overlap [from, to). Errors: those of `range`. */
export function monthsOf(format: AnyFormat, from: Time, to: Time, unsigned: boolean): Month[] {
  scaleOf(format, unsigned);
  for (const [name, time] of Object.entries({ from, to })) {
    if (time === undefined) {
      typeError(name, time, "Unix milliseconds or a Date");
    }
  }
  // Checks both times.
  format.range(from, to);
  const date = new Date(Math.max(Number(from), format.epoch));
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  // Date.UTC reads years below 100 as 19xx.
  const start = (index: number) => new Date(0).setUTCFullYear(year, month + index, 1);
  const end = Math.min(Number(to), format.endOfLife + 1);
  const months: Month[] = [];
  for (let index = 0; start(index) < end; index++) {
    const first = edgeOf(format, start(index), unsigned);
    const next = edgeOf(format, start(index + 1), unsigned);
    if (first === undefined) {
      break;
    }
    if (index === MOST) {
      fail("RANGE", "to", to, `to: expected at most ${MOST} months after from`);
    }
    if (first !== next) {
      const begins = new Date(start(index));
      const number = `${begins.getUTCMonth() + 1}`.padStart(2, "0");
      months.push({ name: `${begins.getUTCFullYear()}_${number}`, first, next });
    }
  }
  return months;
}
