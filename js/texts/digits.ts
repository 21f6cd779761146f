/** Integers as digits of an alphabet, the highest digit first. */
import { fail, rangeError, typeError } from "../errors.js";

/** How many digits are calculated at once, as a number: 62 ** 8 is below 2 ** 53. */
const GROUP = 8;

/** An integer as a text of `width` digits. */
export function digitsOf(integer: bigint, alphabet: string, width: number): string {
  const group = BigInt(alphabet.length ** GROUP);
  let rest = integer;
  let text = "";
  while (text.length < width) {
    let digits = Number(rest % group);
    rest /= group;
    for (let i = 0; i < GROUP && text.length < width; i++) {
      text = alphabet[digits % alphabet.length] + text;
      digits = Math.floor(digits / alphabet.length);
    }
  }
  return text;
}

/** The integer of a text; undefined if a character is not a digit. */
export function integerOf(text: string, alphabet: string): bigint | undefined {
  const base = alphabet.length;
  let integer = 0n;
  for (let start = 0; start < text.length; start += GROUP) {
    const part = text.slice(start, start + GROUP);
    let digits = 0;
    for (const character of part.split("")) {
      const digit = alphabet.indexOf(character);
      if (digit < 0) return undefined;
      digits = digits * base + digit;
    }
    integer = integer * BigInt(base ** part.length) + BigInt(digits);
  }
  return integer;
}

/**
 * Checks a text and returns its integer. Errors: `TYPE`, `LENGTH`, `CHARACTER`.
 *
 * @param encoding The name of the encoding, for messages.
 * @param least The fewest characters; `width`: the most.
 */
export function integerIn(
  text: string,
  encoding: string,
  alphabet: string,
  width: number,
  least = width,
): bigint {
  if (typeof text !== "string") typeError("text", text, "a string");
  const { length } = text;
  if (length < least || length > width) {
    rangeError(
      "text",
      length,
      least,
      width,
      `${least < width ? `${least} to ` : ""}${width} characters of ${encoding}`,
      "LENGTH",
    );
  }
  return (
    integerOf(text, alphabet) ??
    fail("CHARACTER", "text", text, `text: expected only the characters of ${encoding}: ${alphabet}`)
  );
}
