/**
 * A second implementation of every format, which the tests compare with the package. It is written
 * from the formats' specifications, in BigInt only, slow but obvious, and shares no code or tables
 * with the package.
 */

/** A text form: a radix with the digits 0-9a-z, or one of the two alphabets of fixed length. */
export type Form = number | "sno" | "crockford";

/** A format, as defined by its specification. */
export interface Spec {
  readonly name: string;
  /** Names and widths, from high to low. The first field is the time. */
  readonly fields: readonly (readonly [name: string, bits: number])[];
  readonly epoch: number;
  readonly tickMs: number;
  readonly idType: "string" | "bigint" | "number";
  readonly form: Form;
  /** The length of the big-endian form. */
  readonly bytes: number;
  /** Whether a 64-bit ID may use the top bit. */
  readonly unsigned?: boolean;
  /** Whether a time is rounded to the millisecond, halves to even. */
  readonly rounds?: boolean;
}

/** A custom layout. */
export const customSpec = (
  epoch: number,
  tickMs: number,
  fields: Readonly<Record<string, number>>,
  ids: "bigint" | "unsigned" | "number" = "bigint",
): Spec => ({
  name: "snowflake",
  fields: Object.entries(fields),
  epoch,
  tickMs,
  idType: ids === "number" ? ids : "bigint",
  form: 10,
  bytes: ids === "number" ? 7 : 8,
  unsigned: ids === "unsigned",
});

/** The specification: https://github.com/nanoflakes/spec. */
export const nanoflakeSpec = (epoch: number): Spec => ({
  ...customSpec(epoch, 1, { time: 41, generatorId: 10, sequence: 12 }),
  name: "nanoflake",
  form: 36,
});

/**
 * The layout of the published Java and Kotlin implementations: the time starts at bit 24, and two
 * bits are unused.
 */
export const nanoflake24Spec = (epoch: number): Spec => ({
  ...customSpec(epoch, 1, { time: 39, unused: 2, generatorId: 10, sequence: 12 }),
  name: "nanoflake-reference-24",
  form: 36,
});

/**
 * https://github.com/litert/uuid.js: 53 bits. If the machine has no bits, the layout has no machine
 * field.
 */
export const snowflakeSISpec = (epoch: number, clock: number, machine: number, sequence: number): Spec => ({
  name: "snowflake-si",
  fields: [
    ["time", clock],
    ...(machine > 0 ? [["machineId", machine] as const] : []),
    ["sequence", sequence],
  ],
  epoch,
  tickMs: 1,
  idType: "number",
  form: 10,
  bytes: 7,
});

const SNO_ALPHABET = "23456789abcdefghijklmnopqrstuvwx";
const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz";

/** The quotient, rounded down. `b` is positive. */
const floorDivide = (a: bigint, b: bigint): bigint => (a - (((a % b) + b) % b)) / b;
const ceilDivide = (a: bigint, b: bigint): bigint => -floorDivide(-a, b);

/** A finite double as an exact fraction. Doubling it until it is whole loses no precision. */
function exactly(x: number): { readonly top: bigint; readonly bottom: bigint } {
  let bottom = 1n;
  for (; x % 1 !== 0 && Number.isFinite(x); x *= 2) bottom *= 2n;
  return { top: BigInt(x), bottom };
}

/** The reason why a time cannot be encoded. */
type TimeFault = "BEFORE_EPOCH" | "END_OF_LIFE";

/** Packs, unpacks, formats and parses the IDs of one format. */
export class Reference {
  readonly epoch: bigint;
  readonly tickMs: bigint;
  /** The largest ID and the last tick. */
  readonly largest: bigint;
  readonly lastTick: bigint;
  /** The number of bits below the time. */
  readonly below: bigint;

  constructor(readonly spec: Spec) {
    this.epoch = BigInt(spec.epoch);
    this.tickMs = BigInt(spec.tickMs);
    const all = spec.fields.reduce((sum, [, bits]) => sum + bits, 0);
    // A signed 64-bit integer keeps its top bit clear.
    const used = all === 64 && spec.unsigned !== true ? 63 : all;
    this.largest = 2n ** BigInt(used) - 1n;
    this.below = BigInt(all - (spec.fields[0]?.[1] ?? 0));
    this.lastTick = this.largest >> this.below;
  }

  /** Packs field values, from high to low, into an ID. */
  pack(values: readonly bigint[]): bigint {
    return this.spec.fields.reduce((id, [, bits], i) => id * 2n ** BigInt(bits) + (values[i] ?? 0n), 0n);
  }

  /** Unpacks an ID into its field values, from high to low. */
  unpack(id: bigint): bigint[] {
    const values: bigint[] = [];
    for (const [, bits] of [...this.spec.fields].reverse()) {
      values.unshift(id % 2n ** BigInt(bits));
      id /= 2n ** BigInt(bits);
    }
    return values;
  }

  /** Formats an ID as text. */
  text(id: bigint, form: Form = this.spec.form): string {
    const [alphabet, length] =
      form === "sno"
        ? [SNO_ALPHABET, 16]
        : form === "crockford"
          ? [CROCKFORD, 13]
          : [DIGITS.slice(0, form), 1];
    const radix = BigInt(alphabet.length);
    let text = "";
    for (let rest = id; rest > 0n || text.length < length; rest /= radix) {
      text = alphabet.charAt(Number(rest % radix)) + text;
    }
    return text;
  }

  /** The value of a character, or -1. Only ASCII, in either case if the form allows it. */
  digit(character: string, form: Form = this.spec.form): number {
    if (form === "sno") {
      return SNO_ALPHABET.indexOf(character);
    }
    const letter = /^[A-Za-z]$/.test(character);
    return form === "crockford"
      ? CROCKFORD.indexOf(letter ? character.toUpperCase() : character)
      : DIGITS.slice(0, form).indexOf(letter ? character.toLowerCase() : character);
  }

  /** Parses a valid text. */
  read(text: string, form: Form = this.spec.form): bigint {
    const radix = BigInt(typeof form === "number" ? form : 32);
    return text.split("").reduce((sum, character) => sum * radix + BigInt(this.digit(character, form)), 0n);
  }

  /** The minimum and maximum length of a text. */
  lengths(form: Form = this.spec.form): { readonly min: number; readonly max: number } {
    const max = form === "sno" ? 16 : form === "crockford" ? 13 : this.text(this.largest, form).length;
    return { min: typeof form === "number" ? 1 : max, max };
  }

  /** The codes of a text's faults; empty if it is the text of an ID. */
  faults(text: string, form: Form = this.spec.form): Set<string> {
    const faults = new Set<string>();
    const { min, max } = this.lengths(form);
    if (text.length < min || text.length > max) {
      return faults.add("LENGTH");
    }
    if (text.split("").some((character) => this.digit(character, form) < 0)) {
      return faults.add("CHARACTER");
    }
    if (typeof form === "number" && text.length > 1 && text.startsWith("0")) {
      faults.add("NOT_CANONICAL");
    }
    if (this.read(text, form) > this.largest) {
      faults.add("OVERFLOW");
    }
    return faults;
  }

  /** An ID as a value of the format's ID type. */
  idOf(id: bigint): string | bigint | number {
    const { idType } = this.spec;
    return idType === "string" ? this.text(id) : idType === "number" ? Number(id) : id;
  }

  /** The faults of a bigint or number as an ID. */
  valueFaults(value: bigint | number): Set<string> {
    if (typeof value === "number" && (!Number.isSafeInteger(value) || value < 0 || Object.is(value, -0))) {
      return new Set(["RANGE"]);
    }
    return new Set(value < 0 ? ["RANGE"] : value > this.largest ? ["OVERFLOW"] : []);
  }

  /** An ID as big-endian bytes. */
  bytes(id: bigint): Uint8Array {
    const bytes = new Uint8Array(this.spec.bytes);
    for (let i = bytes.length - 1; i >= 0; i--) {
      bytes[i] = Number(id % 256n);
      id /= 256n;
    }
    return bytes;
  }

  /** Big-endian bytes as an integer. */
  fromBytes(bytes: Uint8Array): bigint {
    return bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  }

  /** The Unix milliseconds at which a tick starts. */
  timestamp(tick: bigint): number {
    return Number(this.epoch + tick * this.tickMs);
  }

  /** The tick of a measured time in Unix milliseconds. */
  tick(ms: number): bigint | TimeFault {
    const { top, bottom } = exactly(ms);
    const down = floorDivide(top, bottom);
    const twice = 2n * (top - down * bottom);
    const up = twice > bottom || (twice === bottom && down % 2n !== 0n);
    const whole = this.spec.rounds === true && up ? down + 1n : down;
    return this.#within(floorDivide(whole - this.epoch, this.tickMs));
  }

  /**
   * The smallest and the largest ID of all ticks that overlap [from, to), where `from` is before
   * `to`. If an end is left out, the limit of the format's life replaces it.
   */
  range(from?: number, to?: number): { readonly min: bigint; readonly max: bigint } | Set<string> {
    const start = exactly(from ?? this.timestamp(0n));
    const end = exactly(to ?? this.timestamp(this.lastTick + 1n));
    const first = floorDivide(start.top - this.epoch * start.bottom, start.bottom * this.tickMs);
    const last = ceilDivide(end.top - this.epoch * end.bottom, end.bottom * this.tickMs) - 1n;
    if (last < 0n || first > this.lastTick) {
      return new Set([last < 0n ? "BEFORE_EPOCH" : "END_OF_LIFE"]);
    }
    const room = 2n ** this.below;
    const [low, high] = [first < 0n ? 0n : first, last > this.lastTick ? this.lastTick : last];
    return { min: low * room, max: high * room + room - 1n };
  }

  #within(tick: bigint): bigint | TimeFault {
    return tick < 0n ? "BEFORE_EPOCH" : tick > this.lastTick ? "END_OF_LIFE" : tick;
  }
}

/** Converts the 16 characters of a sno ID to a UUID. */
export function snoUUID(text: string): string {
  const hex = text.split("").map((character) => character.charCodeAt(0).toString(16));
  return [hex.slice(0, 4), hex.slice(4, 6), hex.slice(6, 8), hex.slice(8, 10), hex.slice(10)]
    .map((bytes) => bytes.join(""))
    .join("-");
}
