/** Formats times as words. */
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

/**
 * The distance from now in the largest unit that fits at least once: "8 years ago", "in 3 hours".
 */
export function ago(timestamp: number, now: number): string {
  const gone = timestamp - now;
  const step = STEPS.find(([, ms]) => Math.abs(gone) >= ms);
  if (step === undefined) return gone <= 0 ? "less than a second ago" : "in less than a second";
  return relative.format(Math.trunc(gone / step[1]), step[0]);
}

const zone = new Intl.DateTimeFormat("en", { timeZoneName: "short" });

/** ISO 8601 with a space. All pages show dates in this style. */
const dated = (timestamp: number): string => new Date(timestamp).toISOString().replace("T", " ").slice(0, -1);

/** A time in UTC, without the zone: "2016-04-30 11:18:25.796". */
export const utcTime = dated;

/** A time in UTC: "2016-04-30 11:18:25.796 UTC". */
export const timeInWords = (timestamp: number): string => `${dated(timestamp)} UTC`;

/** A time in the reader's own time zone: "2016-04-30 13:18:25.796 GMT+2". */
export function localTime(timestamp: number): string {
  const name = zone.formatToParts(timestamp).find(({ type }) => type === "timeZoneName")?.value;
  return `${dated(timestamp - 60_000 * new Date(timestamp).getTimezoneOffset())} ${name ?? ""}`;
}

/** A day: "2016-04-30". */
export const dayInWords = (timestamp: number): string => dated(timestamp).split(" ")[0] as string;

/** A time in UTC, without the time of day if it is the beginning of a day: "2015-01-01 UTC". */
export function momentInWords(timestamp: number): string {
  if (Number.isNaN(new Date(timestamp).getTime())) return "a day beyond the calendar";
  return timestamp % DAY_MS === 0 ? `${dayInWords(timestamp)} UTC` : timeInWords(timestamp);
}
