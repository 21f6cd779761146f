/**
 * The world that a story runs in: a scripted clock, the other clock that waits are bounded by, timers that fire when
 * the story says so, and the platform's randomness. All of it follows from the seed, so that a story can be told again.
 */
import { ulidFlake } from "graupel/ulid-flake";
import { Dice } from "./dice.ts";
import { Finding } from "./finding.ts";

/** How the clock behaves from reading to reading. */
export interface Pace {
  /** Milliseconds that a reading takes; 0 is a frozen clock. */
  readonly step: number;
  /** The clock moves only at every so many readings. */
  readonly every: number;
  /** How far a single reading may be off, to both sides. */
  readonly jitter: number;
  /** Milliseconds of the other clock between two looks at it. */
  readonly other: number;
}

/** What the platform's randomness is like. */
export type Randomness = "fair" | "high" | "low";

interface Timer {
  readonly due: number;
  readonly order: number;
  readonly run: () => void;
}

/** Filled by the readings since `listen`. */
export interface Heard {
  count: number;
  first: number;
  last: number;
  min: number;
  max: number;
  /** Whether a reading was the same as the one before. */
  same: boolean;
  /** Whether something that is no time was read. */
  invalid: boolean;
}

const SILENCE: Heard = {
  count: 0,
  first: Number.NaN,
  last: Number.NaN,
  min: Number.POSITIVE_INFINITY,
  max: Number.NEGATIVE_INFINITY,
  same: false,
  invalid: false,
};

/** What a broken clock may say. */
const RUBBISH: readonly unknown[] = [Number.NaN, Number.POSITIVE_INFINITY, "1", undefined, 1n, 9e15];

/** Readings after which a call counts as never ending: far more than its bound of waiting allows. */
const MOST_READINGS = 20_000_000;

export const STEADY: Pace = { step: 1, every: 1, jitter: 0, other: 1 };

export class World {
  time = 0;
  pace = STEADY;
  /** Readings until one that is rubbish; 0 is never. */
  rubbishIn = 0;
  heard: Heard = { ...SILENCE };
  /** The extremes of all that was heard in the story before that. */
  #before: Heard = { ...SILENCE };
  /** Errors thrown by timers: nobody else would see them. */
  readonly uncaught: unknown[] = [];
  #dice = new Dice(0);
  #bytes = new Dice(0);
  #randomness: Randomness = "fair";
  #other = 0;
  #timers: Timer[] = [];
  #order = 0;
  #restore: (() => void)[] = [];

  /** Takes the place of the platform, from a seed. */
  enter(seed: number, randomness: Randomness, draws: boolean): void {
    this.#dice = new Dice(seed);
    this.#randomness = "fair";
    this.#other = 0;
    this.#timers = [];
    this.uncaught.length = 0;
    this.heard = { ...SILENCE };
    this.#before = { ...SILENCE };
    this.pace = STEADY;
    this.rubbishIn = 0;
    this.#replace(performance, "now", () => {
      this.#other += this.pace.other;
      return this.#other;
    });
    this.#replace(globalThis, "setTimeout", (run: () => void, ms = 0) => {
      const timer = { due: this.#other + ms, order: this.#order++, run };
      this.#timers.push(timer);
      return timer;
    });
    this.#replace(globalThis, "clearTimeout", (timer: unknown) => {
      this.#timers = this.#timers.filter((set) => set !== timer);
    });
    this.#replace(crypto, "getRandomValues", (bytes: Uint8Array) => this.fill(bytes));
    if (draws) {
      this.#align(seed);
    }
    this.#randomness = randomness;
  }

  /** Gives the platform back. */
  leave(): void {
    for (const restore of this.#restore.splice(0).reverse()) {
      restore();
    }
  }

  #replace<T extends object, K extends keyof T>(target: T, name: K, value: unknown): void {
    const before = Object.getOwnPropertyDescriptor(target, name);
    Object.defineProperty(target, name, { value, configurable: true, writable: true });
    this.#restore.push(() => {
      if (before === undefined) {
        delete target[name];
      } else {
        Object.defineProperty(target, name, before);
      }
    });
  }

  /** Random bytes, of the story's kind. */
  fill(bytes: Uint8Array): Uint8Array {
    const dice = this.#bytes;
    for (let i = 0; i < bytes.length; i++) {
      const odd = this.#randomness !== "fair" && dice.chance(0.6);
      bytes[i] = odd ? (this.#randomness === "high" ? 255 : 0) : dice.u32() >>> 24;
    }
    return bytes;
  }

  /**
   * The package reads the platform's randomness ahead, in a block that outlives a story. Uses that up until a block
   * begins whose contents, and how much of it has been used, follow from the seed.
   */
  #align(seed: number): void {
    let refilled = false;
    const fair = this.fill.bind(this);
    this.#replace(crypto, "getRandomValues", (bytes: Uint8Array) => {
      refilled = true;
      this.#bytes = new Dice(seed);
      return fair(bytes);
    });
    let now = ulidFlake.epoch;
    const spare = ulidFlake.generator({ clock: () => now, sequenceFull: "throw" });
    for (let before = -1; ; ) {
      refilled = false;
      try {
        const { ticks } = ulidFlake.inspect(spare.next());
        // A step within a tick draws single bytes, so that the new block has just been begun.
        if (refilled && ticks === before) {
          break;
        }
        before = ticks;
      } catch {
        now++;
      }
    }
    this.#restore.pop()?.();
  }

  /** A new clock function that reads this world's time: another function is another identity. */
  clock(): () => number {
    return () => this.read();
  }

  read(): number {
    const { heard, pace } = this;
    if (heard.count > MOST_READINGS) {
      throw new Finding("hung", `a call has read the clock ${heard.count} times`);
    }
    if (this.rubbishIn > 0 && --this.rubbishIn === 0) {
      heard.invalid = true;
      return this.#dice.pick(RUBBISH) as number;
    }
    let reading = this.time;
    if (pace.jitter > 0 && this.#dice.chance(0.3)) {
      reading += (this.#dice.unit() * 2 - 1) * pace.jitter;
    }
    heard.count++;
    if (pace.every === 1 || heard.count % pace.every === 0) {
      this.time += pace.step;
    }
    if (heard.count === 1) {
      heard.first = reading;
    } else if (reading === heard.last) {
      heard.same = true;
    }
    heard.last = reading;
    heard.min = Math.min(heard.min, reading);
    heard.max = Math.max(heard.max, reading);
    return reading;
  }

  /** From here on, `heard` is about the readings to come. */
  listen(): void {
    this.#before = this.ever;
    this.heard = { ...SILENCE };
  }

  /** What the story has heard from its beginning, as far as it does not depend on the order. */
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

  /** Lets the timers that are set now fire, in order; those that they set wait for the next time. */
  fire(): void {
    const ready = [...this.#timers].sort((a, b) => a.due - b.due || a.order - b.order);
    for (const timer of ready) {
      // One that fired before may have cleared it.
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

/** Lets everything that has been settled be seen. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
