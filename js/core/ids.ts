/**
 * The types that IDs have in JavaScript: BigInts, numbers and texts. Each type knows how to write
 * an ID to the module's register, and how to read one from the register or a batch. Verbs and
 * generators do not depend on the type.
 */
import * as abi from "../generated/constants.js";
import type { Area, Core } from "./load.js";

/** An ID of any type. */
export type Id = bigint | number | string;

/** Reads the time of an ID, in Unix ms. Throws for any other value. */
type Timestamp = (id: unknown) => number;

/** Compares two IDs: -1, 0 or 1. Throws for any other value. */
type Comparison = (a: unknown, b: unknown) => number;

/** The position of the time in a schema's IDs, and its meaning. */
export interface TimeScale {
  /** The number of bits below the time. */
  readonly belowTime: number;
  /** Unix ms of tick 0 and of the last tick, and the ms from one to the next. */
  readonly epoch: number;
  readonly endOfLife: number;
  readonly tickMs: number;
}

/** The conversions of one JavaScript type of IDs at the boundary. */
export interface IdType<I extends Id, Typed = unknown> {
  readonly type: "bigint" | "number" | "string";
  /** The form bits in the flags of a call, and the bytes of one ID in a batch. */
  readonly form: number;
  readonly size: number;
  /**
   * Writes a value to the register and unpacks its fields; returns a status. Requires
   * `use(schema)`. Texts are parsed instead.
   */
  loadNative(core: Core, id: I): number;
  /**
   * The ID of a canonical text, in half the time of a call to the module; `undefined` if only the
   * module can tell.
   */
  canonical(text: string): I | undefined;
  /**
   * Creates `timestamp`: `byCore`, or a faster function that handles valid IDs of this type, and
   * leaves all other values to `byCore`.
   */
  timestampOf(scale: TimeScale, byCore: Timestamp): Timestamp;
  /**
   * Creates `compare`: it compares IDs of this type up to `max` directly, and leaves all other
   * values to `byText`.
   */
  compareOf(max: bigint, byText: Comparison): Comparison;
  /** Reads the register at the offset `register`. */
  takeValue(core: Core, register?: number): I;
  /** Reads an ID that a generator has left at an offset. */
  take(area: Area, offset: number): I;
  /** A typed array for `n` IDs; `undefined` for texts, which have none. */
  readonly makeTyped: ((n: number) => Typed) | undefined;
}

const bigints = <Typed extends BigInt64Array | BigUint64Array>(
  view: (area: Area) => Typed,
  makeTyped: (n: number) => Typed,
): IdType<bigint, Typed> => ({
  type: "bigint",
  form: abi.FORM_INTEGER,
  size: 8,
  loadNative({ u64, wasm }, id) {
    if (BigInt.asUintN(64, id) !== id) {
      return id < 0n ? abi.STATUS_RANGE : abi.STATUS_OVERFLOW;
    }
    u64[abi.REGISTER >> 3] = id;
    u64[(abi.REGISTER >> 3) + 1] = 0n;
    return wasm.inspect();
  },
  canonical: () => undefined,
  timestampOf({ belowTime, epoch, endOfLife, tickMs }, byCore) {
    const whole = new BigUint64Array(1);
    const halves = new Uint32Array(whole.buffer);
    // The time is in one half of an ID, or in both. The factors are powers of two, so floating
    // point is exact.
    const ticksOfHigher = 2 ** (32 - belowTime);
    const ticksOfLower = 2 ** -belowTime;
    // In JavaScript, because a call of the core takes longer than all of this.
    return (id) => {
      if (typeof id === "bigint") {
        whole[0] = id;
        const higher = Math.floor((halves[1] as number) * ticksOfHigher);
        const lower = Math.floor((halves[0] as number) * ticksOfLower);
        const time = epoch + (higher + lower) * tickMs;
        // In the largest ID, all bits below the time are set, so a time up to the last tick means
        // an ID up to the largest.
        if (time <= endOfLife && BigInt.asUintN(64, id) === id) {
          return time;
        }
      }
      return byCore(id);
    };
  },
  compareOf(max, byText) {
    const top = BigInt.asUintN(63, max);
    // Engines specialise each comparison for the types that it has seen.
    return (a, b) =>
      typeof a === "bigint" && typeof b === "bigint" && (a < b ? a >= 0n && b <= top : b >= 0n && a <= top)
        ? a < b
          ? -1
          : +(a > b)
        : byText(a, b);
  },
  takeValue: (core, register = abi.REGISTER) => view(core)[register >> 3] as bigint,
  take: (area, offset) => view(area)[offset >> 3] as bigint,
  makeTyped,
});

/** Signed 64-bit IDs. */
export const signed = /* @__PURE__ */ bigints(
  (core) => core.i64,
  (n) => new BigInt64Array(n),
);

/** Unsigned 64-bit IDs. */
export const unsigned = /* @__PURE__ */ bigints(
  (core) => core.u64,
  (n) => new BigUint64Array(n),
);

/** The number of digits of the largest safe integer. */
const MOST_DIGITS = 16;

/** The safe integer of a canonical text, except of "0". */
export function safeInteger(text: string): number | undefined {
  // A loop takes 37 ns, the module 68 and a regular expression 94. A long text is not read at all.
  if (text.length > MOST_DIGITS || text[0] === "0") return undefined;
  let number = 0;
  for (let i = 0; i < text.length; i++) {
    // This is 0 to 9 only for a digit.
    const digit = text.charCodeAt(i) ^ 48;
    number = digit < 10 ? number * 10 + digit : Number.NaN;
  }
  // A sum past the largest safe integer never rounds down to one.
  return number > 0 && Number.isSafeInteger(number) ? number : undefined;
}

/** Safe integers. `canonical`: {@link safeInteger}, if every safe integer is an ID. */
export const numbers = (
  canonical: (text: string) => number | undefined = () => undefined,
): IdType<number, Float64Array> => ({
  type: "number",
  form: abi.FORM_NUMBER,
  size: 8,
  loadNative({ u32, u64, wasm }, id) {
    if (!Number.isSafeInteger(id) || id < 0 || Object.is(id, -0)) {
      return abi.STATUS_RANGE;
    }
    // An array of 32-bit integers takes the lowest 32 bits of a number.
    u32[abi.REGISTER >> 2] = id;
    u32[(abi.REGISTER >> 2) + 1] = id / 2 ** 32;
    u64[(abi.REGISTER >> 3) + 1] = 0n;
    return wasm.inspect();
  },
  canonical,
  timestampOf: (_scale, byCore) => byCore,
  compareOf(max, byText) {
    const top = Number(max);
    return ((a: number, b: number) =>
      // Exclude 0, which might be -0.
      Number.isInteger(a) && Number.isInteger(b) && (a < b ? a > 0 && b <= top : b > 0 && a <= top)
        ? a < b
          ? -1
          : +(a > b)
        : byText(a, b)) as Comparison;
  },
  takeValue: ({ f64 }, register = abi.REGISTER) => f64[(register + abi.AS_NUMBER) >> 3] as number,
  take: ({ f64 }, offset) => f64[offset >> 3] as number,
  makeTyped: (n) => new Float64Array(n),
});

/** The properties of all types of texts. */
const ofTexts = {
  type: "string",
  loadNative: () => 0,
  timestampOf: (_scale: TimeScale, byCore: Timestamp) => byCore,
  compareOf: (_max: bigint, byText: Comparison) => byText,
  makeTyped: undefined,
} as const;

/**
 * The decimal texts of integers. No property is overwritten: if a copy of one type had overwritten
 * properties, V8 would treat the properties of all types as variable.
 */
export const digits = <I extends bigint | number>(
  integers: IdType<I>,
  radix: number,
): IdType<string, never> => ({
  form: integers.form,
  size: integers.size,
  canonical: (text) => (integers.canonical(text) === undefined ? undefined : text),
  takeValue: (core, register) => integers.takeValue(core, register).toString(radix),
  take: (area, offset) => integers.take(area, offset).toString(radix),
  ...ofTexts,
});

/** A text form with its own alphabet. */
export interface TextForm {
  /** The number of characters of a text. */
  readonly length: number;
  /** The alphabet, for a message. */
  readonly characters: string;
  /** Matches every text of the right length that is not canonical. */
  readonly nonCanonical: RegExp;
  /** Reads the text at an offset. */
  readonly read: (u8: Uint8Array, offset: number) => string;
}

/** Texts of one text form; `radix` is its number. */
export const texts = (
  radix: number,
  { length: size, nonCanonical, read }: TextForm,
): IdType<string, never> => ({
  form: radix << abi.FORM_SHIFT,
  size,
  canonical: (text) => (text.length === size && !nonCanonical.test(text) ? text : undefined),
  takeValue(core, register = abi.REGISTER) {
    core.wasm.print(radix, Number(register === abi.SECOND));
    return read(core.u8, abi.DATA);
  },
  take: ({ u8 }, offset) => read(u8, offset),
  ...ofTexts,
});
