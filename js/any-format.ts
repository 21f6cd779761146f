/** What any format can do, whatever the type of its IDs and the names of its fields. */
import type { AsyncOptions, Instant, Layout, Range, Snapshot, StandardSchema, Stats, Time } from "./types.js";

/** An ID of any format. */
export type AnyId = string | bigint | number;

/** An ID's time, and every other field by its own name, as a number. */
// biome-ignore lint/suspicious/noExplicitAny: only this index takes the fields of each format, whose names differ
export type AnyInspection = Instant & Readonly<Record<string, any>>;

/** What every generator can do. Errors are those of {@link Generator}. */
export interface AnyGenerator {
  /** One ID. */
  next(this: void): AnyId;
  /** One ID as canonical text. */
  nextText(this: void): string;
  /** `n` IDs. */
  nextMany(this: void, n: number): AnyId[];
  /** `n` IDs as canonical text. */
  nextManyText(this: void, n: number): string[];
  /** `n` IDs as a typed array; absent where IDs are texts. */
  nextTyped?(this: void, n: number): ArrayLike<AnyId>;
  /** One ID; waits without blocking. */
  nextAsync(this: void, options?: AsyncOptions): Promise<AnyId>;
  /** An ID for a given time. */
  at(this: void, time: Time): AnyId;
  /** Plain JSON from which a generator continues. */
  snapshot(this: void): Snapshot;
  /** Counters since the realm started. */
  stats(this: void): Stats;
}

/**
 * What every format can do: each can be assigned to it. Options and fields are checked when they are used, so a program that takes any
 * format reads `graupel/facts` to know what to pass. Errors are those of {@link Format}.
 */
export interface AnyFormat extends StandardSchema<unknown, AnyId> {
  /** The format's name, as the command line spells it. */
  readonly name: string;
  /** Unix milliseconds of tick 0. */
  readonly epoch: number;
  /** Fields, ticks, sign and text form; frozen. */
  readonly layout: Layout;
  /** The largest ID, as an integer. */
  readonly max: bigint;
  /** IDs that one identity can make in one tick. */
  readonly capacity: number;
  /** Unix milliseconds at which the last tick starts. */
  readonly endOfLife: number;
  /** What `typeof` says of its IDs. */
  readonly valueType: "string" | "bigint" | "number";
  /** What a column of a database holds for its IDs, the same for `text`: `"string"` only where canonical texts sort as their IDs do. */
  readonly columnType: "string" | "bigint" | "number";
  /** The name, epoch and layout, for logs. Errors: none. */
  toJSON(this: void): object;
  /** An ID, or its canonical text, to the ID. `radix`: of the text, where the format reads several. */
  parse(this: void, x: unknown, radix?: number): AnyId;
  /** True exactly when `parse` succeeds. */
  isValid(this: void, x: unknown): boolean;
  /** Canonical text. */
  format(this: void, id: AnyId): string;
  /** Big-endian bytes. */
  toBytes(this: void, id: AnyId): Uint8Array;
  /** The inverse of `toBytes`. */
  fromBytes(this: void, bytes: Uint8Array): AnyId;
  /** The ID as an integer. */
  toBigInt(this: void, id: AnyId): bigint;
  /** The inverse of `toBigInt`. */
  fromBigInt(this: void, integer: bigint): AnyId;
  /** The ID's time and its fields. */
  inspect(this: void, id: AnyId): AnyInspection;
  /** The ID's time in Unix milliseconds. */
  timestamp(this: void, id: AnyId): number;
  /** An ID from its time and its fields. */
  compose(this: void, fields: object): AnyId;
  /** An ID with some of its fields changed. */
  with(this: void, id: AnyId, changes: object): AnyId;
  /** Bounds of the IDs from `from` up to, not including, `to`. */
  range(this: void, from?: Time, to?: Time): Range<AnyId>;
  /** Order of two IDs, or their texts. */
  compare(this: void, a: AnyId, b: AnyId): -1 | 0 | 1;
  /** The same format with canonical text as its type. */
  readonly text: AnyFormat;
  /** Makes a generator. */
  generator(this: void, options?: object): AnyGenerator;
}
