/** IDs of services and packages that begin with their time, and some that are random. The rows are the facts of their specifications. */
import {
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
const BASE36 = "0123456789abcdefghijklmnopqrstuvwxyz";
const SORTABLE = "234567abcdefghijklmnopqrstuvwxyz";
const PUSH = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";
const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

interface Kind {
  readonly key: string;
  readonly title: string;
  /** The whole text. */
  readonly form: RegExp;
  readonly integer: (text: string) => bigint | undefined;
  /** The first one is the time, unless there is none. */
  readonly columns: readonly Column[];
  /** Unix milliseconds of a tick; absent where there is no time. */
  readonly timestamp?: (ticks: bigint) => number;
  readonly tickMs?: number;
  /** When the first of them were made. */
  readonly since?: number;
  /** How often it is met, in bits. */
  readonly prior: number;
  /** Texts that are read only where an address or a word speaks for the kind, or, if they may, alone. */
  readonly asked?: RegExp;
  readonly isAlone?: true;
}

const ms = (epoch: number) => (ticks: bigint) => Number(ticks) + epoch;
const seconds = (ticks: bigint): number => 1000 * Number(ticks);
const micro = (ticks: bigint): number => Math.floor(Number(ticks) / 1000);
const time = (bits: number, timestamp: (ticks: bigint) => number): Column => [
  "time",
  bits,
  asTime(timestamp),
];
const [TSID_EPOCH, MICRO] = [Date.UTC(2020, 0, 1), 1e-3];

/** The text of a number in an alphabet, after what is cut off in front. */
const digits =
  (alphabet: string, cut = 0) =>
  (text: string): bigint | undefined =>
    inAlphabet(text.slice(cut), alphabet);

/** c, 8 digits of milliseconds, and a counter, a fingerprint and random digits, of 4, 4 and 8 digits: 41, 21, 21 and 42 bits. */
function ofCUID(text: string): bigint {
  const parts: readonly (readonly [from: number, to: number, bits: bigint])[] = [
    [1, 9, 42n],
    [9, 13, 21n],
    [13, 17, 21n],
    [17, 25, 42n],
  ];
  return parts.reduce(
    (sum, [from, to, bits]) => (sum << bits) | (inAlphabet(text.slice(from, to), BASE36) ?? 0n),
    0n,
  );
}

/** A UUID v7 behind a prefix: the version and the variant stand where RFC 9562 has them. */
function ofTypeID(text: string): bigint | undefined {
  const uuid = inAlphabet(text.slice(text.lastIndexOf("_") + 1).toUpperCase(), CROCKFORD);
  return uuid !== undefined && ((uuid >> 76n) & 15n) === 7n && ((uuid >> 62n) & 3n) === 2n ? uuid : undefined;
}

const KINDS: readonly Kind[] = [
  {
    key: "tiktok",
    title: "TikTok",
    form: /^[67]\d{18}$/,
    integer: BigInt,
    columns: [time(32, seconds), random("rest", 32)],
    timestamp: seconds,
    tickMs: 1000,
    since: Date.UTC(2016, 8, 1),
    prior: -2,
  },
  {
    key: "linkedin",
    title: "LinkedIn",
    form: /^[67]\d{18}$/,
    integer: BigInt,
    columns: [time(42, ms(0)), random("rest", 22)],
    timestamp: ms(0),
    since: Date.UTC(2015, 0, 1),
    prior: -5,
  },
  {
    // atproto.com/specs/tid: a zero, 53 bits of microseconds, 10 bits of a clock's number.
    key: "bluesky",
    title: "Bluesky TID",
    form: /^[2-7a-j][2-7a-z]{12}$/,
    integer: digits(SORTABLE),
    columns: [time(54, micro), ["clock", 10, asNumber]],
    timestamp: micro,
    tickMs: MICRO,
    since: Date.UTC(2022, 10, 1),
    prior: -1,
  },
  {
    key: "slack",
    title: "Slack timestamp",
    form: /^1\d{9}\.?\d{6}$/,
    integer: (text) => (BigInt(text.slice(0, 10)) << 20n) | BigInt(text.slice(-6)),
    columns: [time(32, seconds), ["microseconds", 20, asNumber]],
    timestamp: seconds,
    tickMs: 1000,
    since: Date.UTC(2013, 7, 1),
    prior: -1,
    asked: /^\d+$/,
  },
  {
    key: "xray",
    title: "X-Ray trace ID",
    form: /^1-[0-9a-f]{8}-[0-9a-f]{24}$/,
    integer: (text) => BigInt(`0x${text.slice(2).replace("-", "")}`),
    columns: [time(32, seconds), random("random", 96)],
    timestamp: seconds,
    tickMs: 1000,
    since: Date.UTC(2016, 10, 1),
    prior: -1,
  },
  {
    key: "cuid",
    title: "CUID",
    form: /^c[0-9a-z]{24}$/,
    integer: ofCUID,
    columns: [
      time(42, ms(0)),
      ["counter", 21, asNumber],
      ["fingerprint", 21, (value) => value.toString(36)],
      random("random", 42),
    ],
    timestamp: ms(0),
    since: Date.UTC(2012, 0, 1),
    prior: 0,
  },
  {
    key: "typeid",
    title: "TypeID",
    form: /^[a-z](?:[a-z_]{0,61}[a-z])?_[0-7][0-9a-hjkmnp-tv-z]{25}$/,
    integer: ofTypeID,
    columns: [
      time(48, ms(0)),
      ["version", 4, asNumber],
      random("random high", 12),
      ["variant", 2, asNumber],
      random("random low", 62),
    ],
    timestamp: ms(0),
    since: Date.UTC(2022, 0, 1),
    prior: 0,
  },
  {
    key: "tsid",
    title: "TSID",
    form: /^[0-9A-F][0-9A-HJKMNP-TV-Z]{12}$/,
    integer: digits(CROCKFORD),
    columns: [time(42, ms(TSID_EPOCH)), random("random or node", 22)],
    timestamp: ms(TSID_EPOCH),
    since: Date.UTC(2020, 10, 1),
    prior: -3,
  },
  {
    key: "scru128",
    title: "SCRU128",
    form: /^(?:[0-9a-z]{25}|[0-9A-Z]{25})$/,
    integer: (text) => inAlphabet(text.toLowerCase(), BASE36),
    columns: [
      time(48, ms(0)),
      ["counter high", 24, asNumber],
      ["counter low", 24, asNumber],
      random("random", 32),
    ],
    timestamp: ms(0),
    since: Date.UTC(2021, 6, 1),
    prior: -1,
  },
  {
    key: "firebase",
    title: "Firebase push ID",
    form: /^-(?=.*[A-Za-z])[\w-]{19}$/,
    integer: digits(PUSH),
    columns: [time(48, ms(0)), random("random", 72)],
    timestamp: ms(0),
    since: Date.UTC(2012, 3, 1),
    prior: 0,
  },
  {
    key: "youtube",
    title: "YouTube video ID",
    form: /^[\w-]{10}[AEIMQUYcgkosw048]$/,
    integer: (text) => (inAlphabet(text, BASE64) ?? 0n) >> 2n,
    columns: [random("random bits", 64)],
    prior: -2,
    asked: /./,
  },
  {
    key: "nanoid",
    title: "nanoid",
    form: /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\w-]{21}$/,
    integer: digits(BASE64),
    columns: [random("random bits", 126)],
    prior: 1,
    asked: /./,
    isAlone: true,
  },
];

function idOf(kind: Kind, text: string, now: number): ForeignID | undefined {
  const { key, title, columns, timestamp: timeOf, tickMs = 1, since = 0, prior } = kind;
  const integer = kind.integer(text);
  if (integer === undefined) return undefined;
  const parts = takeApart(integer, columns);
  if (integer >> BigInt(parts.width) !== 0n) return undefined;
  const shared = { key, title, encoding: "text" as const, ...parts, integer, text };
  if (timeOf === undefined) return { ...shared, timestamp: undefined, score: prior - parts.width };
  const [, bits] = columns[0] as Column;
  const whole = timeOf(integer >> BigInt(parts.width - bits));
  // Slack's last digits are parts of a second.
  const timestamp = key === "slack" ? whole + Math.floor(Number(text.slice(-6)) / 1000) : whole;
  return {
    ...shared,
    timestamp,
    score: timeScore(whole, since, now, bits, tickMs) + prior - (parts.width - bits),
  };
}

/** Each kind that reads the text. `isAsked`: whether something around the text speaks for a kind; `isAlone`: whether nothing is around it. */
export const serviceIDs = (
  text: string,
  now: number,
  isAsked: (key: string) => boolean,
  isAlone: boolean,
): ForeignID[] =>
  KINDS.filter(({ form }) => form.test(text))
    .filter((kind) => !kind.asked?.test(text) || (kind.isAlone && isAlone) || isAsked(kind.key))
    .flatMap((kind) => idOf(kind, text, now) ?? []);

/** Digits of a Unix time of this century: its unit, and how many of it a millisecond has. */
const UNITS: Readonly<Record<number, readonly [unit: string, perMs: number, bits: number]>> = {
  10: ["seconds", 1e-3, 40],
  13: ["milliseconds", 1, 48],
  16: ["microseconds", 1e3, 56],
  19: ["nanoseconds", 1e6, 64],
};
/** Longer ago, or later, a number of so many digits is hardly a time. */
const [YEARS_BEFORE, YEARS_AFTER, YEAR] = [26, 5, 3.156e10];

/** A number as a Unix time, which is no ID but tells one. */
export const unixTime: Reader = (text, now) => {
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
};
