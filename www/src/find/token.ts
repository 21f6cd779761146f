/** Cuts a text into pieces that could be IDs. */
import { addressedIn } from "./hosts.ts";

export interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Whether the address that contains the ID leads to it. */
  readonly isMain?: boolean | undefined;
}

/**
 * Arrays of bytes, grouped digits, the forms of X-Ray, Slack and Firebase, and words whose parts
 * are joined by hyphens and underscores.
 */
const PIECES =
  /\[\s*\d{1,3}(?:\s*,\s*\d{1,3}){6,15}\s*\]|(?<![\d.,])\d{1,3}(?:,\d{3}){4,8}(?![\d,]|\.\d)|(?<![\d.,])\d{1,3}(?:_\d{3}){4,8}(?=n(?!\w)|(?!\w))|(?<![\w-])1-[0-9a-f]{8}-[0-9a-f]{24}(?![\w-])|(?<![\w.])1\d{9}\.\d{6}(?![\w.])|(?<![\w-])-[\w-]{19}(?![\w-])|(?<![\w-])[a-z][a-z_]{0,62}_[0-7][0-9a-hjkmnp-tv-z]{25}(?![\w-])|\d{10,}(?=n(?!\w))|[0-9A-Za-z]+(?:[-_]+[0-9A-Za-z]+)*/g;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const TYPEID = /_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
/** A UUID may be joined to a word, as in a file name. */
const PARTS = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![0-9a-z])|[0-9a-z]+/gi;
const WITH_DIGIT = /\d/;

/** Shorter pieces of a log are other numbers. The longest pieces are 80 bits in binary. */
export const SHORTEST = 10;
export const LONGEST = 100;

/** The lengths of 7, 8 and 10 bytes in base64url. */
const BASE64 = [10, 11, 14];
/** base64url has two more characters, which may also be the first or the last. */
const BASE64_AT = /[0-9A-Za-z_-]+/y;

/** All base64url characters around a piece. */
function widened(input: string, start: number): Token | undefined {
  let from = start;
  while (from > 0 && /[-_]/.test(input[from - 1] as string)) from -= 1;
  BASE64_AT.lastIndex = from;
  const text = BASE64_AT.exec(input)?.[0] ?? "";
  return BASE64.includes(text.length) ? { text, start: from, end: from + text.length } : undefined;
}

/** The pieces in order. Different ways to cut the same piece are alternatives, longest first. */
export function* tokensOf(input: string): Generator<readonly Token[]> {
  const addressed = addressedIn(input);
  let next = addressed.next().value;
  let last = 0;
  for (const match of input.matchAll(PIECES)) {
    const [text] = match;
    const start = match.index;
    // The ID to which an address leads is one piece, even if it has no digit.
    while (next && next.start < start + text.length) {
      yield [{ ...next, isMain: true }];
      last = next.end;
      next = addressed.next().value;
    }
    if (start < last) continue;
    const whole = { text, start, end: start + text.length };
    if (text.length < SHORTEST) {
      // All other characters of the ID may be hyphens and underscores.
      const wider = text.length > 6 ? widened(input, start) : undefined;
      if (wider !== undefined && WITH_DIGIT.test(text)) yield [wider];
      continue;
    }
    // A piece without a digit is a word.
    if (!WITH_DIGIT.test(text)) continue;
    if (
      /^[[-]|[,.]|^1-[0-9a-f]{8}-/.test(text) ||
      UUID.test(text) ||
      TYPEID.test(text) ||
      !/[-_]/.test(text)
    ) {
      if (text.length > LONGEST && !text.startsWith("[")) continue;
      const wider =
        BASE64.includes(text.length + 1) || BASE64.includes(text.length + 2)
          ? widened(input, start)
          : undefined;
      yield wider === undefined || wider.text === text ? [whole] : [whole, wider];
      continue;
    }
    const wider = widened(input, start);
    if (wider !== undefined) yield [wider];
    // A nanoid has 21 characters.
    if (/^\d{1,3}(?:_\d{3})+$/.test(text) || text.length === 21) yield [whole];
    for (const part of text.matchAll(PARTS)) {
      if (part[0].length < SHORTEST || part[0].length > LONGEST || !WITH_DIGIT.test(part[0])) continue;
      const from = start + part.index;
      yield [{ text: part[0], start: from, end: from + part[0].length }];
    }
  }
}
