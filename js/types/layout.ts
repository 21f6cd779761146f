/** The public types of times and layouts. */

/**
 * A point in time: a number of Unix milliseconds (floored to the tick; Mastodon rounds) or a
 * `Date`.
 */
export type Time = number | Date;

/** Where a format's time begins: whole Unix milliseconds, as a number, a bigint or a `Date`. */
export type Epoch = Time | bigint;

/**
 * The role of a field. `time`: ticks since the epoch. `fixed`: an option of the generator, which
 * must differ between all generators that run at the same time. `sequence`: counts the IDs of a
 * tick. `random`: drawn for each tick, and raised by random steps. `call`: an argument of each call
 * of `next`. `tickTock`: toggles when the clock goes back. `unused`: 0.
 */
export type FieldRole = "time" | "fixed" | "sequence" | "random" | "call" | "tickTock" | "unused";

/** One field of a layout. */
export interface LayoutField {
  /** The name that the format's specification gives it. */
  readonly name: string;
  /** The width. Values are whole numbers from 0 to 2 ** bits - 1. */
  readonly bits: number;
  /** The role. */
  readonly role: FieldRole;
}

/** The facts of a format, as data. */
export interface Layout {
  /** Width of the ID in bits. */
  readonly bits: number;
  /** Length of one tick in milliseconds. */
  readonly tickMs: number;
  /** How a time becomes a tick. */
  readonly rounding: "down" | "nearest";
  /** Whether IDs use the top bit of 64, so that they do not all fit a signed 64-bit column. */
  readonly isUnsigned: boolean;
  /**
   * The number of characters in the alphabet of canonical texts: the radix, if they are digits. 0 for
   * the texts of `graupel/text-format`.
   */
  readonly base: number;
  /** Whether `parse` accepts letters in either case. */
  readonly ignoresCase: boolean;
  /**
   * A regular expression that every canonical text matches. If texts are digits, integers that are
   * too large also match.
   */
  readonly pattern: string;
  /** The fields, high to low; the first is the time. */
  readonly fields: readonly LayoutField[];
}
