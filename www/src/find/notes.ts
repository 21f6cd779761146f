/** What else is to be said of a number. */
import { when } from "./weigh.ts";

/** Digits of a Unix time of this century, its unit in words, and its milliseconds. */
const UNITS: Readonly<Record<number, readonly [unit: string, ms: (digits: string) => number]>> = {
  10: ["seconds", (digits) => 1000 * Number(digits)],
  13: ["milliseconds", Number],
  16: ["microseconds", (digits) => Number(digits) / 1e3],
  19: ["nanoseconds", (digits) => Number(digits) / 1e6],
};

/** Longer ago, or later, a number of so many digits is hardly a time. */
const [YEARS_BEFORE, YEARS_AFTER] = [26, 5];
const YEAR = 3.156e10;

function timeNote(digits: string, now: number): string[] {
  const [unit, ms] = UNITS[digits.length] ?? [];
  if (unit === undefined || ms === undefined) return [];
  const timestamp = Math.floor(ms(digits));
  const isNear = timestamp > now - YEARS_BEFORE * YEAR && timestamp < now + YEARS_AFTER * YEAR;
  if (!isNear) return [];
  return [`As a Unix time in ${unit} it is ${when(timestamp, now)}.`];
}

/** A number that ends in zeros, and is the shortest text of its own double. */
const isRounded = (digits: string): boolean =>
  digits.length >= 17 && digits.length <= 20 && digits.endsWith("00") && String(Number(digits)) === digits;

/** `isID`: whether it is probably an ID, so that it is no time. */
export function notesOn(text: string, isID: boolean, now: number): string[] {
  const digits = text.replace(/[,_]/g, "");
  if (!/^[1-9]\d*$/.test(digits)) return [];
  const notes = isID ? [] : timeNote(digits, now);
  if (digits.length < 60 && BigInt(digits) >= 1n << 64n) notes.push("It has more than 64 bits.");
  if (isRounded(digits))
    notes.push("It ends in zeros as a number does that JavaScript has rounded: its last digits may be lost.");
  return notes;
}
