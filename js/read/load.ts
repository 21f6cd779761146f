/**
 * Reads IDs of every type, and their texts, into 32-bit words, for all entries. Needs no core and
 * allocates no objects. Each type of ID has its own function, so a program contains only those of
 * its formats. The file imports only types: with other imports, esbuild would not inline its
 * numbers.
 */
import type { Inspection } from "../types.js";

/**
 * A format for the functions of this entry: its facts, without methods. It is a constant of this
 * entry, or the result of a declaration. Its properties are internal and may change.
 */
export interface ReadFormat<Id, Field extends string> {
  /** The format's name, as in errors. */
  readonly name: string;
  /** The expected value, for errors. */
  readonly expected: string;
  /** Unix milliseconds of tick 0. */
  readonly epoch: number;
  /** Length of a tick in milliseconds. */
  readonly tickMs: number;
  /** The last tick. */
  readonly last: number;
  /** The largest ID, as an integer. */
  readonly max: bigint;
  /** The factor from the higher 32 bits to ticks, a power of two. */
  readonly up: number;
  /** The fewest characters of a text. */
  readonly shortest: number;
  /** The most characters of a text. */
  readonly longest: number;
  /** Reads an ID or its text. Returns its ticks, or a negative number for the error. */
  readonly load: Load;
  /** Makes the ID of an integer or a valid text. */
  readonly idOf: (integer: bigint, text?: string) => Id;
  /** Makes the result of `inspect`. */
  readonly inspection: (timestamp: number, ticks: number, low: number, high: number) => Inspection<Field>;
}

/** The facts of a format that its `Load` functions need. */
export type Loadable = Pick<ReadFormat<unknown, never>, "last" | "up" | "shortest" | "longest">;

/** Reads an ID or its text into the words. Returns its ticks, or a negative number for the error. */
export type Load = (format: Loadable, x: unknown) => number;

/**
 * The errors, which are negative and so not ticks. `CHARACTER` and below: the position of the
 * character, counted down.
 */
export const OVERFLOW = -1;
export const RANGE = -2;
export const TYPE = -3;
const LENGTH = -4;
const NOT_CANONICAL = -5;
const CHARACTER = -6;

const buffer = /* @__PURE__ */ new ArrayBuffer(16);
/**
 * The lower 64 bits of the last ID, as two words and as one integer, lower first. There is room for
 * the rest, which the words leave out.
 */
export const whole: BigUint64Array = /* @__PURE__ */ new BigUint64Array(buffer);
export const words: Uint32Array = /* @__PURE__ */ new Uint32Array(buffer);

/**
 * The ticks of the ID in the words. In the largest ID, all bits below the time are set, so no ID of
 * its tick is too large. `high`: all bits above the lowest 32.
 */
function ticksOf({ last, up }: Loadable, high = words[1] as number): number {
  const ticks = Math.floor(high * up) + Math.floor(((words[0] as number) * up) / 2 ** 32);
  return ticks <= last ? ticks : OVERFLOW;
}

/**
 * Stores an ID of up to 80 bits from its exact lowest 32 bits and an approximate number and returns
 * its ticks. The number is off by less than 2^31: the rounding errors are below 2^29, because each
 * of at most 8 sums is off by half of its last bit.
 */
function store(format: Loadable, about: number, lowest: number): number {
  words[0] = lowest;
  const high = Math.round((about - (words[0] as number)) / 2 ** 32);
  words[1] = high;
  return ticksOf(format, high);
}

/** Digits 0 to 9. */
function decimal(format: Loadable, text: string): number {
  const { length } = text;
  if (!length || length > format.longest) return LENGTH;
  // All but the last nine digits, and the last nine, which V8 adds up as an integer.
  let head = 0;
  let tail = 0;
  // Above 15 after any other character. One test at the end is faster than a branch for each.
  let seen = 0;
  let i = 0;
  for (; i < length - 9; i++) {
    // This is 0 to 9 only for a digit.
    const digit = text.charCodeAt(i) ^ 48;
    seen |= digit + 6;
    head = head * 10 + digit;
  }
  for (; i < length; i++) {
    const digit = text.charCodeAt(i) ^ 48;
    seen |= digit + 6;
    tail = (tail * 10 + digit) | 0;
  }
  if (seen > 15) {
    for (i = 0; (text.charCodeAt(i) ^ 48) < 10; ) i++;
    return CHARACTER - i;
  }
  if (length > 1 && text[0] === "0") return NOT_CANONICAL;
  return store(format, head * 1e9 + tail, Math.imul(head, 1e9) + tail);
}

/**
 * Reads digits with letters, or texts of fixed length in an alphabet. `ignoresCase`: whether
 * letters may be in either case.
 */
function lettered(alphabet: string, ignoresCase: boolean): (format: Loadable, text: string) => number {
  const radix = alphabet.length;
  /** The value of each ASCII character. */
  const digits = new Uint8Array(128).fill(radix);
  alphabet.split("").forEach((character, digit) => {
    for (const one of ignoresCase ? [character.toLowerCase(), character.toUpperCase()] : character) {
      digits[one.charCodeAt(0)] = digit;
    }
  });
  return (format, text) => {
    const { length } = text;
    if (length < format.shortest || length > format.longest) return LENGTH;
    let about = 0;
    let lowest = 0;
    for (let i = 0; i < length; i++) {
      const digit = digits[text.charCodeAt(i)] as number;
      // It is undefined beyond ASCII.
      if (!(digit < radix)) return CHARACTER - i;
      about = about * radix + digit;
      lowest = (Math.imul(lowest, radix) + digit) | 0;
    }
    return length > format.shortest && text[0] === "0" ? NOT_CANONICAL : store(format, about, lowest);
  };
}

function integer(format: Loadable, id: bigint): number {
  whole[0] = id;
  // This is faster than a comparison with the stored value.
  if (BigInt.asUintN(64, id) !== id) return id < 0n ? RANGE : OVERFLOW;
  return ticksOf(format);
}

/** Accepts BigInts, and decimal text. */
export const bigints: Load = (format, x) =>
  typeof x === "bigint" ? integer(format, x) : typeof x === "string" ? decimal(format, x) : TYPE;

/** Accepts BigInts, and text with letters. */
export function bigintsOfLetters(alphabet: string, ignoresCase: boolean): Load {
  const load = lettered(alphabet, ignoresCase);
  return (format, x) =>
    typeof x === "bigint" ? integer(format, x) : typeof x === "string" ? load(format, x) : TYPE;
}

/** Accepts safe integers, and decimal text. */
export function numbers(format: Loadable, x: unknown): number {
  if (typeof x === "string") return decimal(format, x);
  if (typeof x !== "number") return TYPE;
  return Number.isSafeInteger(x) && x >= 0 && !Object.is(x, -0) ? store(format, x, x) : RANGE;
}

/** Texts of one length. */
export function texts(alphabet: string, ignoresCase: boolean): Load {
  const load = lettered(alphabet, ignoresCase);
  return (format, x) => (typeof x === "string" ? load(format, x) : TYPE);
}

/** Creates `idOf` for texts of one length. */
export const textOf =
  (alphabet: string, ignoresCase: boolean, length: number) =>
  (integer: bigint, text?: string): string =>
    text === undefined
      ? integer
          .toString(32)
          .padStart(length, "0")
          .replace(/./g, (digit) => alphabet.charAt(Number.parseInt(digit, 32)))
      : ignoresCase
        ? text.toUpperCase()
        : text;
