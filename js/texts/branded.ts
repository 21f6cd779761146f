/**
 * Types that distinguish the IDs of different things at compile time.
 *
 * @module graupel/branded
 */
import type { AnyFormat, AnyId, IdOf } from "../any-format.js";
import type { AsyncOptions, Range, StandardSchema, Time } from "../types.js";

export type { IdOf };

declare const brand: unique symbol;

/** An ID with a name at compile time. At run time it is a plain ID. */
export type Branded<Id extends AnyId, Name extends string> = Id & {
  /** Exists only at compile time. */
  readonly [brand]: Name;
};

/** A generator of branded IDs. */
export type BrandedGenerator<Gen, Id> = Omit<Gen, "next" | "nextMany" | "nextAsync" | "at"> & {
  /** Generates one ID. */
  next(this: void, ...options: Arguments<Gen, "next">): Id;
  /** Generates `n` IDs. */
  nextMany(this: void, ...options: Arguments<Gen, "nextMany">): Id[];
  /** Generates one ID. Waits without blocking. */
  nextAsync(this: void, options?: AsyncOptions): Promise<Id>;
  /** Generates an ID for a given time. */
  at(this: void, ...options: Arguments<Gen, "at">): Id;
};

/** The parameters of a method. */
export type Arguments<T, Name> = Name extends keyof T
  ? T[Name] extends (...options: infer A) => unknown
    ? A
    : never
  : never;

/** The result of a method. */
export type Result<T, Name> = Name extends keyof T
  ? T[Name] extends (...options: never) => infer R
    ? R
    : never
  : never;

/**
 * The methods of a format with branded IDs. They do not accept bare text; `parse` turns it into an
 * ID.
 */
export interface BrandedVerbs<F extends AnyFormat, Id extends AnyId, Name extends string>
  extends StandardSchema<IdOf<F> | string, Id> {
  /** Makes a generator of branded IDs. */
  generator(...options: Arguments<F, "generator">): BrandedGenerator<Result<F, "generator">, Id>;
  /** Parses an ID or its text and returns a branded ID. */
  parse(this: void, ...x: Arguments<F, "parse">): Id;
  /** Whether `parse` succeeds. */
  isValid(this: void, x: unknown): x is Id | string;
  /** Returns the canonical text. */
  format(this: void, id: Id): string;
  /** Returns big-endian bytes. */
  toBytes(this: void, id: Id): Uint8Array;
  /** The inverse of `toBytes`. */
  fromBytes(this: void, bytes: Uint8Array): Id;
  /** Returns the ID as an integer. */
  toBigInt(this: void, id: Id): bigint;
  /** The inverse of `toBigInt`. */
  fromBigInt(this: void, integer: bigint): Id;
  /** Returns the ID's time and fields. */
  inspect(this: void, id: Id): Result<F, "inspect">;
  /** Returns the ID's time in Unix milliseconds. */
  timestamp(this: void, id: Id): number;
  /** Makes an ID from its time and fields. */
  compose(this: void, ...fields: Arguments<F, "compose">): Id;
  /** Returns the ID with some fields changed. */
  with(this: void, id: Id, changes: Arguments<F, "with">[1]): Id;
  /** Returns the bounds for `BETWEEN min AND max`. */
  range(this: void, from?: Time, to?: Time): Range<Id>;
  /** Compares two IDs. */
  compare(this: void, a: Id, b: Id): -1 | 0 | 1;
  /** The same format with texts as its type, and the same name. */
  readonly text: BrandedFormat<F["text"], Name>;
}

/** A format with branded IDs. */
export type BrandedFormat<F extends AnyFormat, Name extends string> = Omit<
  F,
  keyof BrandedVerbs<F, AnyId, Name> | "next"
> &
  BrandedVerbs<F, Branded<IdOf<F>, Name>, Name> &
  // sno and Ulid-Flake have `next` themselves.
  ("next" extends keyof F
    ? {
        /** Generates an ID with a generator without options. */
        next(this: void, ...options: Arguments<F, "next">): Branded<IdOf<F>, Name>;
      }
    : unknown);

/** The ID type of a format: `type UserId = IdType<typeof users>`. */
export type IdType<F extends Pick<AnyFormat, "parse">> = ReturnType<F["parse"]>;

/**
 * Returns the same format with a name for its IDs at compile time: an ID of a post is then not an
 * ID of a user, and a bare text is neither, until you `parse` it. At run time it is the format
 * itself, and nothing is checked.
 *
 * @param format Any format.
 * @param _name The name. Only its type is used.
 *
 * @example
 * ```js
 * import { branded } from "graupel/branded";
 * import { twitter } from "graupel/snowflake";
 *
 * const users = branded(twitter, "User");   // in TypeScript, an ID of it is a Branded<bigint, "User">
 * console.log(users === twitter);           // true
 * ```
 */
export const branded = <F extends AnyFormat, Name extends string>(
  format: F,
  _name: Name,
): BrandedFormat<F, Name> => format as never;
