/** The IDs that packages generate, one row each. */
import { DIGITS_36, DIGITS_64, inAlphabet } from "../../lib/alphabets.ts";
import { asHex, asNumber, type ForeignKind, random, seconds, unixMs } from "./kind.ts";

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const BASE32HEX = "0123456789abcdefghijklmnopqrstuv";
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PUSH = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";

/** The epoch of KSUIDs: 13 May 2014, in Unix seconds. */
const KSUID_EPOCH = 1_400_000_000;
const TSID_EPOCH = Date.UTC(2020, 0, 1);

/**
 * Reads a CUID: "c", 8 digits of milliseconds, then a counter of 4 digits, a fingerprint of 4 and
 * random digits of 8. They take 42, 21, 21 and 42 bits.
 */
function ofCUID(text: string): bigint {
  const parts: readonly (readonly [from: number, to: number, bits: bigint])[] = [
    [1, 9, 42n],
    [9, 13, 21n],
    [13, 17, 21n],
    [17, 25, 42n],
  ];
  return parts.reduce(
    (sum, [from, to, bits]) => (sum << bits) | (inAlphabet(text.slice(from, to), DIGITS_36) ?? 0n),
    0n,
  );
}

/**
 * Reads a TypeID: a UUID v7 behind a prefix. The version and the variant are where RFC 9562 puts
 * them.
 */
function ofTypeID(text: string): bigint | undefined {
  const uuid = inAlphabet(text.slice(text.lastIndexOf("_") + 1).toUpperCase(), CROCKFORD);
  return uuid !== undefined && ((uuid >> 76n) & 15n) === 7n && ((uuid >> 62n) & 3n) === 2n ? uuid : undefined;
}

/** Digits alone count as a number, not as a KSUID or an xid. */
export const TOKENS: readonly ForeignKind[] = [
  {
    // ulid/spec.
    key: "ulid",
    title: "ULID",
    form: /^[0-7](?:[0-9A-HJKMNP-TV-Z]{25}|[0-9a-hjkmnp-tv-z]{25})$/,
    integer: (text) => inAlphabet(text.toUpperCase(), CROCKFORD),
    canonical: (text) => text.toUpperCase(),
    time: unixMs(48, Date.UTC(2016, 0, 1)),
    below: [random("randomness", 80)],
    prior: -1,
  },
  {
    // BSON: seconds, a random value of the process, a counter.
    key: "objectid",
    title: "ObjectId",
    form: /^(?:[0-9a-f]{24}|[0-9A-F]{24})$/,
    integer: (text) => BigInt(`0x${text}`),
    canonical: (text) => text.toLowerCase(),
    time: seconds(Date.UTC(2009, 0, 1)),
    below: [random("random", 40), ["counter", 24, asNumber]],
    prior: -1,
  },
  {
    // segmentio/ksuid.
    key: "ksuid",
    title: "KSUID",
    form: /^(?!\d+$)[0-9A-Za-z]{27}$/,
    integer: (text) => inAlphabet(text, BASE62),
    time: seconds(Date.UTC(2017, 0, 1), KSUID_EPOCH),
    below: [random("payload", 128)],
    prior: -1,
  },
  {
    // rs/xid: 96 bits, followed by four zero bits.
    key: "xid",
    title: "xid",
    form: /^(?!\d+$)[0-9a-v]{19}[0g]$/,
    integer: (text) => (inAlphabet(text, BASE32HEX) ?? 0n) >> 4n,
    time: seconds(Date.UTC(2011, 0, 1)),
    below: [
      ["machine", 24, asHex(24)],
      ["process", 16, asNumber],
      ["counter", 24, asNumber],
    ],
    prior: -1,
  },
  {
    key: "cuid",
    title: "CUID",
    form: /^c[0-9a-z]{24}$/,
    integer: ofCUID,
    time: unixMs(42, Date.UTC(2012, 0, 1)),
    below: [
      ["counter", 21, asNumber],
      ["fingerprint", 21, (value) => value.toString(36)],
      random("random", 42),
    ],
    prior: 0,
  },
  {
    key: "typeid",
    title: "TypeID",
    form: /^[a-z](?:[a-z_]{0,61}[a-z])?_[0-7][0-9a-hjkmnp-tv-z]{25}$/,
    integer: ofTypeID,
    time: unixMs(48, Date.UTC(2022, 0, 1)),
    below: [
      ["version", 4, asNumber],
      random("random high", 12),
      ["variant", 2, asNumber],
      random("random low", 62),
    ],
    prior: 0,
  },
  {
    key: "tsid",
    title: "TSID",
    form: /^[0-9A-F][0-9A-HJKMNP-TV-Z]{12}$/,
    integer: (text) => inAlphabet(text, CROCKFORD),
    time: { ...unixMs(42, Date.UTC(2020, 10, 1)), timestamp: (ticks) => Number(ticks) + TSID_EPOCH },
    below: [random("random or node", 22)],
    prior: -3,
  },
  {
    key: "scru128",
    title: "SCRU128",
    form: /^(?:[0-9a-z]{25}|[0-9A-Z]{25})$/,
    integer: (text) => inAlphabet(text.toLowerCase(), DIGITS_36),
    time: unixMs(48, Date.UTC(2021, 6, 1)),
    below: [["counter high", 24, asNumber], ["counter low", 24, asNumber], random("random", 32)],
    prior: -1,
  },
  {
    key: "firebase",
    title: "Firebase push ID",
    form: /^-(?=.*[A-Za-z])[\w-]{19}$/,
    integer: (text) => inAlphabet(text, PUSH),
    time: unixMs(48, Date.UTC(2012, 3, 1)),
    below: [random("random", 72)],
    prior: 0,
  },
  {
    key: "nanoid",
    title: "nanoid",
    // Words between underscores or hyphens are a name in code.
    form: /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])(?!.*[-_][a-z]{3,}[-_])[\w-]{21}$/,
    integer: (text) => inAlphabet(text, DIGITS_64),
    below: [random("random bits", 126)],
    prior: 1,
    asked: /./,
    isAlone: true,
  },
];
