/**
 * The world of a story: scripted clocks, the monotonic clock that bounds waits, timers that fire when the story says so, sleep that
 * takes no time, and the platform's randomness. Everything follows from the plan, so that a story can be repeated.
 */
import { ulidFlake } from "graupel/ulid-flake";
import { Random } from "../../support/random.ts";
import { replace } from "../../support/replace.ts";
import { Finding, Own } from "./finding.ts";
import type { Dial, Pace, Plan, Span } from "./plan.ts";

interface Timer {
  readonly due: number;
  readonly order: number;
  readonly run: () => void;
}

/** A clock that has been set: milliseconds ahead of the world's time, or the time at which it stands. */
interface SetDial {
  readonly skew: number;
  readonly standing: number | undefined;
}

/** What the clocks have said. */
export class Readings {
  count = 0;
  first = Number.NaN;
  last = Number.NaN;
  min = Number.POSITIVE_INFINITY;
  max = Number.NEGATIVE_INFINITY;
  /** Whether a reading was the same as one before, of the first hundred: a longer call repeats some sooner or later. */
  same = false;
  /** Whether a reading was not a time. */
  invalid = false;
  readonly #some = new Set<number>();

  enter(reading: number): void {
    if (this.count++ === 0) {
      this.first = reading;
    }
    this.same ||= reading === this.last || this.#some.has(reading);
    if (this.#some.size < 100) {
      this.#some.add(reading);
    }
    this.last = reading;
    this.min = Math.min(this.min, reading);
    this.max = Math.max(this.max, reading);
  }
}

/** Readings of a broken clock, and what it throws. */
const RUBBISH: readonly unknown[] = [Number.NaN, Infinity, "1", undefined, 1n, 9e15, new Own("of a clock")];

/** Readings after which a call counts as hung: far more than `maxWaitMs` allows. */
const MOST_READINGS = 3_000_000;

export const STEADY: Pace = { step: 0.25, every: 1, jitter: 0, other: 1 };

export class World {
  readonly start: number;
  time: number;
  pace: Pace;
  /** Readings until an invalid one; 0 for never. */
  rubbishIn = 0;
  /** The readings since `listen`, and all of the story. */
  heard = new Readings();
  readonly ever = new Readings();
  /** Errors thrown by timers, which nobody else would see. */
  readonly uncaught: unknown[] = [];
  readonly #dials: SetDial[] = [];
  readonly #noise: Random;
  #bytes: Random;
  #other = 0;
  #timers: Timer[] = [];
  #order = 0;

  constructor(readonly plan: Plan) {
    const { epoch } = plan.subject.spec;
    const { endOfLife } = plan.subject.format;
    const [from, n] = plan.start;
    const places = {
      life: epoch + Math.floor(((endOfLife - epoch) * n) / 100),
      epoch: epoch + this.ms([n - 8, "ticks"]),
      end: endOfLife - this.ms([(n - 5) * 4, "ticks"]),
    };
    this.start = places[from];
    this.time = this.start;
    this.pace = plan.pace;
    this.#noise = new Random(plan.noise);
    this.#bytes = new Random(plan.noise);
    [{ skew: [0, "ms"], stands: false } as Dial, ...plan.dials].forEach((dial, i) => {
      this.set(i, dial);
    });
  }

  /** A time in milliseconds. */
  ms([amount, unit]: Span): number {
    return unit === "ms" ? amount : amount * this.plan.subject.spec.tickMs;
  }

  /** Replaces the platform until the returned function is called. */
  enter(): () => void {
    const now = () => {
      this.#other += this.pace.other;
      return this.#other;
    };
    const sleep = (_: Int32Array, __: number, ___: number, ms: number) => {
      this.#other += ms;
      // A running clock also runs during a sleep.
      this.time += this.pace.step > 0 ? ms : 0;
      return "timed-out";
    };
    const setTimeout = (run: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
      const timer = { due: this.#other + ms, order: this.#order++, run: () => run(...given) };
      this.#timers.push(timer);
      return timer;
    };
    const clearTimeout = (timer: unknown) => {
      this.#timers = this.#timers.filter((set) => set !== timer);
    };
    const restore = replace(
      [performance, "now", now],
      [Date, "now", this.clock(0)],
      [Atomics, "wait", sleep],
      [globalThis, "setTimeout", setTimeout],
      [globalThis, "clearTimeout", clearTimeout],
      [crypto, "getRandomValues", (bytes: Uint8Array) => this.fill(bytes)],
    );
    if (this.plan.subject.kind === "random") {
      this.#align();
    }
    return restore;
  }

  /** Fills random bytes of the story's kind. */
  fill(bytes: Uint8Array): Uint8Array {
    const { randomness } = this.plan;
    for (let i = 0; i < bytes.length; i++) {
      const odd = randomness !== "fair" && this.#bytes.chance(0.6);
      bytes[i] = odd ? (randomness === "high" ? 255 : 0) : this.#bytes.u32() >>> 24;
    }
    return bytes;
  }

  /**
   * The package reads the platform's randomness ahead, in a block that outlives a story. Uses that block up, so that the contents of
   * the next one follow from the plan; and its position, as each ID draws the same number of bytes.
   */
  #align(): void {
    let isNew = false;
    const refill = (bytes: Uint8Array) => {
      isNew = true;
      this.#bytes = new Random(this.plan.noise);
      return this.fill(bytes);
    };
    const restore = replace([crypto, "getRandomValues", refill]);
    let now = ulidFlake.epoch;
    const spare = ulidFlake.generator({ clock: () => now++, isolated: true });
    while (!isNew) {
      spare.next();
    }
    restore();
  }

  /** Sets one of the clocks. */
  set(dial: number, { skew, stands }: Dial): void {
    const ahead = this.ms(skew);
    this.#dials[dial] = { skew: ahead, standing: stands ? this.time + ahead : undefined };
  }

  get clocks(): number {
    return this.#dials.length;
  }

  /** A function that reads one of the clocks. */
  clock(dial: number): () => number {
    return () => {
      const { heard, ever, pace } = this;
      if (heard.count > MOST_READINGS) {
        throw new Finding("hung", `a call has read the clock ${heard.count} times`);
      }
      if (this.rubbishIn > 0 && --this.rubbishIn === 0) {
        heard.invalid = true;
        ever.invalid = true;
        const rubbish = this.#noise.pick(RUBBISH);
        if (rubbish instanceof Own) {
          throw rubbish;
        }
        return rubbish as number;
      }
      const { skew, standing } = this.#dials[dial] as SetDial;
      let reading = standing ?? this.time + skew;
      if (pace.jitter > 0 && this.#noise.chance(0.3)) {
        reading += (this.#noise.unit() * 2 - 1) * this.ms([pace.jitter, "ticks"]);
      }
      heard.enter(reading);
      ever.enter(reading);
      if (heard.count % pace.every === 0) {
        this.time += this.ms([pace.step, "ticks"]);
      }
      return reading;
    };
  }

  /** Starts `heard` again. */
  listen(): void {
    this.heard = new Readings();
  }

  /** Fires the present timers, in order. Timers that they set fire the next time. */
  fire(): void {
    const ready = [...this.#timers].sort((a, b) => a.due - b.due || a.order - b.order);
    for (const timer of ready) {
      // A timer that fired before may have cleared it.
      if (this.#timers.includes(timer)) {
        this.#timers = this.#timers.filter((set) => set !== timer);
        this.#other = Math.max(this.#other, timer.due);
        try {
          timer.run();
        } catch (error) {
          this.uncaught.push(error);
        }
      }
    }
  }

  get timers(): number {
    return this.#timers.length;
  }
}
