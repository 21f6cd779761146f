/**
 * The interface of all formats, for any type of IDs and any names of fields, and the check of the
 * format that an entry without a core gets.
 */
import { typeError } from "./errors.js";
import type { Format, Generator, Instant, Snapshot } from "./types.js";

/** An ID of any format. */
export type AnyId = string | bigint | number;

/** The time of an ID, and every other field by name, as a number. */
// biome-ignore lint/suspicious/noExplicitAny: only this index takes the fields of each format, whose names differ
export type AnyInspection = Instant & Readonly<Record<string, any>>;

/** A generator of any format. */
export interface AnyGenerator extends Generator<AnyId, Snapshot> {
  /** Generates `n` IDs as a typed array; absent if IDs are texts. */
  nextTyped?(this: void, n: number): ArrayLike<AnyId>;
}

/**
 * Any format: every format is assignable to this type. Options and fields are checked only at run
 * time; `graupel/facts` says which ones a format takes.
 */
export interface AnyFormat extends Omit<Format<AnyId, never, object, AnyGenerator>, "isValid" | "text"> {
  /**
   * Parses an ID or its canonical text. `radix`: the radix of the text, if the format reads
   * several. Errors: those of {@link Format}.
   */
  parse(this: void, x: unknown, radix?: number): AnyId;
  /** Whether `parse` succeeds. Errors: none. */
  isValid(this: void, x: unknown): boolean;
  /** Returns the ID's time and fields. Errors: those of `parse`. */
  inspect(this: void, id: AnyId): AnyInspection;
  /** Composes an ID from its time and fields. Errors: those of {@link Format}. */
  compose(this: void, fields: object): AnyId;
  /** Returns the ID with some fields changed. Errors: those of `parse` and `compose`. */
  with(this: void, id: AnyId, changes: object): AnyId;
  /** The same format with canonical text as its type. */
  readonly text: AnyFormat;
  /**
   * Returns the length of the longest text, for a column; only in formats of `graupel/text-format`.
   */
  textWidth?(this: void): number;
}

/** The type of a format's IDs. */
export type IdOf<F extends AnyFormat> = ReturnType<F["fromBytes"]>;

/** Checks for a format, of any copy of the package. Loads no core. */
export function givenFormat<F extends AnyFormat>(format: F): F {
  const { parse, layout, valueType } = Object(format) as Partial<AnyFormat>;
  return typeof parse === "function" && typeof layout === "object" && typeof valueType === "string"
    ? format
    : typeError("format", format, "a format of graupel");
}
