/** Random numbers that are the same in every run: the corpus is written once, and can be written again. */
export interface Random {
  /** A whole number from `low` to `high`. */
  whole(low: number, high: number): number;
  /** `bits` random bits. */
  bits(bits: number): bigint;
  /** One of several, each as often. */
  pick<T>(from: readonly T[]): T;
  /** A number that is mostly small: each step halves the chance to go on. */
  small(most: number): number;
  /** `length` characters of an alphabet. */
  text(alphabet: string, length: number): string;
}

/** Mulberry32. */
export function randomFrom(seed: number): Random {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  const pick = <T>(from: readonly T[]): T => from[whole(0, from.length - 1)] as T;
  const bits = (count: number): bigint => {
    let drawn = 0n;
    for (let bit = 0; bit < count; bit += 1) drawn = 2n * drawn + BigInt(next() < 0.5 ? 0 : 1);
    return drawn;
  };
  const small = (most: number): number => {
    let value = 0;
    while (value < most && next() < 0.5) value += 1;
    return value;
  };
  const text = (alphabet: string, length: number) =>
    Array.from({ length }, () => pick([...alphabet])).join("");
  return { whole, bits, pick, small, text };
}
