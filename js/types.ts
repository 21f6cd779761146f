/**
 * The public types: what every format does, and what every generator does. Field names are those of the formats'
 * specifications; all times are Unix milliseconds. Methods say `this: void`, because they may be passed on alone.
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

/** Fixed fields of a generator: different in everything that generates at the same time. A snapshot contains them. */
export type FixedFields<Fixed extends string, Snap> =
  | { readonly [K in Fixed]: number }
  | ({
      /** A snapshot of the same identity; a field given besides must agree with it. */
      readonly snapshot: Snap;
    } & { readonly [K in Fixed]?: number | undefined });

/** The argument of `generator`: may be left out where no option is required. */
// biome-ignore lint/complexity/noBannedTypes: what an options object without a key is assignable to
export type GeneratorArguments<Options> = {} extends Options ? [options?: Options] : [options: Options];

/** Inclusive bounds, ready for `BETWEEN min AND max`. */
export interface Range<Id> {
  /** The smallest ID of the first tick. */
  readonly min: Id;
  /** The largest ID of the last tick. */
  readonly max: Id;
}

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

/** Why a value is no ID. */
export interface StandardIssue {
  /** The message of the error that `parse` would throw. */
  readonly message: string;
}

/** What a validator gets for a value: the ID, or the reasons why it is none. */
export type StandardResult<Output> =
  | {
      /** The ID in the format's natural type. */
      readonly value: Output;
      /** Absent: this is what tells a valid value. */
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
  /** What becomes of it. */
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
  /**
   * Makes a generator. Reads no clock and draws no randomness; instantiates nothing, unless many snapshots of one identity await
   * its first ID. Errors: `UNKNOWN_OPTION`, `TYPE`, `RANGE`, `CONFLICT`, `SNAPSHOT`.
   */
  generator(this: void, ...options: GeneratorArguments<Options>): Gen;
  /**
   * Canonical text, or a value of the natural type, to the natural type. Errors: `TYPE`, `LENGTH`, `CHARACTER`,
   * `NOT_CANONICAL`, `OVERFLOW`, `RANGE`; at the first use of the package also `CORE`.
   */
  parse(this: void, x: unknown): Id;
  /** True exactly when `parse` succeeds: `x` is an ID, or the text of one. Errors: `CORE`. */
  isValid(this: void, x: Id | string): boolean;
  /** Of a value of another type it also says that it is an ID, or the text of one. */
  isValid(this: void, x: unknown): x is Id | string;
  /** Canonical text: the one text that `parse` takes for this ID. Errors: those of `parse`. */
  format(this: void, id: Id | string): string;
  /** Big-endian bytes: sno 10, 64-bit formats 8, Snowflake-SI 7. Errors: those of `parse`. */
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
  /** Order of two IDs, or their texts: -1, 0 or 1. Errors: those of `parse`. */
  compare(this: void, a: Id | string, b: Id | string): -1 | 0 | 1;
  /** Fields and widths; frozen. */
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

/** Options of every generator: a plain object. One that could inherit options, from a class or a prototype, is refused with `TYPE`. */
export interface GeneratorOptions<Snap, Backwards extends string = "throw" | "wait" | "hold"> {
  /**
   * What to do when the clock reads less than it has read before; `"hold"` if left out, for sno `"tick-tock"`. `"hold"` goes on in
   * the highest tick, up to `maxAheadMs` ahead of the clock: by itself it gives the numbers left in that tick, and then
   * `sequenceFull` decides. With `"borrow"` it keeps going through a step back of up to `maxAheadMs`. After an unclean end, see
   * `notBefore`.
   */
  readonly clockBackwards?: Backwards | undefined;
  /**
   * What to do when the tick's sequence is used up; `"wait"` if left out. `"borrow"` takes the next tick, up to `maxAheadMs` ahead
   * of the clock; after an unclean end, see `notBefore`.
   */
  readonly sequenceFull?: "throw" | "wait" | "borrow" | undefined;
  /**
   * The longest wait of one call, in milliseconds: 0 to 2,147,483,647; 100 if left out. For `nextMany`, of each wait; for
   * `nextAsync`, since the last call of the queue was served. While the clock stands still, a wait lasts up to 100 ms longer,
   * because it may run in steps.
   */
  readonly maxWaitMs?: number | undefined;
  /** How far `hold` and `borrow` may run ahead of the clock, in milliseconds: 0 to 2,147,483,647; 10,000 if left out. */
  readonly maxAheadMs?: number | undefined;
  /** Called when the clock went back, after the state is settled. */
  readonly onClockBackwards?: ((event: ClockBackwards) => void) | undefined;
  /**
   * Called when calls wait for a full sequence, after the state is settled. What it throws is thrown by the waiting call;
   * while `nextAsync` waits, it is an uncaught error, once for each identity.
   */
  readonly onOverflow?: ((event: Overflow) => void) | undefined;
  /** A snapshot to continue from. It applies at once, to all generators of the identity. */
  readonly snapshot?: Snap | undefined;
  /**
   * All ticks that start before this time count as spent, at once and for all generators of the identity. Of it and a
   * snapshot, the later one counts. Until the clock is there, `sequenceFull` decides; `at` gives no IDs any more.
   *
   * A generator that ended without a snapshot (a crash, `kill -9`) may have issued IDs up to `maxAheadMs` ahead of the clock
   * under `"hold"` and `"borrow"`, and under every policy in the tick that the clock still shows. Start the next one at a mark: a
   * saved time that no ID has reached (www/docs/restarts.md). Without one, `notBefore: Date.now() + maxAheadMs + tickMs` is enough
   * only if the clock is not behind any reading at which an earlier generator has issued an ID.
   */
  readonly notBefore?: Time | undefined;
  /**
   * Unix milliseconds, fractions allowed; the system clock if left out. It is not part of the identity: generators with the
   * same layout, epoch and fixed fields share one state, whatever their clocks. If a test sets a clock back, or another
   * test has used the same numbers, the result is `CLOCK_BACKWARDS`, `SEQUENCE_FULL` or `TIME_TAKEN`; see `isolated`.
   */
  readonly clock?: (() => number) | undefined;
  /** `true`: a state of its own, for tests and simulations. Such a generator can repeat IDs of others. */
  readonly isolated?: boolean | undefined;
}

/**
 * The part of `AbortSignal` that `nextAsync` uses, so that the types of the package need no DOM library. Pass a real
 * `AbortSignal`, of any realm: everything else is refused with `TYPE`.
 */
export interface CancelSignal {
  /** Whether it was aborted. */
  readonly aborted: boolean;
  /** What it was aborted with: the call rejects with it. */
  readonly reason: unknown;
  /** Adds a listener for the abortion. */
  addEventListener(type: "abort", listener: () => void): void;
  /** Removes it. */
  removeEventListener(type: "abort", listener: () => void): void;
}

/** Options of `nextAsync`. */
export interface AsyncOptions {
  /**
   * Ends the wait of this call, which then rejects with the signal's reason. Other calls wait on. If one abort ends thousands of calls,
   * they reject in their order, some milliseconds later; none of them takes an ID any more.
   */
  readonly signal?: CancelSignal | undefined;
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
  /** Ticks whose sequence was used up. */
  readonly overflows: number;
  /** How far the last tick issued is ahead of the highest reading, in milliseconds. */
  readonly aheadMs: number;
}

/** What every generator does. */
export interface Generator<Id, Snap> {
  /**
   * One ID. Blocks while it waits, at most `maxWaitMs`. Errors: `CLOCK_BACKWARDS`, `SEQUENCE_FULL`, `CLOCK_STUCK`,
   * `CLOCK_INVALID`, `BEFORE_EPOCH`, `END_OF_LIFE`, `TIME_TAKEN`, `RANDOM_FAILED`; at the first call also `REGISTRY`, `CORE`.
   */
  next(this: void): Id;
  /** One ID as canonical text. Errors: those of `next`. */
  nextText(this: void): string;
  /**
   * `n` IDs as a plain array, 0 to 16,777,216: all or an error; waits out full sequences. Errors: those of `next`, `TYPE`,
   * `RANGE`.
   */
  nextMany(this: void, n: number): Id[];
  /** `n` IDs as canonical text. Errors: those of `nextMany`. */
  nextManyText(this: void, n: number): string[];
  /**
   * One ID; waits without blocking, behind the calls that wait already. Rejects with the errors of `next`, `TYPE`,
   * `UNKNOWN_OPTION`, or with the signal's reason.
   *
   * @example
   * ```js
   * import { mastodon } from "graupel/snowflake";
   * const id = await mastodon.generator().nextAsync({ signal: AbortSignal.timeout(1000) });
   * console.log(typeof id);   // bigint
   * ```
   */
  nextAsync(this: void, options?: AsyncOptions): Promise<Id>;
  /**
   * An ID for a given time, to port old data; from a counter of its own. Errors: `TYPE`, `RANGE`, `BEFORE_EPOCH`,
   * `END_OF_LIFE`, `TIME_TAKEN`, `SEQUENCE_FULL`, `RANDOM_FAILED`.
   */
  at(this: void, time: Time): Id;
  /**
   * Plain JSON from which a generator continues, also after a restart. Errors: `CLOCK_INVALID`, `REGISTRY`, `CORE`.
   *
   * @example
   * ```js
   * import { twitter } from "graupel/snowflake";
   * const saved = JSON.stringify(twitter.generator({ datacenterId: 1, workerId: 2 }).snapshot());
   * const restored = twitter.generator({ snapshot: JSON.parse(saved) });
   * console.log(twitter.inspect(restored.next()).workerId);   // 2
   * ```
   */
  snapshot(this: void): Snap;
  /** Counters since the realm started; all generators of the identity share them. Errors: `REGISTRY`, `CORE`. */
  stats(this: void): Stats;
}

/** What a generator of BigInts or numbers also does. */
export interface TypedGenerator<Id, Typed, Snap> extends Generator<Id, Snap> {
  /**
   * The same as `nextMany`, but as a typed array, in less time and memory. Databases and `JSON.stringify` do not take such an array
   * for a list: pass them that of `nextMany`. Errors: those of `nextMany`.
   *
   * @example
   * ```js
   * import { discord } from "graupel/snowflake";
   * const ids = discord.generator({ internalWorkerId: 1, internalProcessId: 0 }).nextTyped(1000);
   * console.log(ids instanceof BigUint64Array, ids.length);   // true 1000
   * ```
   */
  nextTyped(this: void, n: number): Typed;
}

/** What all snapshots have in common. */
export interface Snapshot {
  /** Version of the snapshot's form. */
  readonly version: 1;
  /** Name of the format. */
  readonly format: string;
}

/** The state of an integer format's generator. Ticks count from the epoch; -1 means none. */
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
  /** The backfill counter. */
  readonly at: AtSnapshot;
}

/** The state of the backfill counter, which `at(time)` counts with. Ticks count from the epoch; -1 means none. */
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
