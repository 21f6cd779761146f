/**
 * The types that IDs have in JavaScript: BigInts, numbers and texts. Each type knows how to read an
 * ID and its text, and how to take one from the core's memory. Verbs and generators do not depend
 * on the type.
 */
import * as abi from "../generated/constants.js";
import {
  type Load,
  type Loadable,
  numbers,
  bigints as readBigint,
  TYPE,
  texts,
  whole,
} from "../read/load.js";
import { type Area, type Core, load as loadCore } from "./load.js";

/** An ID of any type. */
export type Id = bigint | number | string;

/** Compares two IDs: -1, 0 or 1. Throws for any other value. */
type Comparison = (a: unknown, b: unknown) => number;

/** The conversions of one JavaScript type of IDs. */
export interface IdType<I extends Id, Typed = unknown> {
  readonly type: "bigint" | "number" | "string";
  /** The form bits in the flags of a call, and the bytes of one ID in a batch. */
  readonly form: number;
  readonly size: number;
  /** Reads an ID or its text. */
  readonly load: Load;
  /** Parses an ID or its text; `undefined` for any other value. */
  parse(schema: Loadable, x: unknown): I | undefined;
  /** The ID of an integer up to the largest. */
  ofInteger(integer: bigint): I;
  /**
   * Creates `compare`: it compares IDs of this type up to `max` directly and leaves all other
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

const bigints =
  <Typed extends BigInt64Array | BigUint64Array>(
    view: (area: Area) => Typed,
    makeTyped: (n: number) => Typed,
  ) =>
  (load: Load = readBigint): IdType<bigint, Typed> => ({
    type: "bigint",
    form: abi.FORM_INTEGER,
    size: 8,
    load,
    parse: (schema, x) =>
      load(schema, x) < 0 ? undefined : typeof x === "bigint" ? x : (whole[0] as bigint),
    ofInteger: (integer) => integer,
    compareOf(max, byText) {
      const top = BigInt.asUintN(63, max);
      // Engines specialize each comparison for the types that it has seen.
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
export const signedBy = /* @__PURE__ */ bigints(
  (core) => core.i64,
  (n) => new BigInt64Array(n),
);
export const signed = /* @__PURE__ */ signedBy();

/** Unsigned 64-bit IDs. */
export const unsigned = /* @__PURE__ */ bigints(
  (core) => core.u64,
  (n) => new BigUint64Array(n),
)();

/** The number of a canonical text except "0", which may be too large; 0 for any other text. */
function positive(text: string): number {
  if (text[0] === "0") return 0;
  let number = 0;
  for (let i = 0; i < text.length; i++) {
    // This is 0 to 9 only for a digit.
    const digit = text.charCodeAt(i) ^ 48;
    if (digit > 9) return 0;
    number = number * 10 + digit;
  }
  return number;
}

/** Safe integers. */
export const numberIds: IdType<number, Float64Array> = {
  type: "number",
  form: abi.FORM_NUMBER,
  size: 8,
  load: numbers,
  parse(schema, x) {
    // Takes three quarters of the time of `load`.
    const number = typeof x === "string" && x.length <= schema.longest ? positive(x) : 0;
    if (number > 0 && (number * schema.up) / 2 ** 32 < schema.last + 1) return number;
    // The only other text of an ID is "0".
    return numbers(schema, x) < 0 ? undefined : Number(x);
  },
  ofInteger: Number,
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
};

/** A type of texts. */
type TextType = IdType<string, never>;

/** The properties of all types of texts. */
const ofTexts = {
  type: "string",
  compareOf: (_max: bigint, byText: Comparison) => byText,
  makeTyped: undefined,
} as const;

/**
 * The texts of integers. No property is overwritten: if a copy of one type had overwritten
 * properties, V8 would treat the properties of all types as variable.
 */
export const digits = (integers: IdType<bigint>, radix: number): TextType => ({
  form: integers.form,
  size: integers.size,
  load: (schema, x) => (typeof x === "string" ? integers.load(schema, x) : TYPE),
  parse: (schema, x) => (typeof x === "string" ? integers.parse(schema, x)?.toString(radix) : undefined),
  ofInteger: (integer) => integer.toString(radix),
  takeValue: (core, register) => integers.takeValue(core, register).toString(radix),
  take: (area, offset) => integers.take(area, offset).toString(radix),
  ...ofTexts,
});

/** A text form with its own alphabet. */
export interface TextForm {
  /** The number of characters of a text. */
  readonly length: number;
  /** The digits, from 0 on. */
  readonly alphabet: string;
  /** The alphabet, for a message. */
  readonly characters: string;
  /** Matches every text of the right length that is not canonical. */
  readonly nonCanonical: RegExp;
  /** Reads the text at an offset. */
  readonly read: (u8: Uint8Array, offset: number) => string;
}

/** Texts of a text form; `radix` is its number. */
export function textIds(radix: number, text: TextForm, ignoresCase: boolean): TextType {
  const { length: size, alphabet, nonCanonical, read } = text;
  const load = texts(alphabet, ignoresCase);
  const takeValue = (core: Core, register = abi.REGISTER) => {
    core.wasm.print(radix, Number(register === abi.SECOND));
    return read(core.u8, abi.DATA);
  };
  return {
    form: radix << abi.FORM_SHIFT,
    size,
    load,
    // A regular expression takes half the time of a loop.
    parse: (schema, x) =>
      typeof x === "string" && x.length === size && !nonCanonical.test(x)
        ? x
        : load(schema, x) < 0
          ? undefined
          : (x as string).toUpperCase(),
    ofInteger(integer) {
      const core = loadCore();
      core.u64[abi.REGISTER >> 3] = integer;
      core.u64[(abi.REGISTER >> 3) + 1] = integer >> 64n;
      return takeValue(core);
    },
    takeValue,
    take: ({ u8 }, offset) => read(u8, offset),
    ...ofTexts,
  };
}
