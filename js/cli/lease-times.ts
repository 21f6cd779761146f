/** Times and durations of leases, for people. */
import { isoTime } from "./draw.js";

/** A time, written without fractions of a second. */
export const shownTime = (ms: number): string => isoTime(new Date(ms)).replace(/\.\d+Z$/, "Z");

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
