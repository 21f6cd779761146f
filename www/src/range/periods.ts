/** Ranges that people often need. */
import type { Zone } from "./dates.ts";

export interface Period {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

const HOUR = 3_600_000;

export function periods(now: number, zone: Zone): Period[] {
  const date = new Date(now);
  const [year, month, day] =
    zone === "utc"
      ? [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
      : [date.getFullYear(), date.getMonth(), date.getDate()];
  // In local time, a day does not always have 24 hours.
  const at = (y: number, m: number, d: number): number =>
    zone === "utc" ? Date.UTC(y, m, d) : new Date(y, m, d).getTime();
  const minute = Math.floor(now / 60_000) * 60_000;
  return [
    { name: "Last hour", from: minute - HOUR, to: minute },
    { name: "Today", from: at(year, month, day), to: at(year, month, day + 1) },
    { name: "Yesterday", from: at(year, month, day - 1), to: at(year, month, day) },
    { name: "This month", from: at(year, month, 1), to: at(year, month + 1, 1) },
    { name: "Last month", from: at(year, month - 1, 1), to: at(year, month, 1) },
  ];
}
