/**
 * IDs as services make them: the published layout, and fields as they are seen in public IDs. The arithmetic is written out here once
 * more, so that the corpus does not believe the package.
 */
import type { Random } from "./random.ts";

export interface Made {
  readonly id: string;
  readonly timestamp: number;
}

const put = (time: number, rest: readonly (readonly [value: number | bigint, bits: number])[]): bigint =>
  rest.reduce((integer, [value, bits]) => (integer << BigInt(bits)) | BigInt(value), BigInt(time));

const decimal = (integer: bigint, timestamp: number): Made => ({ id: String(integer), timestamp });

/** Datacenters 1 to 3 until 2013, 10 to 13 since; the sequence is mostly 0, since 2022 often some hundreds. */
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

/** The first workers and processes make most IDs; a process counts up to some hundreds. */
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

/** A few thousand shards; a counter modulo 1024. */
export const instagram = (random: Random, timestamp: number): Made =>
  decimal(
    put(timestamp - 1_314_220_021_721, [
      [random.whole(0, 8191), 13],
      [random.whole(0, 1023), 10],
    ]),
    timestamp,
  );

/** The machine is the end of a private address, such as 10.0.x.y; two IDs in 10 ms are rare. */
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

export const inBase32 = (integer: bigint, alphabet: string, length: number): string =>
  Array.from({ length }, (_, at) => alphabet[Number((integer >> BigInt(5 * (length - 1 - at))) & 31n)]).join(
    "",
  );

/** The partition is drawn; the metabyte is mostly 0; the sequence counts from 0. */
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

export const snoAsUUID = (id: string): string => {
  const hex = [...id].map((letter) => letter.charCodeAt(0).toString(16)).join("");
  return withHyphens(hex);
};

export const ulidFlake = (random: Random, timestamp: number): Made => ({
  id: inBase32(put(timestamp - 1_704_067_200_000, [[random.bits(20), 20]]), CROCKFORD, 13),
  timestamp,
});

export const withHyphens = (hex: string): string =>
  hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

const hexOf = (integer: bigint, digits: number): string => integer.toString(16).padStart(digits, "0");

/** RFC 9562. Versions 1 and 6 count 100 ns since 15 October 1582. */
export function uuid(random: Random, version: number, timestamp: number): Made {
  const ticks = BigInt(timestamp + 12_219_292_800_000) * 10_000n + BigInt(random.whole(0, 9999));
  const low = hexOf(0x8000_0000_0000_0000n | random.bits(62), 16);
  const high =
    {
      1: () =>
        hexOf(ticks & 0xffff_ffffn, 8) +
        hexOf((ticks >> 32n) & 0xffffn, 4) +
        hexOf(0x1000n | (ticks >> 48n), 4),
      6: () => hexOf(ticks >> 12n, 12) + hexOf(0x6000n | (ticks & 0xfffn), 4),
      7: () => hexOf(BigInt(timestamp), 12) + hexOf(0x7000n | random.bits(12), 4),
    }[version as 1 | 6 | 7] ??
    (() => hexOf(random.bits(48), 12) + hexOf((BigInt(version) << 12n) | random.bits(12), 4));
  return { id: withHyphens(high() + low), timestamp };
}

export const ulid = (random: Random, timestamp: number): Made => ({
  id: inBase32(put(timestamp, [[random.bits(80), 80]]), CROCKFORD, 26),
  timestamp,
});

const wholeSeconds = (timestamp: number): number => Math.floor(timestamp / 1000);

export const objectId = (random: Random, timestamp: number): Made => ({
  id: hexOf(
    put(wholeSeconds(timestamp), [
      [random.bits(40), 40],
      [random.bits(24), 24],
    ]),
    24,
  ),
  timestamp: 1000 * wholeSeconds(timestamp),
});

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

export function ksuid(random: Random, timestamp: number): Made {
  let integer = put(wholeSeconds(timestamp) - 1_400_000_000, [[random.bits(128), 128]]);
  let id = "";
  for (let at = 0; at < 27; at += 1) {
    id = BASE62[Number(integer % 62n)] + id;
    integer /= 62n;
  }
  return { id, timestamp: 1000 * wholeSeconds(timestamp) };
}

/** 96 bits in 20 characters of five bits: the last has one. */
export const xid = (random: Random, timestamp: number): Made => ({
  id: inBase32(
    put(wholeSeconds(timestamp), [[random.bits(64), 64]]) << 4n,
    "0123456789abcdefghijklmnopqrstuv",
    20,
  ),
  timestamp: 1000 * wholeSeconds(timestamp),
});
