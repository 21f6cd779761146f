/**
 * IDs as services generate them: the published layout, with fields as in public IDs. The arithmetic
 * is repeated here, so that the tests do not depend on the package.
 */

/** Random numbers that are the same in every run. */
export interface Random {
  /** An integer from `low` to `high`. */
  whole(low: number, high: number): number;
  bits(bits: number): bigint;
  pick<T>(from: readonly T[]): T;
  /** A number that is mostly small: the chance of each further step is one half. */
  small(most: number): number;
  /** `length` characters from an alphabet. */
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

/** The day on which every text is pasted. */
export const NOW = Date.UTC(2026, 11, 1);

/** Ascending times, spread over the years from `from` to today. */
export function times(random: Random, count: number, from: number, to = NOW): number[] {
  const step = (to - from) / count;
  return Array.from({ length: count }, (_, index) =>
    Math.floor(from + index * step + random.whole(0, step - 1)),
  );
}

export interface Made {
  readonly id: string;
  readonly timestamp: number;
}

const put = (time: number, rest: readonly (readonly [value: number | bigint, bits: number])[]): bigint =>
  rest.reduce((integer, [value, bits]) => (integer << BigInt(bits)) | BigInt(value), BigInt(time));

const decimal = (integer: bigint, timestamp: number): Made => ({ id: String(integer), timestamp });

/**
 * Datacenters 1 to 3 until 2013, 10 to 13 since then. The sequence is mostly 0; since 2022, it is
 * often in the hundreds.
 */
export function tweet(random: Random, timestamp: number): Made {
  const late = timestamp > Date.UTC(2022, 9, 1);
  const datacenter =
    timestamp < Date.UTC(2013, 6, 1)
      ? random.pick([1, 1, 1, 2, 3])
      : random.pick([10, 10, 11, 11, 11, late ? 13 : 12]);
  const sequence = late && random.whole(0, 9) < 8 ? random.whole(0, 511) : random.small(8);
  const integer = put(timestamp - 1_288_834_974_657, [
    [datacenter, 5],
    [random.whole(0, 31), 5],
    [sequence, 12],
  ]);
  return decimal(integer, timestamp);
}

/** The first workers and processes generate most IDs. A process counts up to a few hundred. */
export function discord(random: Random, timestamp: number): Made {
  const worker = random.whole(0, 9) === 0 ? random.whole(3, 12) : random.pick([0, 0, 1, 2, 2]);
  const process = random.whole(0, 3) === 0 ? random.whole(1, 7) : 0;
  const increment = random.whole(0, 3) === 0 ? random.small(8) : random.whole(0, 170);
  return decimal(
    put(timestamp - 1_420_070_400_000, [
      [worker, 5],
      [process, 5],
      [increment, 12],
    ]),
    timestamp,
  );
}

/** The low 16 bits come from a hash. */
export const mastodon = (random: Random, timestamp: number): Made =>
  decimal(put(timestamp, [[random.bits(16), 16]]), timestamp);

/** A few thousand shards, and a counter modulo 1024. */
export const instagram = (random: Random, timestamp: number): Made =>
  decimal(
    put(timestamp - 1_314_220_021_721, [
      [random.whole(0, 8191), 13],
      [random.whole(0, 1023), 10],
    ]),
    timestamp,
  );

/** The machine is the end of a private address such as 10.0.x.y. Two IDs in 10 ms are rare. */
export function sonyflake(random: Random, timestamp: number): Made {
  const ticks = Math.floor((timestamp - 1_409_529_600_000) / 10);
  const machine = 256 * random.whole(0, 95) + random.whole(4, 250);
  return decimal(
    put(ticks, [
      [random.small(3), 8],
      [machine, 16],
    ]),
    1_409_529_600_000 + 10 * ticks,
  );
}

const SNO = "23456789abcdefghijklmnopqrstuvwx";
const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

const inBase32 = (integer: bigint, alphabet: string, length: number): string =>
  Array.from({ length }, (_, at) => alphabet[Number((integer >> BigInt(5 * (length - 1 - at))) & 31n)]).join(
    "",
  );

/** The partition is random, the metabyte is mostly 0, and the sequence counts from 0. */
export function sno(random: Random, timestamp: number): Made {
  const ticks = Math.floor((timestamp - 1_262_304_000_000) / 4);
  const metabyte = random.pick([0, 0, 1, 2, 3, 42, 255]);
  const sequence = random.pick([random.small(5), random.whole(0, 40), random.whole(0, 3000)]);
  const integer = put(ticks, [
    [0, 1],
    [metabyte, 8],
    [random.bits(16), 16],
    [sequence, 16],
  ]);
  return { id: inBase32(integer, SNO, 16), timestamp: 1_262_304_000_000 + 4 * ticks };
}

export const ulidFlake = (random: Random, timestamp: number): Made => ({
  id: inBase32(put(timestamp - 1_704_067_200_000, [[random.bits(20), 20]]), CROCKFORD, 13),
  timestamp,
});
