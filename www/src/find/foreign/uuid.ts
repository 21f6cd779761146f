/** Reads UUIDs as defined by RFC 9562. */
import { asNumber, asTime, type Column, type Reader, random, takeApart, timeScore } from "./kind.ts";

const WITH_HYPHENS = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const WITHOUT = /^(?:[0-9a-f]{32}|[0-9A-F]{32})$/;
const WIDTH = 128;
const MAX = (1n << 128n) - 1n;

const low = (value: bigint, bits: number): bigint => value & ((1n << BigInt(bits)) - 1n);

/** The milliseconds from 15 October 1582 to 1970. */
const GREGORIAN = 12_219_292_800_000;
/** Converts 100 ns ticks since 1582 to Unix milliseconds. */
const gregorian = (ticks: bigint): number => Number(ticks / 10_000n) - GREGORIAN;

const node: Column = [
  "node",
  48,
  (value) =>
    value
      .toString(16)
      .padStart(12, "0")
      .replace(/..(?=.)/g, "$&:"),
];
const version: Column = ["version", 4, asNumber];
const variant: Column = ["variant", 2, asNumber];
const unixMs: Column = ["time", 48, asTime(Number)];
const clock: Column = ["clock sequence", 14, asNumber];

interface Version {
  readonly columns: readonly Column[];
  readonly timestamp?: (integer: bigint) => number;
  /** The time field: its width in bits, its unit, and the time from which IDs were made. */
  readonly time?: readonly [bits: number, tickMs: number, since: number];
  /** How common it is, in bits. */
  readonly prior: number;
}

/** A version with a single field. */
const opaque = (name: string, prior: number): Version => ({
  columns: [
    random(`${name} high`, 48),
    version,
    random(`${name} middle`, 12),
    variant,
    random(`${name} low`, 62),
  ],
  prior,
});

const VERSIONS: Readonly<Record<string, Version>> = {
  1: {
    columns: [
      random("time low", 32),
      random("time middle", 16),
      version,
      random("time high", 12),
      variant,
      clock,
      node,
    ],
    timestamp: (id) => gregorian((low(id >> 64n, 12) << 48n) | (low(id >> 80n, 16) << 32n) | (id >> 96n)),
    time: [60, 1e-4, Date.UTC(1998, 0, 1)],
    prior: -1,
  },
  2: opaque("custom", -16),
  3: opaque("hash", -10),
  4: opaque("random", 0),
  5: opaque("hash", -10),
  6: {
    columns: [
      random("time high", 32),
      random("time middle", 16),
      version,
      random("time low", 12),
      variant,
      clock,
      node,
    ],
    timestamp: (id) => gregorian(((id >> 80n) << 12n) | low(id >> 64n, 12)),
    time: [60, 1e-4, Date.UTC(2020, 0, 1)],
    prior: -3,
  },
  7: {
    columns: [unixMs, version, random("random high", 12), variant, random("random low", 62)],
    timestamp: (id) => Number(id >> 80n),
    time: [48, 1, Date.UTC(2020, 0, 1)],
    prior: -1,
  },
  8: opaque("custom", -12),
};

const named = { 0: "nil", [String(MAX)]: "max" } as Readonly<Record<string, string>>;

const withHyphens = (hex: string): string =>
  hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

export const uuid: Reader = (given, now) => {
  const hyphens = WITH_HYPHENS.test(given);
  if (!hyphens && !WITHOUT.test(given)) return undefined;
  const hex = given.replaceAll("-", "").toLowerCase();
  const integer = BigInt(`0x${hex}`);
  const shared = { encoding: hyphens ? "text" : "hex", integer, text: withHyphens(hex) } as const;
  const special = named[String(integer)];
  if (special !== undefined) {
    const parts = takeApart(integer, [random("all bits", WIDTH)]);
    return {
      ...shared,
      ...parts,
      key: `uuid-${special}`,
      title: `${special} UUID`.replace(/^./, (one) => one.toUpperCase()),
      timestamp: undefined,
      score: -32,
    };
  }
  const digit = hex[12] as string;
  const found = VERSIONS[digit];
  // The RFC's variant is binary 10.
  if (found === undefined || low(integer >> 62n, 2) !== 2n) {
    if (!hyphens) return undefined;
    const parts = takeApart(integer, [random("all bits", WIDTH)]);
    return {
      ...shared,
      ...parts,
      key: "uuid",
      title: "UUID of another variant",
      timestamp: undefined,
      score: -WIDTH - 20,
    };
  }
  const timestamp = found.timestamp?.(integer);
  const [bits, tickMs, since] = found.time ?? [0, 1, 0];
  const chance = timestamp === undefined ? 0 : timeScore(timestamp, since, now, bits, tickMs);
  return {
    ...shared,
    ...takeApart(integer, found.columns),
    key: `uuid-v${digit}`,
    title: `UUID v${digit}`,
    timestamp,
    score: found.prior + chance - (WIDTH - 6 - bits),
  };
};
