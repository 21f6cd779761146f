/** Dates as an input of a date and a time has them, in local time or UTC. */

export type Zone = "local" | "utc";

const FORM = /^(\d{4,6})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?$/;

const two = (part: number): string => String(part).padStart(2, "0");

/**
 * Unix milliseconds; `undefined` if the text is not such a date. Also reads the texts that people
 * type in browsers without such an input.
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
  // A day that the month does not have would be a day of the next one, and so on with each part.
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

/** The text that such an input shows. Empty for a time that it cannot show. */
export function showDate(time: number | undefined, zone: Zone): string {
  if (time === undefined) return "";
  // As if the local time were UTC.
  const date = zone === "utc" ? new Date(time) : new Date(time - new Date(time).getTimezoneOffset() * 60_000);
  const year = date.getUTCFullYear();
  if (Number.isNaN(year) || year < 0 || year > 9999) return "";
  const day = `${String(year).padStart(4, "0")}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
  const minutes = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
  const fraction =
    date.getUTCMilliseconds() === 0 ? "" : `.${String(date.getUTCMilliseconds()).padStart(3, "0")}`;
  return `${day}T${minutes}:${two(date.getUTCSeconds())}${fraction}`;
}
