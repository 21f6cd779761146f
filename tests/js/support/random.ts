/** Seeded random numbers for tests: the same seed gives the same run on every machine. */

/** The environment variable that sets the seed. */
export const SEED_VARIABLE = "GRAUPEL_SEED";

/** The 32-bit seed from the environment, or a new one. The caller prints it when a run fails. */
export function seedOfRun(): number {
  const given = process.env[SEED_VARIABLE] || String(crypto.getRandomValues(new Uint32Array(1))[0]);
  const seed = Number(given);
  if (!Number.isInteger(seed) || seed < 0 || seed >= 2 ** 32) {
    throw new Error(`${SEED_VARIABLE}: expected an integer of 0 to 4294967295, got ${given}`);
  }
  return seed;
}

/**
 * A small, fast generator (chaotic, with a counter, 128 bits of state). Not cryptographically
 * secure.
 */
export class Random {
  #a: number;
  #b: number;
  #c = 0x6b79_1d3f;
  #count = 1;

  /** `seed` is a safe integer from 0. */
  constructor(seed: number) {
    this.#a = seed | 0;
    this.#b = Math.floor(seed / 2 ** 32) | 0;
    // Mixes the state, so that adjacent seeds do not start with similar numbers.
    for (let i = 0; i < 16; i++) {
      this.u32();
    }
  }

  /** An integer from 0 to 2^32 - 1. */
  u32(): number {
    const sum = (this.#a + this.#b + this.#count++) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** A multiple of 2^-32 from 0 up to, but not including, 1. */
  unit(): number {
    return this.u32() / 2 ** 32;
  }

  /** An integer from 0 to `n - 1`. */
  below(n: number): number {
    return Math.floor(this.unit() * n);
  }

  /** True with the given probability. */
  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  /** A random element of a list. */
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
}
