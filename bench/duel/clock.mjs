// A clock that follows a story. It replaces every clock that a package could read.
//
// Time passes only when it is read: each reading of any clock adds a short step from a seeded
// sequence, so a run is the same on a fast and on a slow machine. A sleep adds the time slept.

/** Every story starts here: later than each epoch in the duel. */
const START = Date.UTC(2026, 0, 1);

/**
 * After this many readings a call counts as hung: ten seconds, at 2,000 readings in a millisecond.
 */
const MOST_READINGS = 20_000_000;

export class StoryClock {
  #stretches;
  #hung;
  #seed;
  /** The average step of a reading. */
  #step;
  /** Milliseconds passed, for performance.now: never goes back. */
  #passed = 0;
  #total;
  #patience;
  /** When the current call began. */
  #begun = 0;
  #running = false;

  /**
   * A reading calls `hung` when a call of the package does not return. `hung` must not return
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

  /** Starts the clock. Loading a package and making a generator take no time in the story. */
  run() {
    this.#running = true;
  }

  stop() {
    this.#running = false;
  }

  get over() {
    return this.#passed >= this.#total;
  }

  /** Marks the beginning of a call, for `taken` and the check for hangs. */
  call() {
    this.#begun = this.#passed;
  }

  /** How long the current call has taken so far. */
  get taken() {
    return this.#passed - this.#begun;
  }

  sleep(ms) {
    if (!this.#running) return;
    this.#passed += ms;
    if (this.taken > this.#patience) this.#hung();
  }

  /** Milliseconds passed. Counts as a reading. */
  monotonic() {
    // A linear congruential generator is good enough to avoid equal steps.
    this.#seed = (Math.imul(this.#seed, 1_664_525) + 1_013_904_223) >>> 0;
    this.sleep((this.#seed / 2 ** 31) * this.#step);
    return this.#passed;
  }

  /**
   * Unix milliseconds with a fraction. Counts as a reading. The last stretch continues after the
   * story's end.
   */
  wall() {
    const passed = this.monotonic();
    while (this.#stretches.length > 1 && passed >= this.#stretches[1].begins) this.#stretches.shift();
    const [{ from, begins, frozen = false }] = this.#stretches;
    return START + from + (frozen ? 0 : passed - begins);
  }
}

/** Replaces the real clocks with a story's clock, for every module that is imported after this. */
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
  // Keep the same function object: `import { hrtime } from "process"` already refers to it. (No
  // package here uses the older form `process.hrtime()`, which stays real.)
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
