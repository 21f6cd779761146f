/**
 * The world of a story: scripted clocks, the monotonic clock, timers, sleep and randomness, all
 * determined by the story.
 */
import { ulidFlake } from "graupel/ulid-flake";
import { Random } from "../../support/random.ts";
import { replace } from "../../support/replace.ts";
import type { Told } from "./plan.ts";

/**
 * The caller's own error, thrown on purpose. It must reach the caller unchanged. If it has an
 * `owner`, only calls of that owner may throw it.
 */
export class Own extends Error {
  constructor(
    message: string,
    readonly owner?: object,
  ) {
    super(message);
  }
}

/** The process saves a snapshot and dies during a call. */
export class Crash extends Own {}

/** Invalid readings of a broken clock, and an error that it throws. */
const RUBBISH: readonly unknown[] = [Number.NaN, Infinity, "1", undefined, 1n, 9e15, new Own("of a clock")];

/**
 * The number of readings in one step after which a call counts as hung; far more than `maxWaitMs`
 * allows.
 */
const MOST_READINGS = 3_000_000;

interface Timer {
  readonly due: number;
  readonly run: () => void;
}

export class World {
  /** Milliseconds that each reading of a clock takes. */
  pace = 0.25;
  /** The number of readings until an invalid one; 0 for never. */
  rubbishIn = 0;
  /** How far each clock is ahead of the world's time. The first clock is also the system clock. */
  readonly skews = [0, 0, 0];
  /** Errors thrown by timers. */
  readonly uncaught: unknown[] = [];
  readings = 0;
  /** The latest reading of any clock, and the first and last readings of the current call. */
  latest = Number.NEGATIVE_INFINITY;
  first = Number.NaN;
  last = Number.NaN;
  timers: Timer[] = [];
  readonly #random: Random;
  #elapsed = 0;

  time: number;

  constructor({ start, seed, subject: { reference } }: Told) {
    const { lastTick } = reference;
    const tick = start === 0 ? 3n : start < 100 ? (lastTick * BigInt(start)) / 100n : lastTick - 40n;
    this.time = reference.timestamp(tick);
    this.#random = new Random(seed);
  }

  /** A function that reads one of the clocks. */
  clock = (dial: number) => (): number => {
    if (++this.readings > MOST_READINGS) throw new Error("a call has hung");
    if (this.rubbishIn > 0 && --this.rubbishIn === 0) {
      const rubbish = this.#random.pick(RUBBISH);
      if (rubbish instanceof Own) throw rubbish;
      return rubbish as number;
    }
    this.time += this.pace;
    const reading = this.time + (this.skews[dial] as number);
    this.latest = Math.max(this.latest, reading);
    if (Number.isNaN(this.first)) this.first = reading;
    this.last = reading;
    return reading;
  };

  /** Replaces the platform's functions until the returned function is called. */
  enter(): () => void {
    const restore = replace(
      [performance, "now", () => (this.#elapsed += 5)],
      [Date, "now", this.clock(0)],
      [
        Atomics,
        "wait",
        (_array: unknown, _index: number, _value: number, ms: number) => {
          this.#elapsed += ms;
          this.time += this.pace > 0 ? ms : 0;
          return "timed-out";
        },
      ],
      [
        globalThis,
        "setTimeout",
        (run: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
          const timer = { due: this.#elapsed + ms, run: () => run(...given) };
          this.timers.push(timer);
          return timer;
        },
      ],
      [
        globalThis,
        "clearTimeout",
        (timer: unknown) => {
          this.timers = this.timers.filter((set) => set !== timer);
        },
      ],
      [crypto, "getRandomValues", (bytes: Uint8Array) => this.#fill(bytes)],
    );
    this.#align();
    return restore;
  }

  #fill(bytes: Uint8Array): Uint8Array {
    for (let i = 0; i < bytes.length; i++) bytes[i] = this.#random.u32() >>> 24;
    return bytes;
  }

  /**
   * The package reads randomness ahead in a block that outlives a story. Uses up that block, so
   * that the story is repeatable.
   */
  #align(): void {
    let isNew = false;
    const refill = (bytes: Uint8Array) => {
      isNew = true;
      return this.#fill(bytes);
    };
    const restore = replace([crypto, "getRandomValues", refill]);
    let now = ulidFlake.epoch;
    const spare = ulidFlake.generator({ clock: () => now++, isolated: true });
    while (!isNew) spare.next();
    restore();
  }

  /** Fires the current timers in order. Timers that they set fire the next time. */
  fire(): void {
    this.readings = 0;
    for (const timer of [...this.timers].sort((a, b) => a.due - b.due)) {
      // An earlier timer may have cleared this one.
      if (!this.timers.includes(timer)) continue;
      this.timers = this.timers.filter((set) => set !== timer);
      this.#elapsed = Math.max(this.#elapsed, timer.due);
      try {
        timer.run();
      } catch (error) {
        this.uncaught.push(error);
      }
    }
  }
}
