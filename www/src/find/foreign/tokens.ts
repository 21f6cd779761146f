/** IDs in texts of their own: ULID, MongoDB's ObjectId, KSUID and xid. Each begins with its time. */
import {
  asHex,
  asNumber,
  asTime,
  type Column,
  type ForeignID,
  inAlphabet,
  type Reader,
  random,
  takeApart,
  timeScore,
} from "./kind.ts";

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const BASE32HEX = "0123456789abcdefghijklmnopqrstuv";
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

interface Kind {
  readonly key: string;
  readonly title: string;
  readonly columns: readonly Column[];
  /** Unix milliseconds of the first field. */
  readonly timestamp: (ticks: bigint) => number;
  readonly tickMs: number;
  /** When the first of them were made. */
  readonly since: number;
}

function idOf(kind: Kind, text: string, integer: bigint, now: number): ForeignID {
  const { key, title, columns, since, tickMs } = kind;
  const parts = takeApart(integer, columns);
  const [, bits] = columns[0] as Column;
  const timestamp = kind.timestamp(integer >> BigInt(parts.width - bits));
  const score = timeScore(timestamp, since, now, bits, tickMs) - (parts.width - bits) - 1;
  return { key, title, encoding: "text", timestamp, ...parts, integer, text, score };
}

/** Of a time in seconds, from an epoch. */
const seconds =
  (epoch: number) =>
  (ticks: bigint): number =>
    1000 * (Number(ticks) + epoch);

/** ulid/spec: 48 bits of Unix milliseconds, 80 random ones. */
const ULID: Kind = {
  key: "ulid",
  title: "ULID",
  columns: [["time", 48, asTime(Number)], random("randomness", 80)],
  timestamp: Number,
  tickMs: 1,
  since: Date.UTC(2016, 0, 1),
};

export const ulid: Reader = (text, now) => {
  if (!/^[0-7](?:[0-9A-HJKMNP-TV-Z]{25}|[0-9a-hjkmnp-tv-z]{25})$/.test(text)) return undefined;
  const upper = text.toUpperCase();
  const integer = inAlphabet(upper, CROCKFORD);
  return integer === undefined ? undefined : idOf(ULID, upper, integer, now);
};

/** BSON: seconds, a random value of the process, a counter. */
const OBJECT_ID: Kind = {
  key: "objectid",
  title: "ObjectId",
  columns: [["time", 32, asTime(seconds(0))], random("random", 40), ["counter", 24, asNumber]],
  timestamp: seconds(0),
  tickMs: 1000,
  since: Date.UTC(2009, 0, 1),
};

export const objectId: Reader = (text, now) =>
  /^(?:[0-9a-f]{24}|[0-9A-F]{24})$/.test(text)
    ? idOf(OBJECT_ID, text.toLowerCase(), BigInt(`0x${text}`), now)
    : undefined;

/** Of a KSUID: 13 May 2014, in Unix seconds. */
const KSUID_EPOCH = 1_400_000_000;

/** segmentio/ksuid: seconds, 128 random bits. */
const KSUID: Kind = {
  key: "ksuid",
  title: "KSUID",
  columns: [["time", 32, asTime(seconds(KSUID_EPOCH))], random("payload", 128)],
  timestamp: seconds(KSUID_EPOCH),
  tickMs: 1000,
  since: Date.UTC(2017, 0, 1),
};

export const ksuid: Reader = (text, now) => {
  // Digits alone are a number.
  if (!/^[0-9A-Za-z]{27}$/.test(text) || /^\d+$/.test(text)) return undefined;
  const integer = inAlphabet(text, BASE62);
  return integer === undefined || integer >= 1n << 160n ? undefined : idOf(KSUID, text, integer, now);
};

/** rs/xid: seconds, a machine, a process, a counter; 96 bits, and four zeros behind them. */
const XID: Kind = {
  key: "xid",
  title: "xid",
  columns: [
    ["time", 32, asTime(seconds(0))],
    ["machine", 24, asHex(24)],
    ["process", 16, asNumber],
    ["counter", 24, asNumber],
  ],
  timestamp: seconds(0),
  tickMs: 1000,
  since: Date.UTC(2011, 0, 1),
};

export const xid: Reader = (text, now) => {
  if (!/^[0-9a-v]{19}[0g]$/.test(text) || /^\d+$/.test(text)) return undefined;
  const integer = inAlphabet(text, BASE32HEX);
  return integer === undefined ? undefined : idOf(XID, text, integer >> 4n, now);
};
