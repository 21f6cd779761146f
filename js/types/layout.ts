/** The public types of times and layouts. */

/** A point in time: a number of Unix milliseconds (floored to the tick; Mastodon rounds) or a `Date`. */
export type Time = number | Date;

/** One field of a layout. */
export interface LayoutField {
  /** The name that the format's specification gives it. */
  readonly name: string;
  /** Its width: it holds whole numbers from 0 to 2 ** bits - 1. */
  readonly bits: number;
}

/** The facts of a format, as data. */
export interface Layout {
  /** Width of the ID in bits. */
  readonly bits: number;
  /** Length of one tick in milliseconds. */
  readonly tickMs: number;
  /** The fields, high to low; the first is the time. */
  readonly fields: readonly LayoutField[];
}
