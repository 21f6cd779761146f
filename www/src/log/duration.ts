/** Formats durations as words. */
import { DAY_MS, YEAR_MS } from "../lib/units.ts";

const UNITS: readonly (readonly [name: string, ms: number])[] = [
  ["y", YEAR_MS],
  ["d", DAY_MS],
  ["h", 3_600_000],
  ["min", 60_000],
];

const number = new Intl.NumberFormat("en");

/** The duration in its two largest units: "3 y 20 d", "3 d 4 h", "2 min 5 s", "1.25 s", "12 ms". */
export function duration(ms: number): string {
  const length = Math.abs(ms);
  if (length < 1000) return `${Math.round(length)} ms`;
  if (length < 60_000) return `${Number((length / 1000).toFixed(length < 10_000 ? 2 : 1))} s`;
  const at = UNITS.findIndex(([, unit]) => length >= unit);
  const [name, unit] = UNITS[at] as (typeof UNITS)[number];
  const [smaller, part] = UNITS[at + 1] ?? ["s", 1000];
  const rest = Math.floor((length % unit) / part);
  const whole = `${number.format(Math.floor(length / unit))} ${name}`;
  return rest === 0 ? whole : `${whole} ${rest} ${smaller}`;
}

/** The gap between two rows, with its sign. */
export const gapText = (ms: number): string => `${ms < 0 ? "−" : "+"}${duration(ms)}`;
