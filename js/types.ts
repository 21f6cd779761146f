/**
 * The public contract, as types: what every format does, what every generator does.
 * The words are those of the formats' own specifications; all times are Unix milliseconds.
 */

/** A point in time: a number of Unix milliseconds (fractions are floored to the tick) or a `Date`. */
export type Time = number | Date;

/** The time of an ID, three ways. They always agree. */
export interface Instant {
  /** Unix milliseconds at which the ID's tick starts. */
  readonly timestamp: number;
  /** The same as a `Date`. */
  readonly time: Date;
  /** The raw time field: ticks since the format's epoch. */
  readonly ticks: number;
}

/** What `inspect` returns: the time, and every other field by the specification's own name. */
export type Inspection<Field extends string> = Instant & { readonly [K in Field]: number };

/** What `compose` takes: every field, and the time in at least one of its three forms; `Optional` ones are else 0. */
export type Composition<Field extends string, Optional extends string = never> = Partial<{
  readonly timestamp: Time;
  readonly time: Time;
  readonly ticks: number;
}> & { readonly [K in Exclude<Field, Optional>]: number } & { readonly [K in Field & Optional]?: number };

/** What `with` takes: any of the fields to change. */
export type Changes<Field extends string> = Partial<Composition<Field>>;

/** Inclusive bounds, ready for `BETWEEN min AND max`. */
export interface Range<Id> {
  readonly min: Id;
  readonly max: Id;
}

/** One field of a layout. */
export interface LayoutField {
  readonly name: string;
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

/** Standard Schema v1 (https://standardschema.dev), as far as a validator needs it. */
export interface StandardSchema<Input, Output> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "graupel";
    readonly validate: (
      value: unknown,
    ) =>
      | { readonly value: Output; readonly issues?: undefined }
      | { readonly issues: readonly { readonly message: string }[] };
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** What every format does. `Id` is its natural type, `Field` the names of its fields but the time. */
export interface Format<
  Id extends string | bigint | number,
  Field extends string,
  Options,
  Gen,
  Optional extends string = never,
> extends StandardSchema<Id | string, Id> {
  /** The format's name, as the command line and `identify` spell it. */
  readonly name: string;
  /** Makes a generator. Reads no clock, draws no randomness. Errors: `UNKNOWN_OPTION`, `TYPE`, `RANGE`, `CONFLICT`. */
  generator(options?: Options): Gen;
  /** Canonical text, or a value of the natural type, to the natural type. Errors: `TYPE`, `LENGTH`, `CHARACTER`, `NOT_CANONICAL`, `OVERFLOW`, `RANGE`. */
  parse(x: unknown): Id;
  /** True exactly when `parse` succeeds. */
  isValid(x: unknown): boolean;
  /** Canonical text. Errors: those of `parse`. */
  format(id: Id): string;
  /** Big-endian bytes: sno 10, 64-bit formats 8, Snowflake-SI 7. */
  toBytes(id: Id): Uint8Array;
  /** The inverse of `toBytes`. Errors: `TYPE`, `LENGTH`, `OVERFLOW`. */
  fromBytes(bytes: Uint8Array): Id;
  /** The ID as an integer. */
  toBigInt(id: Id): bigint;
  /** The inverse of `toBigInt`. Errors: `TYPE`, `RANGE`, `OVERFLOW`. */
  fromBigInt(integer: bigint): Id;
  /** Takes an ID apart. */
  inspect(id: Id): Inspection<Field>;
  /** Puts an ID together; `compose(inspect(id))` is `id`. Errors: `TYPE`, `RANGE`, `CONFLICT`, `UNKNOWN_FIELD`, `BEFORE_EPOCH`, `END_OF_LIFE`. */
  compose(fields: Composition<Field, Optional>): Id;
  /** An ID with some of its fields changed. Errors: those of `compose`. */
  with(id: Id, changes: Changes<Field>): Id;
  /** Every ID whose tick overlaps [from, to). Errors: `TYPE`, `RANGE`, `BEFORE_EPOCH`, `END_OF_LIFE`. */
  range(from: Time, to: Time): Range<Id>;
  /** Order of two IDs: -1, 0 or 1. */
  compare(a: Id, b: Id): -1 | 0 | 1;
  /** Fields and widths. */
  readonly layout: Layout;
  /** Unix milliseconds of tick 0. */
  readonly epoch: number;
  /** IDs that one identity can make in one tick (Ulid-Flake: the upper limit; random steps use it up sooner). */
  readonly capacity: number;
  /** Unix milliseconds at which the last tick starts. */
  readonly endOfLife: number;
}

/** What went wrong with the clock, for `onClockBackwards`. All in Unix milliseconds. */
export interface ClockBackwards {
  /** The reading that was below the highest. */
  readonly reading: number;
  /** The highest reading so far. */
  readonly highest: number;
}

/** An overflow of the sequence, for `onOverflow`; with the meaning of sno's `SequenceOverflowNotification`. */
export interface Overflow {
  /** The clock reading, in Unix milliseconds. */
  readonly time: number;
  /** How many calls are waiting. */
  readonly count: number;
  /** For how many ticks of about one millisecond this overflow has lasted. */
  readonly ticks: number;
}

/** Options of every generator. */
export interface GeneratorOptions<Snap, Backwards extends string = "throw" | "wait" | "hold"> {
  /** What to do when the clock reads less than it has read before. */
  readonly clockBackwards?: Backwards | undefined;
  /** What to do when the tick's sequence is used up. */
  readonly sequenceFull?: "throw" | "wait" | "borrow" | undefined;
  /** Longest wait of one call (of `nextMany`: each of its waits), in milliseconds; 100 if left out. */
  readonly maxWaitMs?: number | undefined;
  /** How far `hold` and `borrow` may run ahead of the clock, in milliseconds; 10,000 if left out. */
  readonly maxAheadMs?: number | undefined;
  /** Called when the clock went back, after the state is settled. */
  readonly onClockBackwards?: ((event: ClockBackwards) => void) | undefined;
  /** Called when calls wait for a full sequence, after the state is settled. */
  readonly onOverflow?: ((event: Overflow) => void) | undefined;
  /** A snapshot to go on from. */
  readonly snapshot?: Snap | undefined;
  /** Unix milliseconds, fractions allowed; the system clock if left out. */
  readonly clock?: (() => number) | undefined;
}

/** What `nextAsync` takes. */
export interface AsyncOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Counters of a generator's identity, for an operator's dashboard. */
export interface Stats {
  /** IDs issued. */
  readonly issued: number;
  /** Calls that had to wait. */
  readonly waits: number;
  /** Milliseconds waited, by the generator's own clock. */
  readonly waitedMs: number;
  /** Readings below the highest reading. */
  readonly clockRegressions: number;
  /** The largest of them, in milliseconds. */
  readonly largestRegressionMs: number;
  /** Times that a tick's sequence was used up. */
  readonly overflows: number;
  /** How far the last tick issued is ahead of the highest reading, in milliseconds. */
  readonly aheadMs: number;
}

/** What every generator does. */
export interface Generator<Id, Many, Snap> {
  /** One ID. Errors: `CLOCK_BACKWARDS`, `SEQUENCE_FULL`, `CLOCK_STUCK`, `CLOCK_INVALID`, `BEFORE_EPOCH`, `END_OF_LIFE`. */
  next(): Id;
  /** One ID as canonical text. */
  nextText(): string;
  /** `n` IDs, all or an error; waits out full sequences. */
  nextMany(n: number): Many;
  /** `n` IDs as canonical text. */
  nextManyText(n: number): string[];
  /** One ID; awaits where `next` would block. */
  nextAsync(options?: AsyncOptions): Promise<Id>;
  /** An ID for a given time, from a counter of its own. Errors: those of `compose`, `TIME_TAKEN`. */
  at(time: Time): Id;
  /** Plain JSON from which the same generator goes on, also after a restart. */
  snapshot(): Snap;
  /** Counters. */
  stats(): Stats;
}

/** What every snapshot says beside its format's own fields. */
export interface Snapshot {
  /** Version of the snapshot's form. */
  readonly version: 1;
  /** Name of the format. */
  readonly format: string;
}

/** Where an integer format's generator stands. All ticks count from the epoch; -1 is none. */
export interface IntegerSnapshot extends Snapshot {
  /** The format's epoch, Unix milliseconds. */
  readonly epoch: number;
  /** The layout: the fields' names and widths, high to low. */
  readonly layout: readonly LayoutField[];
  /** Length of a tick in milliseconds. */
  readonly tickMs: number;
  /** The fixed fields. */
  readonly fields: Readonly<Record<string, number>>;
  /** Tick of the highest clock reading. */
  readonly highest: number;
  /** The last tick issued. */
  readonly last: number;
  /** The last sequence value issued in it (Ulid-Flake: the last randomness). */
  readonly sequence: number;
  /** How many more may be issued in it. */
  readonly left: number;
  /** The counter behind `at`. */
  readonly at: AtSnapshot;
}

/** Where the counter behind `at(time)` stands. Ticks count from the epoch; -1 is none. */
export interface AtSnapshot {
  /** The highest tick given. */
  readonly highest: number;
  /** The last sequence value issued. */
  readonly sequence: number;
  /** How many more may be issued in the highest tick. */
  readonly left: number;
  /** Whether the counter has rolled over. */
  readonly wrapped: boolean;
  /** The lowest tick issued by the clock. */
  readonly firstLive: number;
}
