/** IDs of other families, which are named for what they are, with the time that some contain. */

export interface Foreign {
  readonly text: string;
  /** What it is, in words. */
  readonly name: string;
  /** Unix milliseconds, if it contains a time. */
  readonly timestamp?: number;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** 100 ns ticks since 1582-10-15, as versions 1 and 6 count them (RFC 9562, section 5.1). */
const gregorian = (hex: string): number => Number(BigInt(`0x${hex}`) / 10_000n - 12_219_292_800_000n);

/** The time in a UUID of a version that has one. */
function timeOf(version: string, digits: string): number | undefined {
  switch (version) {
    case "1":
      return gregorian(digits.slice(13, 16) + digits.slice(8, 12) + digits.slice(0, 8));
    case "6":
      return gregorian(digits.slice(0, 12) + digits.slice(13, 16));
    case "7":
      return Number.parseInt(digits.slice(0, 12), 16);
    default:
      return undefined;
  }
}

function uuid(text: string): Foreign | undefined {
  const version = UUID.exec(text)?.[1];
  if (version === undefined) return undefined;
  const timestamp = timeOf(version, text.replaceAll("-", ""));
  const name = `a UUID, version ${version}`;
  return { text, name, ...(timestamp !== undefined && { timestamp }) };
}

function ulid(text: string): Foreign | undefined {
  if (!/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i.test(text)) return undefined;
  const digits = [...text.slice(0, 10).toUpperCase()];
  return {
    text,
    name: "a ULID",
    timestamp: digits.reduce((time, digit) => 32 * time + CROCKFORD.indexOf(digit), 0),
  };
}

function objectId(text: string): Foreign | undefined {
  if (!/^[0-9a-f]{24}$/i.test(text)) return undefined;
  return { text, name: "a MongoDB ObjectId", timestamp: 1000 * Number.parseInt(text.slice(0, 8), 16) };
}

function xid(text: string): Foreign | undefined {
  if (!/^[0-9a-v]{19}[0g]$/.test(text) || /^\d+$/.test(text)) return undefined;
  const bits = [...text.slice(0, 7)].reduce(
    (sum, digit) => 32n * sum + BigInt(Number.parseInt(digit, 32)),
    0n,
  );
  return { text, name: "an xid", timestamp: 1000 * Number(bits >> 3n) };
}

function ksuid(text: string): Foreign | undefined {
  // Digits alone are a number; a KSUID of today begins with 2 or 3.
  return /^[0-3][0-9A-Za-z]{26}$/.test(text) && /[A-Za-z]/.test(text)
    ? { text, name: "probably a KSUID" }
    : undefined;
}

/** What a text is, if it is an ID of another family. */
export const foreign = (text: string): Foreign | undefined =>
  uuid(text) ?? ulid(text) ?? objectId(text) ?? xid(text) ?? ksuid(text);
