// A clock that follows a story instead of the world, put in the place of every clock that a package could read.
//
// Time passes only by being looked at: each reading, of whichever clock, moves it on by a short step from a seeded
// sequence, so a run is the same on a fast machine and on a slow one. Sleeping moves it on by the time slept.

/** Where every story starts: later than each epoch in the duel. */
const START = Date.UTC(2026, 0, 1);

/** Readings that one call may take before it counts as hung; at 2,000 readings in a millisecond, ten seconds. */
const MOST_READINGS = 20_000_000;

export class StoryClock {
  #stretches;
  #hung;
  #seed;
  /** How far a reading moves the clock on, on average. */
  #step;
  /** Milliseconds that have passed, whatever the wall clock says: what performance.now tells. */
  #passed = 0;
  #total;
  #patience;
  /** When the present call began. */
  #begun = 0;
  #running = false;

  /** `hung` is called, from within a reading, when a call does not come back; it must not return. */
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

  /** Until this is called, time stands still: loading a package and making a generator take none of it. */
  run() {
    this.#running = true;
  }

  stop() {
    this.#running = false;
  }

  get over() {
    return this.#passed >= this.#total;
  }

  /** A call begins: from now on it has its patience. */
  call() {
    this.#begun = this.#passed;
  }

  /** How long the present call has taken so far. */
  get taken() {
    return this.#passed - this.#begun;
  }

  sleep(ms) {
    if (!this.#running) return;
    this.#passed += ms;
    if (this.taken > this.#patience) this.#hung();
  }

  /** Milliseconds passed; a reading. */
  monotonic() {
    // A linear congruential generator: good enough to keep the steps clear of round numbers.
    this.#seed = (Math.imul(this.#seed, 1_664_525) + 1_013_904_223) >>> 0;
    this.sleep((this.#seed / 2 ** 31) * this.#step);
    return this.#passed;
  }

  /** Unix milliseconds, with a fraction; a reading. The last stretch goes on after the story's end. */
  wall() {
    const passed = this.monotonic();
    while (this.#stretches.length > 1 && passed >= this.#stretches[1].begins) this.#stretches.shift();
    const [{ from, begins, frozen = false }] = this.#stretches;
    return START + from + (frozen ? 0 : passed - begins);
  }
}

/** Puts a story's clock in the place of the real ones, for everything that is imported from now on. */
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
  // The function stays the same object, as `import { hrtime } from "process"` has taken hold of it already. (That
  // its older form, `process.hrtime()`, stays real matters to no package here.)
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
