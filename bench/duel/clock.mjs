// A clock that follows a story. It replaces every clock that a package could read.
//
// Time passes only when a clock is read: each reading adds a short step from a seeded sequence, so
// a run gives the same result on a fast and on a slow machine. A sleep adds its own duration.

/** The start of every story, later than all epochs in the duel. */
const START = Date.UTC(2026, 0, 1);

/**
 * A call counts as hung after this many readings, which are ten seconds at 2,000 readings per
 * millisecond.
 */
const MOST_READINGS = 20_000_000;

export class StoryClock {
  #stretches;
  #hung;
  #seed;
  /** The average step of a reading. */
  #step;
  /** The milliseconds passed, for performance.now. This clock never goes back. */
  #passed = 0;
  #total;
  #patience;
  /** The start of the current call. */
  #begun = 0;
  #running = false;

  /**
   * `hung`: called by a reading if a call of the package does not return. It must not return,
   * either.
   */
  constructor({ stretches, readings }, seed, hung) {
    let begins = 0;
    this.#stretches = stretches.map((stretch) => {
      const placed = { ...stretch, begins };
      begins += stretch.ms;
      return placed;
    });
    this.#total = begins;
    this.#seed = seed;
    this.#step = this.#total / readings;
    this.#patience = MOST_READINGS * this.#step;
    this.#hung = hung;
  }

  /** Starts the clock. In the story, loading a package and creating a generator take no time. */
  run() {
    this.#running = true;
  }

  stop() {
    this.#running = false;
  }

  get over() {
    return this.#passed >= this.#total;
  }

  /** Marks the start of a call, for `taken` and for the check for hangs. */
  call() {
    this.#begun = this.#passed;
  }

  /** The duration of the current call so far. */
  get taken() {
    return this.#passed - this.#begun;
  }

  sleep(ms) {
    if (!this.#running) return;
    this.#passed += ms;
    if (this.taken > this.#patience) this.#hung();
  }

  /** The milliseconds passed. Counts as a reading. */
  monotonic() {
    // A linear congruential generator suffices to make the steps unequal.
    this.#seed = (Math.imul(this.#seed, 1_664_525) + 1_013_904_223) >>> 0;
    this.sleep((this.#seed / 2 ** 31) * this.#step);
    return this.#passed;
  }

  /**
   * Unix milliseconds with a fraction. Counts as a reading. After the story's end, its last stretch
   * continues.
   */
  wall() {
    const passed = this.monotonic();
    while (this.#stretches.length > 1 && passed >= this.#stretches[1].begins) this.#stretches.shift();
    const [{ from, begins, frozen = false }] = this.#stretches;
    return START + from + (frozen ? 0 : passed - begins);
  }
}

/**
 * Replaces the real clocks with a story's clock. Only modules that are imported afterwards see it.
 */
export function install(clock) {
  const RealDate = Date;
  const now = () => Math.floor(clock.wall());
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, self) => Reflect.construct(target, args.length === 0 ? [now()] : args, self),
    apply: () => new RealDate(now()).toString(),
  });
  RealDate.now = now;

  performance.now = () => clock.monotonic();
  const nanoseconds = () => BigInt(Math.floor(clock.monotonic() * 1e6));
  // Keep the function object, because `import { hrtime } from "process"` already refers to it.
  // `process.hrtime()` stays real, because no package here uses this older form.
  process.hrtime.bigint = nanoseconds;

  const realWait = Atomics.wait;
  Atomics.wait = (array, index, value, timeout = Number.POSITIVE_INFINITY) => {
    if (!Number.isFinite(timeout)) return realWait(array, index, value, timeout);
    if (Atomics.load(array, index) !== value) return "not-equal";
    clock.sleep(timeout);
    return "timed-out";
  };
  const soon = setImmediate;
  globalThis.setTimeout = (callback, ms = 1, ...args) => {
    clock.sleep(Math.max(1, ms));
    return soon(callback, ...args);
  };
}
