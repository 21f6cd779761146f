/**
 * The world of a story: scripted clocks, the monotonic clock that bounds waits, timers that fire when the story says so, sleep that
 * takes no time, and the platform's randomness. Everything follows from the seed, so that a story can be repeated.
 */
import { ulidFlake } from "graupel/ulid-flake";
import { OtherProcess } from "../../support/other-process.ts";
import { Random } from "../../support/random.ts";
import { replace } from "../../support/replace.ts";
import { Finding } from "./finding.ts";

/** How the clock behaves from reading to reading. */
export interface Pace {
  /** Milliseconds that a reading takes; 0 is a frozen clock. */
  readonly step: number;
  /** The clock moves only at every so many readings. */
  readonly every: number;
  /** How far a single reading may be off, to both sides. */
  readonly jitter: number;
  /** Milliseconds of the monotonic clock between two of its readings. */
  readonly other: number;
}

/** One of a story's clocks. */
export interface Dial {
  /** How far it is ahead of the world's time, in milliseconds. */
  readonly skew: number;
  /** Whether it stands still until it is set again. */
  readonly stands: boolean;
}

/** The kind of the platform's randomness. */
export type Randomness = "fair" | "high" | "low";

interface Timer {
  readonly due: number;
  readonly order: number;
  readonly run: () => void;
}

/** The readings since `listen`. */
export interface Heard {
  count: number;
  first: number;
  last: number;
  min: number;
  max: number;
  /** Whether a reading was the same as one before. */
  same: boolean;
  /** Some of the readings. */
  readonly some: Set<number>;
  /** Whether a reading was not a time. */
  invalid: boolean;
}

const silence = (): Heard => ({
  count: 0,
  first: Number.NaN,
  last: Number.NaN,
  min: Number.POSITIVE_INFINITY,
  max: Number.NEGATIVE_INFINITY,
  same: false,
  some: new Set(),
  invalid: false,
});

/** Readings of a broken clock. */
const RUBBISH: readonly unknown[] = [Number.NaN, Number.POSITIVE_INFINITY, "1", undefined, 1n, 9e15];

/** How many readings of a call are remembered; a longer call repeats some sooner or later. */
const MOST_REMEMBERED = 100;

/** Readings after which a call counts as hung: far more than `maxWaitMs` allows. */
const MOST_READINGS = 20_000_000;

export const STEADY: Pace = { step: 1, every: 1, jitter: 0, other: 1 };

export class World {
  time = 0;
  pace = STEADY;
  #dials: { skew: number; standing: number | undefined }[] = [];
  /** Readings until an invalid one; 0 for never. */
  rubbishIn = 0;
  heard: Heard = silence();
  /** The extremes of all earlier readings of the story. */
  #before: Heard = silence();
  /** Errors thrown by timers, which nobody else would see. */
  readonly uncaught: unknown[] = [];
  #dice = new Random(0);
  #bytes = new Random(0);
  #randomness: Randomness = "fair";
  #other = 0;
  #timers: Timer[] = [];
  #order = 0;
  /** Restores the platform; undefined outside of a story. */
  #restore: (() => void) | undefined;

  /** Replaces the platform, from a seed, at the time `start`. */
  enter(seed: number, start: number, dials: readonly Dial[], randomness: Randomness, draws: boolean): void {
    this.time = start;
    this.#dials = [];
    dials.forEach((dial, i) => {
      this.set(i, dial);
    });
    this.#dice = new Random(seed);
    this.#randomness = "fair";
    this.#other = 0;
    this.#timers = [];
    this.uncaught.length = 0;
    this.heard = silence();
    this.#before = silence();
    this.pace = STEADY;
    this.rubbishIn = 0;
    this.#restore = replace(
      [
        performance,
        "now",
        () => {
          this.#other += this.pace.other;
          return this.#other;
        },
      ],
      [Date, "now", this.clock(0)],
      [
        Atomics,
        "wait",
        (_: Int32Array, __: number, ___: number, ms: number) => {
          this.#other += ms;
          // A running clock also runs during a sleep.
          this.time += this.pace.step > 0 ? ms : 0;
          return "timed-out";
        },
      ],
      [
        globalThis,
        "setTimeout",
        (run: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
          const timer = { due: this.#other + ms, order: this.#order++, run: () => run(...given) };
          this.#timers.push(timer);
          return timer;
        },
      ],
      [
        globalThis,
        "clearTimeout",
        (timer: unknown) => {
          this.#timers = this.#timers.filter((set) => set !== timer);
        },
      ],
      [crypto, "getRandomValues", (bytes: Uint8Array) => this.fill(bytes)],
    );
    if (draws) {
      this.#align(seed);
    }
    this.#randomness = randomness;
  }

  /** Restores the platform. */
  leave(): void {
    this.#restore?.();
    this.#restore = undefined;
  }

  /** Fills random bytes of the story's kind. */
  fill(bytes: Uint8Array): Uint8Array {
    const dice = this.#bytes;
    for (let i = 0; i < bytes.length; i++) {
      const odd = this.#randomness !== "fair" && dice.chance(0.6);
      bytes[i] = odd ? (this.#randomness === "high" ? 255 : 0) : dice.u32() >>> 24;
    }
    return bytes;
  }

  /**
   * The package reads the platform's randomness ahead, in a block that outlives a story. Uses that block up until a new one begins,
   * whose contents and position then follow from the seed.
   */
  #align(seed: number): void {
    let refilled = false;
    const fair = this.fill.bind(this);
    const refilling = (bytes: Uint8Array) => {
      refilled = true;
      this.#bytes = new Random(seed);
      return fair(bytes);
    };
    const restore = replace([crypto, "getRandomValues", refilling]);
    let now = ulidFlake.epoch;
    const options = { clock: () => now, sequenceFull: "throw", isolated: true } as const;
    const spare = new OtherProcess().wrap(ulidFlake.generator(options));
    for (let before = -1; ; ) {
      refilled = false;
      try {
        const { ticks } = ulidFlake.inspect(spare.next());
        // A step within a tick draws one byte, so the new block has just begun.
        if (refilled && ticks === before) {
          break;
        }
        before = ticks;
      } catch {
        now++;
      }
    }
    restore();
  }

  /** Sets one of the clocks. */
  set(dial: number, { skew, stands }: Dial): void {
    this.#dials[dial] = { skew, standing: stands ? this.time + skew : undefined };
  }

  /** A function that reads one of the clocks. */
  clock(dial: number): () => number {
    return () => {
      const { skew = 0, standing } = this.#dials[dial] ?? {};
      return this.#read(skew, standing);
    };
  }

  #read(skew: number, standing: number | undefined): number {
    const { heard, pace } = this;
    if (heard.count > MOST_READINGS) {
      throw new Finding("hung", `a call has read the clock ${heard.count} times`);
    }
    if (this.rubbishIn > 0 && --this.rubbishIn === 0) {
      heard.invalid = true;
      return this.#dice.pick(RUBBISH) as number;
    }
    let reading = standing ?? this.time + skew;
    if (pace.jitter > 0 && this.#dice.chance(0.3)) {
      reading += (this.#dice.unit() * 2 - 1) * pace.jitter;
    }
    heard.count++;
    if (pace.every === 1 || heard.count % pace.every === 0) {
      this.time += pace.step;
    }
    if (heard.count === 1) {
      heard.first = reading;
    } else if (reading === heard.last || heard.some.has(reading)) {
      heard.same = true;
    }
    if (heard.some.size < MOST_REMEMBERED) {
      heard.some.add(reading);
    }
    heard.last = reading;
    heard.min = Math.min(heard.min, reading);
    heard.max = Math.max(heard.max, reading);
    return reading;
  }

  /** Starts `heard` again. */
  listen(): void {
    this.#before = this.ever;
    this.heard = silence();
  }

  /** All readings of the story so far, without their order. */
  get ever(): Heard {
    const [a, b] = [this.#before, this.heard];
    return {
      ...b,
      count: a.count + b.count,
      min: Math.min(a.min, b.min),
      max: Math.max(a.max, b.max),
      invalid: a.invalid || b.invalid,
    };
  }

  /** Fires the present timers, in order. Timers that they set fire the next time. */
  fire(): void {
    const ready = [...this.#timers].sort((a, b) => a.due - b.due || a.order - b.order);
    for (const timer of ready) {
      // A timer that fired before may have cleared it.
      const at = this.#timers.indexOf(timer);
      if (at < 0) {
        continue;
      }
      this.#timers.splice(at, 1);
      this.#other = Math.max(this.#other, timer.due);
      try {
        timer.run();
      } catch (error) {
        this.uncaught.push(error);
      }
    }
  }

  get timers(): number {
    return this.#timers.length;
  }
}

/** Lets callbacks of settled promises run. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
