/** Times and durations, for people. */

/** ISO 8601, or text for a time beyond the range of `Date`. */
export function isoTime(time: Date | number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? "beyond the calendar" : date.toISOString();
}

/** A time, written without fractions of a second. */
export const shownTime = (ms: number): string => isoTime(ms).replace(/\.\d+Z$/, "Z");

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1000],
] as const;

/** A duration in its largest unit, rounded down. */
export function shownDuration(ms: number): string {
  const [unit, size] = UNITS.find(([, size]) => ms >= size) ?? ["ms", 1];
  return `${Math.floor(ms / size)} ${unit}`;
}
