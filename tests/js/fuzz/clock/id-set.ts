/** A set of pairs of 32-bit words. Clearing takes constant time, because each story needs an empty one. */
export class IdSet {
  #words: Uint32Array;
  #stamps: Uint32Array;
  #mask: number;
  #size = 0;
  #stamp = 1;

  constructor(bits = 16) {
    this.#words = new Uint32Array(2 << bits);
    this.#stamps = new Uint32Array(1 << bits);
    this.#mask = (1 << bits) - 1;
  }

  /** Clears the set. Up to `tags` separate sets then share the memory. */
  clear(): void {
    this.#size = 0;
    this.#stamp += IdSet.tags;
    if (this.#stamp > 0xffff_0000) {
      this.#stamps.fill(0);
      this.#stamp = 1;
    }
  }

  static readonly tags = 4;

  /** Adds a pair to the set `tag`. Returns false if it was there. */
  add(high: number, low: number, tag: number): boolean {
    const stamps = this.#stamps;
    const words = this.#words;
    const base = this.#stamp;
    const mask = this.#mask;
    const stamp = base + tag;
    let hash = Math.imul(high ^ (low >>> 15), 0x9e37_79b1) ^ Math.imul(low + tag, 0x85eb_ca77);
    hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2_ae3d);
    for (let i = (hash ^ (hash >>> 16)) & mask; ; i = (i + 1) & mask) {
      const here = stamps[i] as number;
      if (here < base) {
        stamps[i] = stamp;
        words[2 * i] = high;
        words[2 * i + 1] = low;
        break;
      }
      if (here === stamp && words[2 * i] === high && words[2 * i + 1] === low) {
        return false;
      }
    }
    this.#size++;
    if (this.#size * 2 > mask) {
      this.#grow();
    }
    return true;
  }

  #grow(): void {
    const [words, stamps, base] = [this.#words, this.#stamps, this.#stamp];
    this.#words = new Uint32Array(words.length * 2);
    this.#stamps = new Uint32Array(stamps.length * 2);
    this.#mask = this.#mask * 2 + 1;
    this.#size = 0;
    for (let i = 0; i < stamps.length; i++) {
      if ((stamps[i] as number) >= base) {
        this.add(words[2 * i] as number, words[2 * i + 1] as number, (stamps[i] as number) - base);
      }
    }
  }
}
