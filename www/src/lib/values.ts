/**
 * Converts typed text to the values that the package accepts. Any other text stays unchanged, so
 * that the package rejects it.
 */

/** A date in ISO 8601, as programs and this site write it. */
const ISO =
  /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z| \d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?( UTC|Z)?)?$/;

/** A number without exponent, sign or fraction. */
export const whole = (text: string): number | string => (/^\d{1,16}$/.test(text) ? Number(text) : text);

/** A number that may have a fraction. */
export const decimal = (text: string): number | string =>
  /^\d{1,16}(\.\d+)?$/.test(text) ? Number(text) : text;

/** Converts an ISO 8601 date in UTC, or a number of milliseconds, to Unix milliseconds. */
export function time(text: string): number | string {
  if (/^-?\d{1,16}$/.test(text)) return Number(text);
  const iso = text.replace(/ UTC$|Z$/, "").replace(" ", "T");
  const found = ISO.test(text) ? Date.parse(/T/.test(iso) ? `${iso}Z` : iso) : Number.NaN;
  // `Date.parse` accepts a day that the month does not have, and moves it to the next month.
  const kept = !Number.isNaN(found) && new Date(found).toISOString().startsWith(text.slice(0, 10));
  return kept ? found : text;
}

/** Parses a layout such as `time:41,worker:10,sequence:12`, from high to low. */
export function fields(text: string): Record<string, number> | string {
  const pairs = text.split(",").map((part) => /^\s*([^:\s]+)\s*:\s*(\d{1,3})\s*$/.exec(part));
  const read = pairs.flatMap((pair) =>
    pair?.[1] === undefined ? [] : [[pair[1], Number(pair[2])] as const],
  );
  const names = new Set(read.map(([name]) => name));
  return names.size === pairs.length ? Object.fromEntries(read) : text;
}

/**
 * The shortest text that `time` parses as this time. At the start of a day, this is the date alone.
 */
export function timeText(ms: number): string {
  const iso = new Date(ms).toISOString();
  if (!/^\d{4}/.test(iso)) return String(ms);
  return iso.replace(/T00:00:00\.000Z$/, "").replace(/\.000Z$/, "Z");
}

/** A time, as code. */
export function timeCode(ms: number): string {
  const date = new Date(ms);
  const parts = [
    date.getUTCFullYear(),
    date.getUTCMonth(),
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
  ];
  // `Date.UTC` reads a year below 100 as one of the twentieth century.
  if (ms % 1000 !== 0 || date.getUTCFullYear() < 100) return String(ms);
  while (parts.length > 3 && parts.at(-1) === 0) parts.pop();
  return `Date.UTC(${parts.join(", ")})`;
}

/** An object, as code. Keys whose value is `undefined` are left out. */
export function objectCode(values: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return given.length === 0 ? "" : `{ ${given.map(([key, value]) => `${key}: ${value}`).join(", ")} }`;
}
