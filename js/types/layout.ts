/** The public types of times and layouts. */

/** A point in time: a number of Unix milliseconds (floored to the tick; Mastodon rounds) or a `Date`. */
export type Time = number | Date;

/**
 * What a field is for. `time`: ticks since the epoch. `fixed`: an option of the generator, different in everything that generates at
 * the same time. `sequence`: counts the IDs of a tick. `random`: drawn for each tick, and raised by random steps. `call`: an argument
 * of each call of `next`. `tickTock`: toggled when the clock goes back. `unused`: 0.
 */
export type FieldRole = "time" | "fixed" | "sequence" | "random" | "call" | "tickTock" | "unused";

/** One field of a layout. */
export interface LayoutField {
  /** The name that the format's specification gives it. */
  readonly name: string;
  /** Its width: it holds whole numbers from 0 to 2 ** bits - 1. */
  readonly bits: number;
  /** What it is for. */
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
  /** Whether IDs use the top bit of 64, so that a signed column of 64 bits does not hold them all. */
  readonly isUnsigned: boolean;
  /** How many characters the alphabet of canonical texts has: the radix, if they are digits. */
  readonly base: number;
  /** Whether `parse` takes letters in either case. */
  readonly ignoresCase: boolean;
  /** A regular expression that every canonical text matches. Of digits, so does an integer that is too large for an ID. */
  readonly pattern: string;
  /** The fields, high to low; the first is the time. */
  readonly fields: readonly LayoutField[];
}
