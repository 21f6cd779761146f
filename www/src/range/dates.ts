/** Converts the dates of an input to and from Unix milliseconds, in local time or UTC. */

export type Zone = "local" | "utc";

const FORM = /^(\d{4,6})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?$/;

const two = (part: number): string => String(part).padStart(2, "0");

/**
 * Returns Unix milliseconds, or `undefined` if the text is not a date. Also accepts dates that
 * people type in browsers without a date input.
 */
export function readDate(text: string, zone: Zone): number | undefined {
  const parts = FORM.exec(text.trim());
  if (parts === null) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const ms = Number((parts[7] ?? "").padEnd(3, "0"));
  const utc = new Date(Date.UTC(year, month - 1, day, hour, minute, second, ms));
  // `Date` moves an invalid day to the next month, and other parts likewise, so compare every part.
  const read = [
    utc.getUTCFullYear(),
    utc.getUTCMonth() + 1,
    utc.getUTCDate(),
    utc.getUTCHours(),
    utc.getUTCMinutes(),
    utc.getUTCSeconds(),
  ];
  if (read.join() !== [year, month, day, hour, minute, second].join()) return undefined;
  return zone === "utc" ? utc.getTime() : new Date(year, month - 1, day, hour, minute, second, ms).getTime();
}

/** The text that an input shows for a time; empty if it cannot show the time. */
export function showDate(time: number | undefined, zone: Zone): string {
  if (time === undefined) return "";
  // Shift the time, so that its UTC parts are the local ones.
  const date = zone === "utc" ? new Date(time) : new Date(time - new Date(time).getTimezoneOffset() * 60_000);
  const year = date.getUTCFullYear();
  if (Number.isNaN(year) || year < 0 || year > 9999) return "";
  const day = `${String(year).padStart(4, "0")}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
  const minutes = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
  const fraction =
    date.getUTCMilliseconds() === 0 ? "" : `.${String(date.getUTCMilliseconds()).padStart(3, "0")}`;
  return `${day}T${minutes}:${two(date.getUTCSeconds())}${fraction}`;
}
