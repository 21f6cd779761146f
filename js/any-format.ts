/** What any format can do, whatever the type of its IDs and the names of its fields. */
import type { Format, Generator, Instant, Snapshot } from "./types.js";

/** An ID of any format. */
export type AnyId = string | bigint | number;

/** An ID's time, and every other field by its own name, as a number. */
// biome-ignore lint/suspicious/noExplicitAny: only this index takes the fields of each format, whose names differ
export type AnyInspection = Instant & Readonly<Record<string, any>>;

/** What every generator can do. */
export interface AnyGenerator extends Generator<AnyId, Snapshot> {
  /** `n` IDs as a typed array; absent where IDs are texts. */
  nextTyped?(this: void, n: number): ArrayLike<AnyId>;
}

/**
 * What every format can do: each can be assigned to it. Options and fields are checked when they are used, so a program that takes any
 * format reads `graupel/facts` to know what to pass.
 */
export interface AnyFormat extends Omit<Format<AnyId, never, object, AnyGenerator>, "isValid" | "text"> {
  /** An ID, or its canonical text, to the ID. `radix`: of the text, where the format reads several. Errors: as {@link Format} says. */
  parse(this: void, x: unknown, radix?: number): AnyId;
  /** True exactly when `parse` succeeds. Errors: `CORE`. */
  isValid(this: void, x: unknown): boolean;
  /** The ID's time and its fields. Errors: those of `parse`. */
  inspect(this: void, id: AnyId): AnyInspection;
  /** An ID from its time and its fields. Errors: as {@link Format} says. */
  compose(this: void, fields: object): AnyId;
  /** An ID with some of its fields changed. Errors: those of `parse` and `compose`. */
  with(this: void, id: AnyId, changes: object): AnyId;
  /** The same format with canonical text as its type. */
  readonly text: AnyFormat;
}
