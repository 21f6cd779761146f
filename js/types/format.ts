/**
 * The public types of formats: what every format does. Field names are those of the formats' specifications; all times are Unix
 * milliseconds. Methods say `this: void`, because they may be passed on alone.
 */
import type { Generator } from "./generator.js";
import type { Layout, Time } from "./layout.js";

/** The time of an ID, three ways. They always agree. */
export interface Instant {
  /** Unix milliseconds at which the ID's tick starts. */
  readonly timestamp: number;
  /** The same as a `Date`. */
  readonly time: Date;
  /** The raw time field: ticks since the format's epoch. */
  readonly ticks: number;
}

/** What `inspect` returns: the time, and every other field by the specification's own name, as a whole number from 0. */
export type Inspection<Field extends string> = Instant & { readonly [K in Field]: number };

/** The time of an ID to make: Unix milliseconds, a `Date`, or ticks since the epoch. */
export interface GivenInstant {
  /** Unix milliseconds or a `Date`; floored to the tick (Mastodon: rounded). */
  readonly timestamp: Time;
  /** The same under its other name. */
  readonly time: Time;
  /** Ticks since the format's epoch, a whole number from 0. */
  readonly ticks: number;
}

/** The time in at least one of its three forms; several must agree. */
export type GivenTime = {
  [K in keyof GivenInstant]: Pick<GivenInstant, K> & Partial<Omit<GivenInstant, K>>;
}[keyof GivenInstant];

/**
 * What `compose` takes: every field from 0 to the largest that its bits hold, and the time in at least one of its three forms;
 * `Optional` fields default to 0.
 */
export type Composition<Field extends string, Optional extends string = never> = GivenTime & {
  readonly [K in Exclude<Field, Optional>]: number;
} & { readonly [K in Field & Optional]?: number };

/** What `with` takes: any of the fields to change, with the units and ranges of `compose`. */
export type Changes<Field extends string> = Partial<GivenInstant> & { readonly [K in Field]?: number };

/** The argument of `generator`: may be left out where no option is required. */
// biome-ignore lint/complexity/noBannedTypes: what an options object without a key is assignable to
export type GeneratorArguments<Options> = {} extends Options ? [options?: Options] : [options: Options];

/** A generator of the same IDs as texts. */
export type TextGenerator<Gen> = Gen extends Generator<unknown, infer Snap> ? Generator<string, Snap> : never;

/** Inclusive bounds, ready for `BETWEEN min AND max`. */
export interface Range<Id> {
  /** The smallest ID of the first tick. */
  readonly min: Id;
  /** The largest ID of the last tick. */
  readonly max: Id;
}

/** Why a value is not an ID. */
export interface StandardIssue {
  /** The message of the error that `parse` would throw. */
  readonly message: string;
  /** The keys that lead to the value, where it stands in an object or a list. */
  readonly path?: readonly PathSegment[] | undefined;
}

/** A key, as Standard Schema writes it. */
export type PathSegment =
  | PropertyKey
  | {
      /** The key. */
      readonly key: PropertyKey;
    };

/** What a validator gets for a value: the ID, or the reasons why it is none. */
export type StandardResult<Output> =
  | {
      /** The ID in the format's own type. */
      readonly value: Output;
      /** Absent if the value is valid. */
      readonly issues?: undefined;
    }
  | {
      /** At least one reason. */
      readonly issues: readonly StandardIssue[];
    };

/** What a validator takes, and what it returns: only for the compiler. */
export interface StandardTypes<Input, Output> {
  /** What is accepted. */
  readonly input: Input;
  /** What the validator returns. */
  readonly output: Output;
}

/** The properties that Standard Schema v1 asks for. */
export interface StandardProps<Input, Output> {
  /** Version of Standard Schema. */
  readonly version: 1;
  /** Who validates. */
  readonly vendor: "graupel";
  /** Checks a value as `parse` does, but throws only `CORE`. */
  readonly validate: (value: unknown) => StandardResult<Output>;
  /** Never set. */
  readonly types?: StandardTypes<Input, Output> | undefined;
}

/** Standard Schema v1 (https://standardschema.dev), as far as a validator needs it. */
export interface StandardSchema<Input, Output> {
  /** What libraries with Standard Schema (tRPC, Hono, TanStack Form) read: where the whole input is one ID, pass them the format. */
  readonly "~standard": StandardProps<Input, Output>;
}

/** What every format does. `Id` is the type of its IDs, `Field` the names of its fields except the time. */
export interface Format<
  Id extends string | bigint | number,
  Field extends string,
  Options,
  Gen,
  Optional extends string = never,
> extends StandardSchema<Id | string, Id> {
  /** The format's name, as the command line and `identify` spell it. */
  readonly name: string;
  /**
   * Makes a generator. Reads no clock, draws no randomness, and does not start the module. Errors: `UNKNOWN_OPTION`, `TYPE`, `RANGE`, `CONFLICT`, `SNAPSHOT`.
   */
  generator(this: void, ...options: GeneratorArguments<Options>): Gen;
  /**
   * Takes canonical text, or a value of the ID's own type, and returns the ID in its own type. Errors: `TYPE`, `LENGTH`, `CHARACTER`,
   * `NOT_CANONICAL`, `OVERFLOW`, `RANGE`; at the first use of the package also `CORE`.
   */
  parse(this: void, x: unknown): Id;
  /** True exactly when `parse` succeeds: `x` is an ID, or the text of one. Errors: `CORE`. */
  isValid(this: void, x: Id | string): boolean;
  /** Of a value of another type it also says that it is an ID, or the text of one. */
  isValid(this: void, x: unknown): x is Id | string;
  /** Canonical text: the one text that `parse` takes for this ID. Errors: those of `parse`. */
  format(this: void, id: Id | string): string;
  /**
   * Big-endian bytes: sno 10, 64-bit formats 8, Snowflake-SI 7. In Node and Bun they are a `Buffer`, which clients of databases take
   * for bytes; elsewhere a plain `Uint8Array`. Errors: those of `parse`.
   */
  toBytes(this: void, id: Id | string): Uint8Array;
  /** The inverse of `toBytes`. Errors: `TYPE`, `LENGTH`, `OVERFLOW`. */
  fromBytes(this: void, bytes: Uint8Array): Id;
  /** The ID as an integer. Errors: those of `parse`. */
  toBigInt(this: void, id: Id | string): bigint;
  /** The inverse of `toBigInt`. Errors: `TYPE`, `RANGE`, `OVERFLOW`. */
  fromBigInt(this: void, integer: bigint): Id;
  /** Takes an ID, or its text, apart: its time, and each field as a number. Errors: those of `parse`. */
  inspect(this: void, id: Id | string): Inspection<Field>;
  /**
   * Puts an ID together; `compose(inspect(id))` is `id`. Errors: `TYPE`, `RANGE`, `CONFLICT`, `UNKNOWN_FIELD`, `BEFORE_EPOCH`,
   * `END_OF_LIFE`.
   */
  compose(this: void, fields: Composition<Field, Optional>): Id;
  /**
   * An ID with some of its fields changed. Errors: those of `parse` and `compose`.
   *
   * @example
   * ```js
   * import { sno } from "graupel/sno";
   * console.log(sno.with("brpk4q72xwf2m63l", { metabyte: 7 }));   // brpk4q722wf2m63l
   * ```
   */
  with(this: void, id: Id | string, changes: Changes<Field>): Id;
  /**
   * Bounds for `BETWEEN min AND max`: every ID whose tick overlaps [from, to), so `to` is exclusive. Either end may be left
   * out, and the interval is cut to the format's life. Errors: `TYPE`, `RANGE`; `CONFLICT` unless `from` is before `to`;
   * `BEFORE_EPOCH`, `END_OF_LIFE` for an interval wholly outside the format's life.
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
   * The time of an ID, or its text, alone: Unix milliseconds at which its tick starts, as `inspect` says it. Errors: those of `parse`.
   *
   * @example
   * ```js
   * import { discord } from "graupel/snowflake";
   * console.log(discord.timestamp("175928847299117063"));   // 1462015105796
   * ```
   */
  timestamp(this: void, id: Id | string): number;
  /**
   * Order of two IDs, or their texts: -1, 0 or 1. It is for sorting, and as fast as `<`: it refuses what cannot be an ID by its type, range
   * or length, and does not look at the characters of two texts. `parse` checks an ID. Errors: those of `parse`.
   */
  compare(this: void, a: Id | string, b: Id | string): -1 | 0 | 1;
  /**
   * The same format with canonical text as its type: for IDs that go through JSON. Its generators share their state with those of this
   * format, and continue from their snapshots. Of a format whose IDs are texts, this is the format itself.
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
  /** IDs that one identity can make in one tick (Ulid-Flake: the upper limit; random steps use it up sooner). */
  readonly capacity: number;
  /** Unix milliseconds at which the last tick starts. */
  readonly endOfLife: number;
  /** What `typeof` says of its IDs. */
  readonly valueType: "string" | "bigint" | "number";
  /** What a column of a database holds for its IDs, the same for `text`: `"string"` only where canonical texts sort as their IDs do. */
  readonly columnType: "string" | "bigint" | "number";
  /** The name, epoch and layout, for logs. Errors: none. */
  toJSON(this: void): object;
}
