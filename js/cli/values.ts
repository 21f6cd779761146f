/** Converts typed text to values for the package. */
import { UNIX_MS_MAX } from "../generated/constants.js";
import { quote, type Typed, UsageError } from "./arguments.js";
import type { Choice } from "./choices.js";
import { isoTime } from "./times.js";

/** The accepted times, for messages. */
export function timesWithin(range?: {
  readonly min: number | bigint;
  readonly max: number | bigint;
}): string {
  return range === undefined
    ? "Unix milliseconds, or an ISO 8601 date in UTC such as 2025-01-31 or 2025-01-31T12:00:00Z"
    : `a time from ${isoTime(Number(range.min))} to ${isoTime(Number(range.max))}`;
}

/** The form of `--fields`, for messages. */
export const declarations = "names and widths such as time:41,region:4,sequence:12";

/** An error that names the argument, the expected value and the typed one. */
function expected({ as, text }: Typed, what: string): UsageError {
  return new UsageError(`${as}: expected ${what}, got ${shown(text)}`);
}

/** Numbers unchanged, everything else in quotes. */
export const shown = (text: string): string => (/^-?\d+(\.\d+)?$/.test(text) ? text : quote(text));

/**
 * Converts a typed value to the package's type. The package checks the value itself: text that is
 * not a number becomes NaN, and the package's error for NaN contains the allowed range.
 */
export function convert({ kind }: Choice, typed: Typed): unknown {
  switch (kind) {
    case "number":
      return toNumber(typed.text, /^-?\d+(\.0+)?$/);
    case "duration":
      return toNumber(typed.text, /^-?\d+(\.\d+)?$/);
    case "time":
      return toTime(typed);
    case "fields":
      return toFields(typed);
    case "word":
    case "field":
      return typed.text;
  }
}

const toNumber = (text: string, form: RegExp): number => (form.test(text) ? Number(text) : Number.NaN);

/** The value of `--count`. */
export function toCount(typed: Typed): number {
  const count = toNumber(typed.text, /^\d+$/);
  if (Number.isSafeInteger(count)) return count;
  throw expected(typed, `a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`);
}

const ISO_TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z)?$/;

/** Unix milliseconds. */
export function toTime(typed: Typed): number {
  const { text } = typed;
  const number = toNumber(text, /^-?\d+$/);
  if (Math.abs(number) <= UNIX_MS_MAX) return number;
  if (!Number.isNaN(number)) throw expected(typed, timesWithin({ min: -UNIX_MS_MAX, max: UNIX_MS_MAX }));
  const time = ISO_TIME.test(text) ? Date.parse(text) : Number.NaN;
  // `Date.parse` accepts a day like February 30 and reads it as March.
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(text.slice(0, 10))) {
    throw expected(typed, timesWithin());
  }
  return time;
}

/** Parses `time:41,region:4,sequence:12`, high to low. */
export function toFields({ as, text }: Typed): Record<string, number> {
  const fields = new Map<string, number>();
  for (const part of text.split(",")) {
    const [, field, bits] = /^([^:]+):(\d+)$/.exec(part) ?? [];
    if (field === undefined || bits === undefined) {
      throw new UsageError(`${as}: expected ${declarations}, got ${quote(part)}`);
    }
    if (fields.has(field)) throw new UsageError(`${as} declares ${quote(field)} twice`);
    // An object would sort names made of digits first.
    if (/^\d+$/.test(field)) throw new UsageError(`${as}: ${field} is not a name`);
    fields.set(field, Number(bits));
  }
  return Object.fromEntries(fields);
}
