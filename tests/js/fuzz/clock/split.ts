/** Unpacks IDs by this test's own arithmetic, which is fast enough for many millions of IDs. */

/** The variable parts of an ID, and two words that distinguish the IDs of one identity. */
export interface Parts {
  tick: number;
  value: number;
  tickTock: number;
  metabyte: number;
  high: number;
  low: number;
}

/** New parts, to be filled repeatedly. */
export const parts = (): Parts => ({ tick: 0, value: 0, tickTock: 0, metabyte: 0, high: 0, low: 0 });

/** Unpacks an ID. Returns false if a fixed bit is wrong. */
export type Split = (id: unknown, into: Parts) => boolean;

export interface Field {
  readonly name: string;
  readonly bits: number;
}

const WORD = 2 ** 32;

/** Both words of an integer below 2^64. */
function words(integer: bigint): { high: number; low: number } {
  return { high: Number(integer >> 32n), low: Number(integer & 0xffff_ffffn) };
}

/** Unpacks the two words of an ID of at most 64 bits. `counts` is the field that varies within a tick. */
function splitWords(
  fields: readonly Field[],
  counts: string,
  fixed: Readonly<Record<string, number>>,
): (high: number, low: number, into: Parts) => boolean {
  let shift = 0;
  let fixedBits = 0n;
  let valueMask = 0n;
  let valueShift = 0;
  let timeShift = 0;
  for (const { name, bits } of [...fields].reverse()) {
    if (name === "time") {
      timeShift = shift;
    } else if (name === counts) {
      valueShift = shift;
      valueMask = ((1n << BigInt(bits)) - 1n) << BigInt(shift);
    } else {
      fixedBits |= BigInt(fixed[name] ?? 0) << BigInt(shift);
    }
    shift += bits;
  }
  // Below the time, all bits except the counting field are fixed; above it, there are none.
  const fixedMask = words(((1n << BigInt(timeShift)) - 1n) & ~valueMask);
  const above = words(((1n << 64n) - 1n) & ~((1n << BigInt(shift)) - 1n));
  const wanted = words(fixedBits);
  const value = words(valueMask);
  const timeUnit = 2 ** timeShift;
  const valueUnit = 2 ** valueShift;
  return (high, low, into) => {
    into.high = high;
    into.low = low;
    into.tick =
      timeShift >= 32
        ? Math.floor((high * WORD) / timeUnit)
        : high * (WORD / timeUnit) + Math.floor(low / timeUnit);
    into.value = (((high & value.high) >>> 0) * WORD + ((low & value.low) >>> 0)) / valueUnit;
    return (
      (high & above.high) >>> 0 === 0 &&
      (low & above.low) >>> 0 === 0 &&
      (high & fixedMask.high) >>> 0 === wanted.high &&
      (low & fixedMask.low) >>> 0 === wanted.low
    );
  };
}

/** For IDs that are bigints. */
export function splitBigints(...layout: Parameters<typeof splitWords>): Split {
  const split = splitWords(...layout);
  const whole = new BigInt64Array(1);
  const halves = new Uint32Array(whole.buffer);
  return (id, into) => {
    if (typeof id !== "bigint") {
      return false;
    }
    whole[0] = id;
    return split(halves[1] as number, halves[0] as number, into) && id >= 0n;
  };
}

/** For IDs that are numbers. */
export function splitNumbers(...layout: Parameters<typeof splitWords>): Split {
  const split = splitWords(...layout);
  return (id, into) =>
    typeof id === "number" &&
    Number.isSafeInteger(id) &&
    id >= 0 &&
    split(Math.floor(id / WORD), id >>> 0, into);
}

/** The digits of an alphabet by character code; -1 elsewhere. */
function digits(alphabet: string): Int8Array {
  const table = new Int8Array(128).fill(-1);
  [...alphabet].forEach((character, digit) => {
    table[character.charCodeAt(0)] = digit;
  });
  return table;
}

const CROCKFORD = digits("0123456789ABCDEFGHJKMNPQRSTVWXYZ");
const SNO = digits("23456789abcdefghijklmnopqrstuvwx");

/** Characters of a text as an integer, five bits each; NaN if one of them is not a digit. */
function read(text: string, from: number, to: number, table: Int8Array): number {
  let bits = 0;
  for (let i = from; i < to; i++) {
    const digit = table[text.charCodeAt(i)] ?? -1;
    if (digit < 0) {
      return Number.NaN;
    }
    bits = bits * 32 + digit;
  }
  return bits;
}

/** For IDs of 13 characters. */
export function splitCrockford(...layout: Parameters<typeof splitWords>): Split {
  const split = splitWords(...layout);
  return (id, into) => {
    if (typeof id !== "string" || id.length !== 13) {
      return false;
    }
    const top = read(id, 0, 7, CROCKFORD);
    const bottom = read(id, 7, 13, CROCKFORD);
    return top < 2 ** 33 && bottom >= 0 && split(Math.floor(top / 4), (top % 4) * 2 ** 30 + bottom, into);
  };
}

/** For sno IDs. The metabyte is the user's: two IDs that differ only in it count as the same. */
export function splitSno(partition: number, first: number, last: number): Split {
  return (id, into) => {
    if (typeof id !== "string" || id.length !== 16) {
      return false;
    }
    const top = read(id, 0, 8, SNO);
    const middle = read(id, 8, 12, SNO);
    const bottom = read(id, 12, 16, SNO);
    into.tick = Math.floor(top / 2);
    into.tickTock = top % 2;
    into.metabyte = middle >>> 12;
    into.value = bottom % 65_536;
    into.high = Math.floor(top / 65_536);
    into.low = (top % 65_536) * 65_536 + into.value;
    return (
      top >= 0 &&
      (middle % 4096) * 16 + Math.floor(bottom / 65_536) === partition &&
      into.value >= first &&
      into.value <= last
    );
  };
}
