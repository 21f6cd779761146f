/**
 * The IDs of services, one row each. Unix times are here, too: they are not IDs, but contain a
 * time.
 */
import { DIGITS_64, inAlphabet } from "../../lib/alphabets.ts";
import {
  asNumber,
  asTime,
  type Column,
  type ForeignID,
  type ForeignKind,
  random,
  seconds,
  takeApart,
  unixMs,
} from "./kind.ts";

const SORTABLE = "234567abcdefghijklmnopqrstuvwxyz";

/** The width of Slack's microseconds, which follow the seconds. */
const MICROSECONDS = 20;

export const SERVICES: readonly ForeignKind[] = [
  {
    key: "tiktok",
    title: "TikTok",
    form: /^[67]\d{18}$/,
    integer: BigInt,
    time: seconds(Date.UTC(2016, 8, 1)),
    below: [random("rest", 32)],
    prior: -2,
  },
  {
    key: "linkedin",
    title: "LinkedIn",
    form: /^[67]\d{18}$/,
    integer: BigInt,
    time: unixMs(42, Date.UTC(2015, 0, 1)),
    below: [random("rest", 22)],
    prior: -5,
  },
  {
    // atproto.com/specs/tid: a zero, 53 bits of microseconds, 10 bits of a clock ID.
    key: "bluesky",
    title: "Bluesky TID",
    form: /^[2-7a-j][2-7a-z]{12}$/,
    integer: (text) => inAlphabet(text, SORTABLE),
    time: {
      bits: 54,
      timestamp: (ticks) => Math.floor(Number(ticks) / 1000),
      tickMs: 1e-3,
      since: Date.UTC(2022, 10, 1),
    },
    below: [["clock", 10, asNumber]],
    prior: -1,
  },
  {
    key: "slack",
    title: "Slack timestamp",
    form: /^1\d{9}\.?\d{6}$/,
    integer: (text) => (BigInt(text.slice(0, 10)) << BigInt(MICROSECONDS)) | BigInt(text.slice(-6)),
    time: {
      ...seconds(Date.UTC(2013, 7, 1)),
      timestamp: (ticks, integer = 0n) =>
        1000 * Number(ticks) + Math.floor(Number(BigInt.asUintN(MICROSECONDS, integer)) / 1000),
    },
    below: [["microseconds", MICROSECONDS, asNumber]],
    prior: -1,
    asked: /^\d+$/,
  },
  {
    key: "xray",
    title: "X-Ray trace ID",
    form: /^1-[0-9a-f]{8}-[0-9a-f]{24}$/,
    integer: (text) => BigInt(`0x${text.slice(2).replace("-", "")}`),
    time: seconds(Date.UTC(2016, 10, 1)),
    below: [random("random", 96)],
    prior: -1,
  },
  {
    key: "youtube",
    title: "YouTube video ID",
    form: /^[\w-]{10}[AEIMQUYcgkosw048]$/,
    integer: (text) => (inAlphabet(text, DIGITS_64) ?? 0n) >> 2n,
    below: [random("random bits", 64)],
    prior: -2,
    asked: /./,
  },
];

/** The units of Unix times of this century, by the number of digits. */
const UNITS: Readonly<Record<number, readonly [unit: string, perMs: number, bits: number]>> = {
  10: ["seconds", 1e-3, 40],
  13: ["milliseconds", 1, 48],
  16: ["microseconds", 1e3, 56],
  19: ["nanoseconds", 1e6, 64],
};
/** A number with that many digits is unlikely to be a time outside these years. */
const [YEARS_BEFORE, YEARS_AFTER, YEAR] = [26, 5, 3.156e10];

/** Reads a number as a Unix time. */
export function unixTime(text: string, now: number): ForeignID | undefined {
  const found = /^[1-9]\d+$/.test(text) ? UNITS[text.length] : undefined;
  if (found === undefined) return undefined;
  const [unit, perMs, bits] = found;
  const timestamp = Math.floor(Number(text) / perMs);
  if (timestamp < now - YEARS_BEFORE * YEAR || timestamp > now + YEARS_AFTER * YEAR) return undefined;
  const integer = BigInt(text);
  const column: Column = ["time", bits, asTime(() => timestamp)];
  const title = `Unix time in ${unit}`;
  return {
    key: "unix",
    title,
    encoding: "text",
    timestamp,
    ...takeApart(integer, [column]),
    integer,
    text,
    score: -64,
  };
}
