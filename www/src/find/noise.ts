/** How well a text is explained as something that is no ID, in bits: the chance that a random text of its kind is this one. */

const DIGIT = Math.log2(10);

/** Of cards of payment: 13 to 19 digits whose check digit is right. */
function isCard(digits: string): boolean {
  if (!/^(?:4\d{12}|4\d{15}|5[1-5]\d{14}|3[47]\d{13}|6011\d{12})$/.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (1 + (index % 2));
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** Numbers of so many digits are seldom anything but IDs, in bits. */
const LONG = 16;

/** A number: round ones are likelier. */
function ofNumber(digits: string, now: number): number {
  const zeros = /0*$/.exec(digits)?.[0].length ?? 0;
  const random = -DIGIT * digits.length - (digits.length >= 17 && digits.length <= 20 ? LONG : 0);
  const round = zeros > 3 ? -DIGIT * (digits.length - zeros) - 10 : -Infinity;
  const card = isCard(digits) ? -DIGIT * (digits.length - 4) : -Infinity;
  // Nanoseconds since 1970, of the last years.
  const age = digits.length === 19 ? now - Number(digits.slice(0, 13)) : -1;
  const nanoseconds = age >= 0 && age < 3e11 ? -64 : -Infinity;
  return Math.max(random, round, card, nanoseconds);
}

const KINDS: readonly (readonly [RegExp, bits: number, prior: number])[] = [
  [/^[0-9a-f]{24}$/i, 4, -6],
  [/^(?:[0-9a-f]+|[0-9A-F]+)$/, 4, 0],
  [/^0x[0-9a-f]+$/i, 4, 0],
  [/^0b[01]+$|^[01]{40,}$/, 1, -8],
  // Words: their letters are not random.
  [/^[A-Z]?[a-z]+$|^[A-Z]+$/, 2.5, 0],
  [/^[A-Za-z][a-z]*(?:[A-Z][a-z]+)+$/, 3, 0],
  [/^[A-Za-z]+$/, Math.log2(52), -1],
  [/^[0-9a-z]+$|^[0-9A-Z]+$/, Math.log2(36), -2],
  [/^[0-9A-Za-z]+$/, Math.log2(62), -1],
  [/^[\w-]+$/, 6, -1],
];

export function noise(text: string, now: number): number {
  if (text.startsWith("[")) return -8 * text.split(",").length - 6;
  const digits = text.replace(/[,_]/g, "");
  if (/^[01]{56,}$/.test(text)) return -text.length - 8;
  if (/^\d+$/.test(digits)) return ofNumber(digits, now);
  const [, bits, prior] = KINDS.find(([pattern]) => pattern.test(text)) ?? [undefined, 8, 0];
  const length = text.startsWith("0x") ? text.length - 2 : text.length;
  return prior - bits * length;
}
