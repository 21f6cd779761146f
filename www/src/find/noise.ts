/**
 * Scores a text as something that is not an ID, in bits: the probability that a random text of the
 * same kind is exactly this text.
 */
import { isCard, isIDCard } from "./other.ts";

const DIGIT = Math.log2(10);

/**
 * A penalty in bits: numbers with that many digits are rarely anything but IDs. A sure answer does
 * not rely on it.
 */
export const LONG = 16;
export const isLong = (text: string): boolean => /^\d{17,20}$/.test(text);

/** Scores a number. Round numbers are likelier. */
function ofNumber(digits: string, now: number): number {
  const zeros = /0*$/.exec(digits)?.[0].length ?? 0;
  const random = -DIGIT * digits.length - (isLong(digits) ? LONG : 0);
  const round = zeros > 3 ? -DIGIT * (digits.length - zeros) - 10 : -Infinity;
  const card = isCard(digits) || isIDCard(digits) ? -DIGIT * (digits.length - 4) : -Infinity;
  // Nanoseconds since 1970, if the time is within the last ten years.
  const age = digits.length === 19 ? now - Number(digits.slice(0, 13)) : -1;
  const nanoseconds = age >= 0 && age < 3e11 ? -64 : -Infinity;
  return Math.max(random, round, card, nanoseconds);
}

const KINDS: readonly (readonly [RegExp, bits: number, prior: number])[] = [
  [/^[0-9a-f]{24}$/i, 4, -6],
  [/^(?:[0-9a-f]+|[0-9A-F]+)$/, 4, 0],
  [/^0x[0-9a-f]+$/i, 4, 0],
  [/^0b[01]+$|^[01]{40,}$/, 1, -8],
  // Words, whose letters are not random.
  [/^[A-Z]?[a-z]+$|^[A-Z]+$/, 2.5, 0],
  [/^[A-Za-z][a-z]*(?:[A-Z][a-z]+)+$|^[A-Z]+(?:[-_][A-Z]+)+$|^[a-z]+(?:[-_][a-z]+)+$/, 3, 0],
  [/^[A-Za-z]+$/, Math.log2(52), -1],
  [/^[0-9a-z]+$|^[0-9A-Z]+$/, Math.log2(36), -2],
  [/^[0-9A-Za-z]+$/, Math.log2(62), -1],
  [/^[\w-]+$/, 6, -1],
];

export function noise(text: string, now: number): number {
  if (text.startsWith("[")) return -8 * text.split(",").length - 6;
  const digits = text.replace(/[,_]/g, "");
  if (/^\d+\.\d+$/.test(text)) return -DIGIT * (text.length - 1);
  if (/^[01]{56,}$/.test(text)) return -text.length - 8;
  if (/^\d+$/.test(digits)) return ofNumber(digits, now);
  const [, bits, prior] = KINDS.find(([pattern]) => pattern.test(text)) ?? [undefined, 8, 0];
  const length = text.startsWith("0x") ? text.length - 2 : text.length;
  return prior - bits * length;
}
