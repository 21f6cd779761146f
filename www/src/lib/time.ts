/** Times in words. */
import { DAY_MS, YEAR_MS } from "./units.ts";

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["year", YEAR_MS],
  ["month", YEAR_MS / 12],
  ["day", DAY_MS],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
];

const relative = new Intl.RelativeTimeFormat("en", { numeric: "always" });

/** How long ago, in the largest unit of which it is at least one: "8 years ago", "in 3 hours". */
export function ago(timestamp: number, now: number): string {
  const gone = timestamp - now;
  const step = STEPS.find(([, ms]) => Math.abs(gone) >= ms);
  if (step === undefined) return gone <= 0 ? "less than a second ago" : "in less than a second";
  return relative.format(Math.trunc(gone / step[1]), step[0]);
}

const local = new Intl.DateTimeFormat(undefined, {
  dateStyle: "medium",
  timeStyle: "long",
});

/** In the reader's own time zone and language. */
export const localTime = (timestamp: number): string => local.format(timestamp);

/** In UTC, as ISO 8601 has it. */
export const utcTime = (timestamp: number): string => new Date(timestamp).toISOString();

const day = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});

const clockOf = (timestamp: number): string => utcTime(timestamp).slice(-13, -1);

/** "30 April 2016". */
export const dayInWords = (timestamp: number): string => day.format(timestamp);

/** "30 April 2016 11:18:25.796 UTC". */
export const timeInWords = (timestamp: number): string =>
  `${day.format(timestamp)} ${clockOf(timestamp)} UTC`;

/** The same; at the beginning of a day, the day alone: "1 January 2015 UTC". */
export function momentInWords(timestamp: number): string {
  if (Number.isNaN(new Date(timestamp).getTime())) return "a day beyond the calendar";
  return timestamp % DAY_MS === 0 ? `${day.format(timestamp)} UTC` : timeInWords(timestamp);
}
