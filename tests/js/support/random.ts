/** Seeded random numbers for tests: the same seed gives the same run, on every machine. */

export { SEED_VARIABLE, seedOfRun } from "./seed.ts";

/** A small fast generator (a chaotic one with a counter, 128 bits of state). Not for secrets. */
export class Random {
  #a: number;
  #b: number;
  #c = 0x6b79_1d3f;
  #count = 1;

  /** `seed`: any safe integer from 0. */
  constructor(readonly seed: number) {
    this.#a = seed | 0;
    this.#b = Math.floor(seed / 2 ** 32) | 0;
    // Adjacent seeds must not start with similar numbers.
    for (let i = 0; i < 16; i++) {
      this.u32();
    }
  }

  /** An integer of 0 to 2^32 - 1. */
  u32(): number {
    const sum = (this.#a + this.#b + this.#count++) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** A number of 0 up to, not including, 1: one of 2^32. */
  unit(): number {
    return this.u32() / 2 ** 32;
  }

  /** The same, with all 53 bits. */
  fraction(): number {
    return (this.u32() * 2 ** 21 + (this.u32() >>> 11)) / 2 ** 53;
  }

  /** An integer of 0 to `n - 1`. */
  below(n: number): number {
    return Math.floor(this.unit() * n);
  }

  /** An integer of `min` to `max`. */
  between(min: number, max: number): number {
    return min + this.below(max - min + 1);
  }

  /** True once in `n` times. */
  oneIn(n: number): boolean {
    return this.below(n) === 0;
  }

  /** True with a probability. */
  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  /** One of a list. */
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** The result of one of several functions. */
  make<T>(...recipes: readonly (() => T)[]): T {
    return this.pick(recipes)();
  }

  /** `bits` random bits. */
  bits(bits: number): bigint {
    let value = 0n;
    for (let have = 0; have < bits; have += 32) {
      value = (value << 32n) | BigInt(this.u32());
    }
    return BigInt.asUintN(bits, value);
  }

  /** An integer of 0 to 2^bits - 1: about half of them are 0, the largest, powers of two, or adjacent to one. */
  edgy(bits: number): bigint {
    const max = (1n << BigInt(bits)) - 1n;
    switch (this.below(8)) {
      case 0:
        return 0n;
      case 1:
        return max;
      case 2:
        return max - this.bits(Math.min(bits, 2));
      case 3:
        return BigInt.asUintN(bits, (1n << BigInt(this.below(bits))) - BigInt(this.below(2)));
      default:
        return this.bits(bits);
    }
  }

  /** A new seed. */
  fork(): Random {
    return new Random(this.u32());
  }
}
