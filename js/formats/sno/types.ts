/**
 * The public types of sno, except the format itself. In a separate file, so that the declarations
 * of the entry refer to no internal file.
 */
import type { AsyncOptions, AtSnapshot, CounterOptions, Generator, Snapshot, Time } from "../../types.js";

/** Options of a sno generator. */
export interface SnoOptions extends CounterOptions<SnoSnapshot, "tick-tock"> {
  /**
   * The partition: 0 to 65,535, or its two bytes, high first. By default, the generators of a
   * thread or process share one that is drawn at random at first use. The odds that two threads or
   * processes draw the same one are 1 in 65,536; among 10, 1 in 1,457; among 100, 1 in 14; among
   * 302, 1 in 2. To be certain, give each thread and process its own number.
   */
  readonly partition?: number | readonly [number, number] | undefined;
  /**
   * The lower bound of the sequence, inclusive, 0 to 65,535; 0 by default. Generators whose bounds
   * do not overlap can share a partition. The bounds may be in either order, and must contain at
   * least 4 values.
   */
  readonly sequenceMin?: number | undefined;
  /**
   * The upper bound, inclusive, 0 to 65,535; 65,535 by default. As in the reference, 0 also means
   * 65,535.
   */
  readonly sequenceMax?: number | undefined;
}

/** Options of a sno generator's `nextAsync`. */
export interface SnoAsyncOptions extends AsyncOptions {
  /** The metabyte: 0 to 255; 0 by default. */
  readonly metabyte?: number | undefined;
}

/** A sno generator. */
export interface SnoGenerator extends Generator<string, SnoSnapshot> {
  /**
   * Generates one ID. Blocks while it waits, for at most `maxWaitMs`. `metabyte`: 0 to 255, 0 by
   * default. Errors: those of every {@link Generator}'s `next`, `TYPE`, `RANGE`,
   * `PARTITIONS_EXHAUSTED`.
   */
  next(this: void, metabyte?: number): string;
  /** The same as `next`, because a sno is text. */
  nextText(this: void, metabyte?: number): string;
  /**
   * Generates `n` IDs (0 to 16,777,216), or throws and returns none. Waits if a sequence is full.
   * Errors: those of `next`.
   */
  nextMany(this: void, n: number, metabyte?: number): string[];
  /** The same as `nextMany`. */
  nextManyText(this: void, n: number, metabyte?: number): string[];
  /**
   * Generates one ID. Waits without blocking. Rejects with the errors of `next`, `UNKNOWN_OPTION`,
   * or with the signal's reason.
   */
  nextAsync(this: void, options?: SnoAsyncOptions): Promise<string>;
  /**
   * Generates an ID for a given time, to migrate old data, with a separate counter. Errors: those
   * of every {@link Generator}'s `at`, `PARTITIONS_EXHAUSTED`.
   */
  at(this: void, time: Time, metabyte?: number): string;
  /**
   * The partition, 0 to 65,535. Reading an automatic one draws it. Errors: `RANDOM_FAILED`,
   * `PARTITIONS_EXHAUSTED`.
   */
  readonly partition: number;
  /** The lower bound of the sequence. */
  readonly sequenceMin: number;
  /** The upper bound of the sequence. */
  readonly sequenceMax: number;
  /** The number of IDs per tick. */
  readonly capacity: number;
  /**
   * Returns the sequence number last issued in the current tick, or the lower bound. Reads the
   * clock. Errors: `CLOCK_INVALID`, `BEFORE_EPOCH`, `END_OF_LIFE`, `REGISTRY`, `CORE`; those of
   * `partition`.
   */
  sequence(this: void): number;
  /**
   * Returns the number of used values in the current tick, including those below a random start.
   * Reads the clock. Errors: those of `sequence`.
   */
  len(this: void): number;
}

/**
 * A sno generator's state, as plain JSON; the names and units (4 ms since 2010) are the
 * reference's.
 */
export interface SnoSnapshot extends Snapshot {
  /** 0 to 65,535, or its two bytes, high first. */
  readonly partition: number | readonly [number, number];
  /** The lower bound of the sequence, included. */
  readonly sequenceMin: number;
  /** The upper bound of the sequence, included. */
  readonly sequenceMax: number;
  /** The last sequence number issued at `wallHi`; 0 counts as the lower bound. */
  readonly sequence: number;
  /** When the snapshot was taken. It has no effect. */
  readonly now?: number | undefined;
  /** The highest reading, in ticks of 4 ms since 2010. */
  readonly wallHi: number;
  /** Readings up to this one, below `wallHi`, were used twice. */
  readonly wallSafe: number;
  /** How often the clock went back, modulo 2^32. */
  readonly drifts: number;
  /**
   * How many more IDs the last tick holds. Absent if that is the number of values after `sequence`,
   * as it is unless the sequence continues from tick to tick.
   */
  readonly left?: number | undefined;
  /**
   * The last issued tick, if borrowing has put it ahead of `wallHi`; then `sequence` belongs to
   * that tick.
   */
  readonly last?: number | undefined;
  /** The backfill counter. */
  readonly at?: AtSnapshot | undefined;
}
