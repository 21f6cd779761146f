/**
 * Types that keep the IDs of one thing apart from those of another, for the compiler alone.
 *
 * @module graupel/branded
 */
import type { AnyFormat, AnyId } from "../any-format.js";
import type { IdOf } from "../given-format.js";
import type { AsyncOptions, Range, StandardSchema, Time } from "../types.js";

export type { IdOf };

declare const brand: unique symbol;

/** An ID of a name: a plain ID when the program runs. */
export type Branded<Id extends AnyId, Name extends string> = Id & {
  /** Only the compiler knows it. */
  readonly [brand]: Name;
};

/** A generator of such IDs. */
export type BrandedGenerator<Gen, Id> = Omit<Gen, "next" | "nextMany" | "nextAsync" | "at"> & {
  /** One ID, as the generator makes it. */
  next(this: void, ...options: Arguments<Gen, "next">): Id;
  /** `n` IDs. */
  nextMany(this: void, ...options: Arguments<Gen, "nextMany">): Id[];
  /** One ID; waits without blocking. */
  nextAsync(this: void, options?: AsyncOptions): Promise<Id>;
  /** An ID for a given time. */
  at(this: void, ...options: Arguments<Gen, "at">): Id;
};

/** What a method takes. */
export type Arguments<T, Name> = Name extends keyof T
  ? T[Name] extends (...options: infer A) => unknown
    ? A
    : never
  : never;

/** What a method gives. */
export type Result<T, Name> = Name extends keyof T
  ? T[Name] extends (...options: never) => infer R
    ? R
    : never
  : never;

/** The methods of a format that take or give IDs. They take no bare text: `parse` makes an ID of it. */
export interface BrandedVerbs<F extends AnyFormat, Id extends AnyId, Name extends string>
  extends StandardSchema<IdOf<F> | string, Id> {
  /** Makes a generator of such IDs. */
  generator(...options: Arguments<F, "generator">): BrandedGenerator<Result<F, "generator">, Id>;
  /** The way in: an ID or its text, from anywhere, becomes an ID of this name. */
  parse(this: void, ...x: Arguments<F, "parse">): Id;
  /** True exactly when `parse` succeeds. */
  isValid(this: void, x: unknown): x is Id | string;
  /** Canonical text. */
  format(this: void, id: Id): string;
  /** Big-endian bytes. */
  toBytes(this: void, id: Id): Uint8Array;
  /** The inverse of `toBytes`. */
  fromBytes(this: void, bytes: Uint8Array): Id;
  /** The ID as an integer. */
  toBigInt(this: void, id: Id): bigint;
  /** The inverse of `toBigInt`. */
  fromBigInt(this: void, integer: bigint): Id;
  /** The ID's time and its fields. */
  inspect(this: void, id: Id): Result<F, "inspect">;
  /** The ID's time in Unix milliseconds. */
  timestamp(this: void, id: Id): number;
  /** An ID from its time and its fields. */
  compose(this: void, ...fields: Arguments<F, "compose">): Id;
  /** An ID with some of its fields changed. */
  with(this: void, id: Id, changes: Arguments<F, "with">[1]): Id;
  /** Bounds for `BETWEEN min AND max`. */
  range(this: void, from?: Time, to?: Time): Range<Id>;
  /** Order of two IDs. */
  compare(this: void, a: Id, b: Id): -1 | 0 | 1;
  /** The same format with texts as its type, of the same name. */
  readonly text: BrandedFormat<F["text"], Name>;
}

/** A format whose IDs have a name. */
export type BrandedFormat<F extends AnyFormat, Name extends string> = Omit<
  F,
  keyof BrandedVerbs<F, AnyId, Name> | "next"
> &
  BrandedVerbs<F, Branded<IdOf<F>, Name>, Name> &
  // sno and Ulid-Flake make IDs by themselves.
  ("next" extends keyof F
    ? {
        /** An ID from a generator without options. */
        next(this: void, ...options: Arguments<F, "next">): Branded<IdOf<F>, Name>;
      }
    : unknown);

/** The ID type of a format: `type UserId = IdType<typeof users>`. */
export type IdType<F extends Pick<AnyFormat, "parse">> = ReturnType<F["parse"]>;

/**
 * The same format, whose IDs have a name for the compiler: an ID of a post is then no ID of a user, and a bare text is none of both, until
 * `parse` has read it. When the program runs, it is the format itself, and nothing is checked.
 *
 * @param format Any format.
 * @param _name Only its type is used.
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
