/**
 * The public types of formats. Field names are those of the formats' specifications; all times are
 * Unix milliseconds. Methods have `this: void`, because you can use them without their object.
 */
import type { Generator } from "./generator.js";
import type { Layout, Time } from "./layout.js";

/** The time of an ID in three forms, which always agree. */
export interface Instant {
  /** Unix milliseconds at which the ID's tick starts. */
  readonly timestamp: number;
  /** The timestamp as a `Date`. */
  readonly time: Date;
  /** The raw time field: ticks since the format's epoch. */
  readonly ticks: number;
}

/**
 * The result of `inspect`: the time, and every other field by the specification's name, as a whole
 * number from 0.
 */
export type Inspection<Field extends string> = Instant & { readonly [K in Field]: number };

/** The time of a new ID: Unix milliseconds, a `Date`, or ticks since the epoch. */
export interface GivenInstant {
  /** Unix milliseconds or a `Date`; floored to the tick (Mastodon: rounded). */
  readonly timestamp: Time;
  /** The same as `timestamp`. */
  readonly time: Time;
  /** Ticks since the format's epoch, a whole number from 0. */
  readonly ticks: number;
}

/** The time in at least one of three forms. Several forms must agree. */
export type GivenTime = {
  [K in keyof GivenInstant]: Pick<GivenInstant, K> & Partial<Omit<GivenInstant, K>>;
}[keyof GivenInstant];

/**
 * The argument of `compose`: every field, from 0 to its largest value, and the time in at least one
 * of three forms. `Optional` fields default to 0.
 */
export type Composition<Field extends string, Optional extends string = never> = GivenTime & {
  readonly [K in Exclude<Field, Optional>]: number;
} & { readonly [K in Field & Optional]?: number };

/** The changes for `with`: any fields, with the units and ranges of `compose`. */
export type Changes<Field extends string> = Partial<GivenInstant> & { readonly [K in Field]?: number };

/** The argument of `generator`, optional if no option is required. */
// biome-ignore lint/complexity/noBannedTypes: the type to which an options object without keys is assignable
export type GeneratorArguments<Options> = {} extends Options ? [options?: Options] : [options: Options];

/** The same generator with texts as its IDs. */
export type TextGenerator<Gen> = Gen extends Generator<unknown, infer Snap> ? Generator<string, Snap> : never;

/** Inclusive bounds, ready for `BETWEEN min AND max`. */
export interface Range<Id> {
  /** The smallest ID of the first tick. */
  readonly min: Id;
  /** The largest ID of the last tick. */
  readonly max: Id;
}

/** The reason why a value is not an ID. */
export interface StandardIssue {
  /** The message of the error that `parse` would throw. */
  readonly message: string;
  /** The keys that lead to the value, if it is inside an object or a list. */
  readonly path?: readonly PathSegment[] | undefined;
}

/** A key, as Standard Schema writes it. */
export type PathSegment =
  | PropertyKey
  | {
      /** The key. */ readonly key: PropertyKey;
    };

/**
 * The result of a validation: the ID in the format's own type, or at least one reason why the value
 * is not an ID.
 */
export type StandardResult<Output> =
  | {
      /** The ID in the format's own type. */ readonly value: Output;
      /** Absent if the value is valid. */ readonly issues?: undefined;
    }
  | {
      /** At least one reason. */ readonly issues: readonly StandardIssue[];
    };

/** The input and output types of a validator, only for the compiler. */
export interface StandardTypes<Input, Output> {
  /** The accepted type. */
  readonly input: Input;
  /** The returned type. */
  readonly output: Output;
}

/** The properties of Standard Schema v1. */
export interface StandardProps<Input, Output> {
  /** Version of Standard Schema. */
  readonly version: 1;
  /** The name of the library. */
  readonly vendor: "graupel";
  /** Checks a value like `parse`, but does not throw. */
  readonly validate: (value: unknown) => StandardResult<Output>;
  /** Never set. */
  readonly types?: StandardTypes<Input, Output> | undefined;
}

/** The part of Standard Schema v1 (https://standardschema.dev) that a validator needs. */
export interface StandardSchema<Input, Output> {
  /**
   * For libraries with Standard Schema (tRPC, Hono, TanStack Form): pass them the format if the
   * whole input is one ID.
   */
  readonly "~standard": StandardProps<Input, Output>;
}

/** A format. `Id` is the type of its IDs, `Field` the names of its fields except the time. */
export interface Format<
  Id extends string | bigint | number,
  Field extends string,
  Options,
  Gen,
  Optional extends string = never,
> extends StandardSchema<Id | string, Id> {
  /** The format's name, as on the command line and in `identify`. */
  readonly name: string;
  /**
   * Creates a generator. Reads no clock, draws no random bits, and does not start WebAssembly.
   * Errors: `UNKNOWN_OPTION`, `TYPE`, `RANGE`, `CONFLICT`, `SNAPSHOT`.
   */
  generator(this: void, ...options: GeneratorArguments<Options>): Gen;
  /**
   * Parses canonical text, or checks a value of the ID's type, and returns the ID. Errors: `TYPE`,
   * `LENGTH`, `CHARACTER`, `NOT_CANONICAL`, `OVERFLOW`, `RANGE`.
   */
  parse(this: void, x: unknown): Id;
  /** Whether `parse` succeeds: `x` is an ID or its text. Errors: none. */
  isValid(this: void, x: Id | string): boolean;
  /** The same, as a type guard for values of other types. */
  isValid(this: void, x: unknown): x is Id | string;
  /**
   * Returns the canonical text, the only text of this ID that `parse` accepts. Errors: those of
   * `parse`.
   */
  format(this: void, id: Id | string): string;
  /**
   * Returns big-endian bytes: 10 for sno, 7 for safe numbers, 8 for all others. In Node and Bun
   * they are a `Buffer`, which database clients accept as bytes; elsewhere, a plain `Uint8Array`.
   * Errors: those of `parse`.
   */
  toBytes(this: void, id: Id | string): Uint8Array;
  /** The inverse of `toBytes`. Errors: `TYPE`, `LENGTH`, `OVERFLOW`. */
  fromBytes(this: void, bytes: Uint8Array): Id;
  /** Returns the ID as an integer. Errors: those of `parse`. */
  toBigInt(this: void, id: Id | string): bigint;
  /** The inverse of `toBigInt`. Errors: `TYPE`, `RANGE`, `OVERFLOW`. */
  fromBigInt(this: void, integer: bigint): Id;
  /** Returns the time and the fields of an ID or its text, as numbers. Errors: those of `parse`. */
  inspect(this: void, id: Id | string): Inspection<Field>;
  /**
   * Composes an ID from its time and fields; `compose(inspect(id))` is `id`. Errors: `TYPE`,
   * `RANGE`, `CONFLICT`, `UNKNOWN_FIELD`, `BEFORE_EPOCH`, `END_OF_LIFE`.
   */
  compose(this: void, fields: Composition<Field, Optional>): Id;
  /**
   * Returns the ID with some fields changed. Errors: those of `parse` and `compose`.
   *
   * @example
   * ```js
   * import { sno } from "graupel/sno";
   * console.log(sno.with("brpk4q72xwf2m63l", { metabyte: 7 }));   // brpk4q722wf2m63l
   * ```
   */
  with(this: void, id: Id | string, changes: Changes<Field>): Id;
  /**
   * Returns the bounds for `BETWEEN min AND max` of every ID whose tick overlaps [from, to). Both
   * ends are optional, and the interval is limited to the format's life. Errors: `TYPE`, `RANGE`;
   * `CONFLICT` unless `from` is before `to`; `BEFORE_EPOCH`, `END_OF_LIFE` if the whole interval is
   * outside the format's life.
   *
   * @example
   * ```js
   * import { discord } from "graupel/snowflake";
   * const { min, max } = discord.range(Date.UTC(2024, 0, 1), Date.UTC(2024, 1, 1));
   * console.log(min, max);   // 1191168914227200000n 1202402938060799999n
   * ```
   */
  range(this: void, from?: Time, to?: Time): Range<Id>;
  /**
   * Returns only the time of an ID or its text: the Unix milliseconds at which its tick starts, as
   * in `inspect`. Errors: those of `parse`.
   *
   * @example
   * ```js
   * import { discord } from "graupel/snowflake";
   * console.log(discord.timestamp("175928847299117063"));   // 1462015105796
   * ```
   */
  timestamp(this: void, id: Id | string): number;
  /**
   * Compares two IDs or their texts for sorting: -1, 0 or 1. It is as fast as `<`, because it
   * checks only type, range and length, not the characters of texts. To check an ID, use `parse`.
   * Errors: those of `parse`.
   */
  compare(this: void, a: Id | string, b: Id | string): -1 | 0 | 1;
  /**
   * The same format with canonical text as its type, for IDs in JSON. Its generators share their
   * state and snapshots with the generators of this format. If IDs are texts, this is the format
   * itself.
   *
   * @example
   * ```js
   * import { discord } from "graupel/snowflake";
   * const ids = discord.text.generator({ internalWorkerId: 2, internalProcessId: 1 });
   * console.log(typeof ids.next(), discord.text.range(Date.UTC(2024, 0, 1)).min);   // string 1191168914227200000
   * ```
   */
  readonly text: Format<string, Field, Options, TextGenerator<Gen>, Optional>;
  /** Fields, ticks, sign and text form; frozen. */
  readonly layout: Layout;
  /** The largest ID, as an integer. */
  readonly max: bigint;
  /** Unix milliseconds of tick 0. */
  readonly epoch: number;
  /** IDs per tick of one identity (Ulid-Flake: the upper limit; random steps use it up sooner). */
  readonly capacity: number;
  /** Unix milliseconds at which the last tick starts. */
  readonly endOfLife: number;
  /** The `typeof` of its IDs. */
  readonly valueType: "string" | "bigint" | "number";
  /**
   * The type of a database column for its IDs, also for `text`: `"string"` only if canonical texts
   * sort as their IDs do.
   */
  readonly columnType: "string" | "bigint" | "number";
  /** Returns the name, epoch and layout, for logs. Errors: none. */
  toJSON(this: void): object;
}
