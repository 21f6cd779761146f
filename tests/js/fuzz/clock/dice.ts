/** Chance that can be repeated: all that a story does follows from its seed. */
export class Dice {
  #a: number;
  #b: number;
  #c: number;
  #count = 1;

  constructor(seed: number) {
    this.#a = seed >>> 0;
    this.#b = Math.floor(seed / 2 ** 32) >>> 0;
    this.#c = 0x6b79_1d3f;
    // Seeds that lie side by side must not begin alike.
    for (let i = 0; i < 16; i++) {
      this.u32();
    }
  }

  /** 32 bits; a small fast counting generator with three words of state. */
  u32(): number {
    const sum = (this.#a + this.#b + this.#count) >>> 0;
    this.#count = (this.#count + 1) >>> 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) >>> 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) >>> 0;
    return sum;
  }

  /** From 0 to 1, 1 excluded. */
  unit(): number {
    return this.u32() / 2 ** 32;
  }

  /** An integer from 0 to `n - 1`. */
  below(n: number): number {
    return Math.floor(this.unit() * n);
  }

  /** An integer from `low` to `high`. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** An integer from 1 to `most`, every order of magnitude as likely as another. */
  size(most: number): number {
    return Math.floor(Math.exp(this.unit() * Math.log(most + 1)));
  }

  /** One of the keys, as likely as its number says. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K {
    const keys = Object.keys(weights) as K[];
    let rest = this.unit() * keys.reduce((sum, key) => sum + weights[key], 0);
    for (const key of keys) {
      rest -= weights[key];
      if (rest < 0) {
        return key;
      }
    }
    return keys[0] as K;
  }
}
