/**
 * The public types of generators: their options, methods and snapshots. All times are Unix
 * milliseconds. Methods have `this: void`, because you can use them without their object.
 */
import type { LayoutField, Time } from "./layout.js";

/**
 * The fixed fields of a generator, which must differ between all generators that run at the same
 * time. A snapshot contains them.
 */
export type FixedFields<Fixed extends string, Snap = IntegerSnapshot> =
  | { readonly [K in Fixed]: number }
  | ({
      /** A snapshot of the same identity. Any field that you also pass must agree with it. */
      readonly snapshot: Snap;
    } & { readonly [K in Fixed]?: number | undefined })
  | ({
      /**
       * A lease, which provides the fields. You may also pass the fields to which you restricted
       * the lease.
       */
      readonly lease: AnyLease;
    } & { readonly [K in Fixed]?: number | undefined });

/** A lease from `graupel/lease`, for the option `lease` of a generator. */
export interface AnyLease {
  /** The status of the lease. */
  readonly status: object;
  /** Releases the number. */
  release(this: void): Promise<void>;
}

/** A step back of the clock, for `onClockBackwards`. All times are Unix milliseconds. */
export interface ClockBackwards {
  /** The reading below the highest one. */
  readonly reading: number;
  /** The highest reading so far. */
  readonly highest: number;
}

/**
 * An overflow of the sequence, for `onOverflow`. It corresponds to sno's
 * `SequenceOverflowNotification`.
 */
export interface Overflow {
  /** The clock reading, in Unix milliseconds. */
  readonly time: number;
  /** The number of waiting calls. */
  readonly count: number;
  /** For how many ticks of about one millisecond this overflow has lasted. */
  readonly ticks: number;
}

/**
 * Options of every generator: a plain object. An instance of a class, or an object with a prototype
 * other than `Object.prototype` or null, throws `TYPE`.
 */
export interface GeneratorOptions<Snap = IntegerSnapshot, More extends string = never> {
  /**
   * What to do when the clock goes back; by default `"hold"`, for sno `"tick-tock"`. `"hold"`
   * continues in the highest tick, up to `maxAheadMs` ahead of the clock. When that tick is used
   * up, `sequenceFull` decides: `"borrow"` continues through a step back of up to `maxAheadMs`.
   * After a crash, see `notBefore`.
   */
  readonly clockBackwards?: "throw" | "wait" | "hold" | More | undefined;
  /**
   * What to do when the tick's sequence is used up; `"wait"` by default. `"borrow"` takes the next
   * tick, up to `maxAheadMs` ahead of the clock; after a crash, see `notBefore`.
   */
  readonly sequenceFull?: "throw" | "wait" | "borrow" | undefined;
  /**
   * The longest wait of one call, in milliseconds: 0 to 2,147,483,647; 100 by default. In
   * `nextMany`, it limits each wait; in `nextAsync`, the time since the queue last served a call.
   * If the clock stands still, a wait lasts at least 300 ms (`nextAsync`: 600 ms), because the
   * clock may run in steps.
   */
  readonly maxWaitMs?: number | undefined;
  /**
   * How far `hold` and `borrow` may run ahead of the clock, in milliseconds: 0 to 2,147,483,647;
   * 10,000 by default.
   */
  readonly maxAheadMs?: number | undefined;
  /** Called when the clock has gone back, after the call's state is stored. */
  readonly onClockBackwards?: ((event: ClockBackwards) => void) | undefined;
  /**
   * Called when calls wait because the sequence is full, after the call's state is stored. The
   * waiting call rethrows its errors. While `nextAsync` waits, only its first error per identity is
   * thrown, as an uncaught error.
   */
  readonly onOverflow?: ((event: Overflow) => void) | undefined;
  /** A snapshot to continue from. It applies at once, to all generators of the identity. */
  readonly snapshot?: Snap | undefined;
  /**
   * All ticks that start before this time count as used, at once and for all generators of the
   * identity. With a snapshot, the later of the two applies. Until the clock reaches this time,
   * `sequenceFull` decides, and `at` throws.
   *
   * A generator that ended without a snapshot (a crash, `kill -9`) may have issued IDs up to
   * `maxAheadMs` ahead of the clock under `"hold"` and `"borrow"`, and in the clock's current tick
   * under every policy. Start the next one at a mark: a saved time that no ID has reached
   * (www/docs/restarts.md). Without a mark, `notBefore: Date.now() + maxAheadMs + tickMs` is enough
   * only if the clock is not behind any reading at which an earlier generator issued an ID.
   */
  readonly notBefore?: Time | undefined;
  /**
   * Returns Unix milliseconds, fractions allowed; the system clock by default. It is not part of
   * the identity: generators with the same layout, epoch and fixed fields share one state, even
   * with different clocks. If a test sets the clock back, or another test used the same numbers,
   * calls throw `CLOCK_BACKWARDS`, `SEQUENCE_FULL` or `TIME_TAKEN`; see `isolated`.
   */
  readonly clock?: (() => number) | undefined;
  /**
   * `true`: the generator has its own state, for tests and simulations. It can repeat IDs of other
   * generators.
   */
  readonly isolated?: boolean | undefined;
  /**
   * A lease of `graupel/lease`, which provides the fixed fields and the interval of time in which
   * they may be used. With a lease, `clockBackwards` is `"hold"` and `sequenceFull` is `"wait"` or
   * `"borrow"`; `at`, `snapshot`, `notBefore` and `isolated` throw `CONFLICT`.
   */
  readonly lease?: AnyLease | undefined;
}

/**
 * Options of generators that count within a tick: in all formats except Ulid-Flake, whose values
 * are random.
 */
export interface CounterOptions<Snap = IntegerSnapshot, More extends string = never>
  extends GeneratorOptions<Snap, More> {
  /**
   * The start of the sequence in a new tick; `"lowest"` by default. It does not affect policies,
   * `at` or snapshots.
   *
   * - `"lowest"`: 0, or `sequenceMin` for sno. With at most one ID per tick, the sequence is always
   *   the same, and so is `id % 16`.
   * - `"continue"`: after the last value of the previous tick, so that the values rotate and each
   *   tick keeps its full capacity. A tick that starts in the middle wraps around, and its IDs then
   *   do not ascend in the order of issue.
   * - `"random"`: a random value from the platform's secure source, for each tick that issues an
   *   ID. It is in the lower half of the values, and below 2^24, so that at least half of the
   *   tick's capacity remains, and IDs ascend as with `"lowest"`. `next` may then throw
   *   `RANDOM_FAILED`.
   */
  readonly sequenceStart?: "lowest" | "continue" | "random" | undefined;
}

/**
 * The part of `AbortSignal` that `nextAsync` uses, so that the types of the package need no DOM
 * library. Pass a real `AbortSignal`, of any realm; anything else throws `TYPE`.
 */
export interface CancelSignal {
  /** Whether it was aborted. */
  readonly aborted: boolean;
  /** The reason of the abort. The call rejects with it. */
  readonly reason: unknown;
  /** Adds a listener. */
  addEventListener(type: "abort", listener: () => void): void;
  /** Removes a listener. */
  removeEventListener(type: "abort", listener: () => void): void;
}

/** Options of `nextAsync`. */
export interface AsyncOptions {
  /**
   * Aborts the wait of this call, which then rejects with the signal's reason. Other calls keep
   * waiting. If one abort ends thousands of calls, they reject in their order, some milliseconds
   * later, and none of them takes an ID.
   */
  readonly signal?: CancelSignal | undefined;
}

/** The counters of a generator's identity, for monitoring. */
export interface Stats {
  /** IDs issued. */
  readonly issued: number;
  /** Calls that had to wait. */
  readonly waits: number;
  /** Milliseconds waited, by the generator's own clock. */
  readonly waitedMs: number;
  /** Readings below the highest reading. */
  readonly clockRegressions: number;
  /** The largest step back, in milliseconds. */
  readonly largestRegressionMs: number;
  /** Ticks whose sequence was used up. */
  readonly overflows: number;
  /** How far the tick of the last ID is ahead of the highest reading, in milliseconds. */
  readonly aheadMs: number;
}

/** A generator. */
export interface Generator<Id, Snap = IntegerSnapshot> {
  /**
   * Generates one ID. Blocks while it waits, for at most `maxWaitMs`. Errors: `CLOCK_BACKWARDS`,
   * `SEQUENCE_FULL`, `CLOCK_STUCK`, `CLOCK_INVALID`, `BEFORE_EPOCH`, `END_OF_LIFE`, `TIME_TAKEN`,
   * `RANDOM_FAILED`; at the first call also `REGISTRY`, `CORE`.
   */
  next(this: void): Id;
  /** Generates one ID as canonical text. Errors: those of `next`. */
  nextText(this: void): string;
  /**
   * Generates `n` IDs (0 to 16,777,216) as a plain array. Returns all of them or throws. Waits if a
   * sequence is full. Errors: those of `next`, `TYPE`, `RANGE`.
   */
  nextMany(this: void, n: number): Id[];
  /** Generates `n` IDs as canonical text. Errors: those of `nextMany`. */
  nextManyText(this: void, n: number): string[];
  /**
   * Generates one ID. Waits without blocking. Calls are served in order. Rejects with the errors of
   * `next`, `TYPE`, `UNKNOWN_OPTION`, or with the signal's reason.
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
   * Generates an ID for a given time, to migrate old data, with a separate counter that continues
   * from tick to tick. IDs of one tick ascend until the counter wraps around. After that, times
   * must ascend. For times in any order, pass `compose` a sequence derived from the row's key
   * (www/docs/old-data.md). Errors: `TYPE`, `RANGE`, `BEFORE_EPOCH`, `END_OF_LIFE`, `TIME_TAKEN`,
   * `SEQUENCE_FULL`, `RANDOM_FAILED`.
   */
  at(this: void, time: Time): Id;
  /**
   * Returns plain JSON from which another generator can continue, even after a restart. Errors:
   * `CLOCK_INVALID`, `REGISTRY`, `CORE`.
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
  /**
   * Returns the counters since the realm started, which all generators of the identity share.
   * Errors: `REGISTRY`, `CORE`.
   */
  stats(this: void): Stats;
}

/** A generator of BigInts or numbers. */
export interface TypedGenerator<Id, Typed, Snap = IntegerSnapshot> extends Generator<Id, Snap> {
  /**
   * Like `nextMany`, but returns a typed array, which takes less time and memory. Database clients
   * and `JSON.stringify` do not treat it as a list: use `nextMany` for them. Errors: those of
   * `nextMany`.
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

/** The common part of all snapshots. */
export interface Snapshot {
  /** The version of the snapshot's format. */
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
  /** The last tick in which an ID was issued. */
  readonly last: number;
  /** The last sequence value issued in it (Ulid-Flake: the last randomness). */
  readonly sequence: number;
  /** How many more IDs may be issued in that tick. */
  readonly left: number;
  /** The backfill counter. */
  readonly at: AtSnapshot;
}

/** The state of the backfill counter of `at(time)`. Ticks count from the epoch; -1 means none. */
export interface AtSnapshot {
  /** The highest tick passed to `at`. */
  readonly highest: number;
  /** The last sequence value issued. */
  readonly sequence: number;
  /** How many more IDs may be issued in the highest tick. */
  readonly left: number;
  /** Whether the counter has wrapped around. */
  readonly wrapped: boolean;
  /** The lowest tick in which `next` issued an ID. */
  readonly firstLive: number;
}
