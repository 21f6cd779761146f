/** The public types of sno but the format itself. Apart, so that the declarations of the entry lead to nothing internal. */
import type { AsyncOptions, AtSnapshot, CounterOptions, Generator, Snapshot, Time } from "../../types.js";

/** Options of a sno generator. */
export interface SnoOptions extends CounterOptions<SnoSnapshot, "tick-tock"> {
  /**
   * 0 to 65,535, or its two bytes, high first. If left out, the one that all such generators of a thread or process share,
   * drawn at random at first use: two threads or processes draw the same with odds of 1 in 65,536, some two of 10 with
   * 1 in 1,457, of 100 with 1 in 14, of 302 with 1 in 2. To be certain, give each thread and process its own number.
   */
  readonly partition?: number | readonly [number, number] | undefined;
  /**
   * The lower bound of the sequence, 0 to 65,535, included; 0 if left out. Generators whose bounds do not overlap can share a
   * partition. Both bounds: in either order, with at least 4 values.
   */
  readonly sequenceMin?: number | undefined;
  /** The upper bound, 0 to 65,535, included; 65,535 if left out. As in the reference, 0 means 65,535, too. */
  readonly sequenceMax?: number | undefined;
}

/** Options of a sno generator's `nextAsync`. */
export interface SnoAsyncOptions extends AsyncOptions {
  /** 0 to 255; 0 if left out. */
  readonly metabyte?: number | undefined;
}

/** A sno generator. */
export interface SnoGenerator extends Generator<string, SnoSnapshot> {
  /**
   * One ID. Blocks while it waits, at most `maxWaitMs`. `metabyte`: 0 to 255, 0 if left out. Errors: those of every
   * {@link Generator}'s `next`, `TYPE`, `RANGE`, `PARTITIONS_EXHAUSTED`.
   */
  next(this: void, metabyte?: number): string;
  /** The same as `next`: a sno is text. */
  nextText(this: void, metabyte?: number): string;
  /** `n` IDs, 0 to 16,777,216: all or an error; waits out full sequences. Errors: those of `next`. */
  nextMany(this: void, n: number, metabyte?: number): string[];
  /** The same as `nextMany`. */
  nextManyText(this: void, n: number, metabyte?: number): string[];
  /** One ID; waits without blocking. Rejects with the errors of `next`, `UNKNOWN_OPTION`, or with the signal's reason. */
  nextAsync(this: void, options?: SnoAsyncOptions): Promise<string>;
  /**
   * An ID for a given time, to port old data; from a counter of its own. Errors: those of every {@link Generator}'s `at`,
   * `PARTITIONS_EXHAUSTED`.
   */
  at(this: void, time: Time, metabyte?: number): string;
  /** The partition, 0 to 65,535; an automatic one is taken now. Errors: `RANDOM_FAILED`, `PARTITIONS_EXHAUSTED`. */
  readonly partition: number;
  /** The lower bound of the sequence. */
  readonly sequenceMin: number;
  /** The upper bound of the sequence. */
  readonly sequenceMax: number;
  /** How many IDs one tick holds. */
  readonly capacity: number;
  /**
   * The sequence number last issued in the present tick, or the lower bound. Reads the clock. Errors: `CLOCK_INVALID`,
   * `BEFORE_EPOCH`, `END_OF_LIFE`, `REGISTRY`, `CORE`; those of `partition`.
   */
  sequence(this: void): number;
  /** How many IDs the present tick has seen, with those below a random start. Reads the clock. Errors: those of `sequence`. */
  len(this: void): number;
}

/** A sno generator's state, as plain JSON; the names and units (4 ms since 2010) are the reference's. */
export interface SnoSnapshot extends Snapshot {
  /** 0 to 65,535, or its two bytes, high first. */
  readonly partition: number | readonly [number, number];
  /** The lower bound of the sequence, included. */
  readonly sequenceMin: number;
  /** The upper bound of the sequence, included. */
  readonly sequenceMax: number;
  /** The last sequence number issued at `wallHi`; 0 counts as the lower bound. */
  readonly sequence: number;
  /** When the snapshot was taken; of no consequence. */
  readonly now?: number | undefined;
  /** The highest reading, in ticks of 4 ms since 2010. */
  readonly wallHi: number;
  /** Readings up to here, below `wallHi`, were used twice. */
  readonly wallSafe: number;
  /** How often the clock went back, modulo 2^32. */
  readonly drifts: number;
  /** How many more the last tick holds, where that is not what follows `sequence`: it goes on from tick to tick. */
  readonly left?: number | undefined;
  /** The last tick issued, where borrowing has put it ahead of `wallHi`; then `sequence` is of that tick. */
  readonly last?: number | undefined;
  /** The backfill counter. */
  readonly at?: AtSnapshot | undefined;
}
