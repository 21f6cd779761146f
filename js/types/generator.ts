/**
 * The public types of generators: their options, what every generator does, and what it leaves behind. All times are Unix milliseconds.
 * Methods say `this: void`, because they may be passed on alone.
 */
import type { LayoutField, Time } from "./layout.js";

/** Fixed fields of a generator: different in everything that generates at the same time. A snapshot contains them. */
export type FixedFields<Fixed extends string, Snap = IntegerSnapshot> =
  | { readonly [K in Fixed]: number }
  | ({
      /** A snapshot of the same identity; a field given besides must agree with it. */
      readonly snapshot: Snap;
    } & { readonly [K in Fixed]?: number | undefined })
  | ({
      /** A lease, which gives the fields; a field given besides must be one that the lease was restricted to. */
      readonly lease: AnyLease;
    } & { readonly [K in Fixed]?: number | undefined });

/** A lease of `graupel/lease`, as far as a generator's options show it. */
export interface AnyLease {
  /** What the lease is now. */
  readonly status: object;
  /** Gives the number back. */
  release(this: void): Promise<void>;
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
export interface GeneratorOptions<Snap = IntegerSnapshot, More extends string = never> {
  /**
   * What to do when the clock reads less than it has read before; `"hold"` if left out, for sno `"tick-tock"`. `"hold"` goes on in
   * the highest tick, up to `maxAheadMs` ahead of the clock: by itself it gives the numbers left in that tick, and then
   * `sequenceFull` decides. With `"borrow"` it keeps going through a step back of up to `maxAheadMs`. After an unclean end, see
   * `notBefore`.
   */
  readonly clockBackwards?: "throw" | "wait" | "hold" | More | undefined;
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
  /** Called when the clock went back, once the call's state is stored. */
  readonly onClockBackwards?: ((event: ClockBackwards) => void) | undefined;
  /**
   * Called when calls wait for a full sequence, once the call's state is stored. What it throws is thrown by the waiting call;
   * while `nextAsync` waits, it is an uncaught error, once for each identity.
   */
  readonly onOverflow?: ((event: Overflow) => void) | undefined;
  /** A snapshot to continue from. It applies at once, to all generators of the identity. */
  readonly snapshot?: Snap | undefined;
  /**
   * All ticks that start before this time count as used, at once and for all generators of the identity. If a snapshot is given, too,
   * the later of the two wins. Until the clock is there, `sequenceFull` decides; `at` gives no IDs any more.
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
  /**
   * A lease of `graupel/lease`: it gives the fixed fields, and the interval of time in which they may be used. With it, `clockBackwards` is
   * `"hold"` and `sequenceFull` is `"wait"` or `"borrow"`; `at`, `snapshot`, `notBefore` and `isolated` are refused with `CONFLICT`.
   */
  readonly lease?: AnyLease | undefined;
}

/** Options of every generator that counts within a tick: of all formats but Ulid-Flake, whose values are random. */
export interface CounterOptions<Snap = IntegerSnapshot, More extends string = never>
  extends GeneratorOptions<Snap, More> {
  /**
   * Where the sequence starts in a new tick; `"lowest"` if left out. The policies, `at` and snapshots are the same with each.
   *
   * - `"lowest"`: at 0, for sno at `sequenceMin`. At less than one ID a tick, every sequence is that: `id % 16` then is always the same.
   * - `"continue"`: where the last tick ended, so that the values go round and a tick keeps its whole capacity. A tick that starts in
   *   the middle rolls over, and its IDs then do not ascend in the order of issue.
   * - `"random"`: at a random value, drawn from the platform's secure source for each tick that issues an ID. It lies in the lower half
   *   of the values (of 2^n, it is one of 2^(n-1), and at most of 2^24), so that at least half of a tick's capacity follows; IDs ascend as with `"lowest"`.
   *   `next` may then fail with `RANDOM_FAILED`.
   */
  readonly sequenceStart?: "lowest" | "continue" | "random" | undefined;
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
export interface Generator<Id, Snap = IntegerSnapshot> {
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
   * One ID; waits without blocking. Calls are served in order. Rejects with the errors of `next`, `TYPE`, `UNKNOWN_OPTION`, or with
   * the signal's reason.
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
export interface TypedGenerator<Id, Typed, Snap = IntegerSnapshot> extends Generator<Id, Snap> {
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
  readonly layout: readonly Pick<LayoutField, "name" | "bits">[];
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
