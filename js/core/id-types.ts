/**
 * What IDs are on this side: BigInts, numbers, texts. Of each type, how it gets into the module's register, out of it,
 * and out of a batch; so that no verb and no generator knows the types.
 */
import {
  AS_NUMBER,
  BATCH,
  DATA,
  FORM_INTEGER,
  FORM_NUMBER,
  FORM_SHIFT,
  REGISTER,
  SECOND,
  STATUS_LENGTH,
  STATUS_OVERFLOW,
  STATUS_RANGE,
} from "../generated/constants.js";
import { type Core, putText } from "./load.js";
import { lengths, type Schema, type TextForm } from "./schema.js";

/** What an ID can be. */
export type Id = bigint | number | string;

/** A type that IDs have in JavaScript. */
export interface IdType<I extends Id, Many = unknown> {
  readonly type: "bigint" | "number" | "string";
  /** The module's number for it, among the bits of a call's policy; and the bytes that it takes in a batch. */
  readonly form: number;
  readonly size: number;
  /** A value to the register and to its fields: 0, or the number of why not. The schema is in use. Texts are parsed instead. */
  loadNative(core: Core, id: I): number;
  /** The ID of a canonical text, by a look that takes half the time of a call to the module; undefined: ask that. */
  canonical(text: string): I | undefined;
  /** The register as a value; `register` is its offset. */
  takeValue(core: Core, register?: number): I;
  /** What a generator has just made. */
  takeNext(core: Core): I;
  /** Room for a batch. */
  makeBatch(n: number): Many;
  /** Moves `count` IDs from the area to a batch of `n`, which is a new one if there is none yet. */
  moveBatch(core: Core, many: Many | undefined, at: number, count: number, n: number): Many;
}

/** The same for arrays of numbers: if they come all at once, they are copied once, and nothing is made to be overwritten. */
function moved<Many extends BigInt64Array | BigUint64Array | Float64Array>(
  view: Many,
  batch: Many | undefined,
  at: number,
  count: number,
): Many {
  const [from, to] = [BATCH >> 3, (BATCH >> 3) + count];
  if (batch === undefined) {
    return view.slice(from, to) as Many;
  }
  // One of the three, and `view` is of the same kind.
  (batch as BigInt64Array).set((view as BigInt64Array).subarray(from, to), at);
  return batch;
}

const bigints = <Many extends BigInt64Array | BigUint64Array>(
  view: (core: Core) => Many,
  makeBatch: (n: number) => Many,
): IdType<bigint, Many> => ({
  type: "bigint",
  form: FORM_INTEGER,
  size: 8,
  loadNative({ u64, wasm }, id) {
    if (BigInt.asUintN(64, id) !== id) {
      return id < 0n ? STATUS_RANGE : STATUS_OVERFLOW;
    }
    u64[REGISTER >> 3] = id;
    u64[(REGISTER >> 3) + 1] = 0n;
    return wasm.$inspect();
  },
  canonical: () => undefined,
  takeValue: (core, register = REGISTER) => view(core)[register >> 3] as bigint,
  takeNext: (core) => view(core)[DATA >> 3] as bigint,
  makeBatch,
  moveBatch: (core, many, at, count, n) =>
    moved(view(core), count === n ? undefined : (many ?? makeBatch(n)), at, count),
});

/** 64-bit IDs. */
export const signed = /* @__PURE__ */ bigints(
  (core) => core.i64,
  (n) => new BigInt64Array(n),
);

/** 64-bit IDs that use the top bit. */
export const unsigned = /* @__PURE__ */ bigints(
  (core) => core.u64,
  (n) => new BigUint64Array(n),
);

/** Digits of the largest safe integer. */
const MOST_DIGITS = 16;

/** Safe integers. */
export const numbers: IdType<number, Float64Array> = {
  type: "number",
  form: FORM_NUMBER,
  size: 8,
  loadNative({ u32, u64, wasm }, id) {
    if (!Number.isSafeInteger(id) || id < 0 || Object.is(id, -0)) {
      return STATUS_RANGE;
    }
    // An array of 32-bit integers takes the lowest 32 bits of a number.
    u32[REGISTER >> 2] = id;
    u32[(REGISTER >> 2) + 1] = id / 2 ** 32;
    u64[(REGISTER >> 3) + 1] = 0n;
    return wasm.$inspect();
  },
  canonical(text) {
    const { length } = text;
    let number = length > MOST_DIGITS || text[0] === "0" ? Number.NaN : 0;
    for (let i = 0; i < length; i++) {
      const digit = text.charCodeAt(i) - 48;
      number = digit >= 0 && digit <= 9 ? number * 10 + digit : Number.NaN;
    }
    // A sum past the largest safe integer never rounds down to one.
    return number > 0 && number <= Number.MAX_SAFE_INTEGER ? number : undefined;
  },
  takeValue: ({ f64 }, register = REGISTER) => f64[(register + AS_NUMBER) >> 3] as number,
  takeNext: ({ f64 }) => f64[DATA >> 3] as number,
  makeBatch: (n) => new Float64Array(n),
  moveBatch: ({ f64 }, many, at, count, n) =>
    moved(f64, count === n ? undefined : (many ?? new Float64Array(n)), at, count),
};

/** Characters decoded at once: slices of it keep the whole alive, so it is no longer than a kilobyte. */
const CHUNK = 1024;
let decoder: TextDecoder | undefined;

/** Texts of one form; `radix` is its number. */
export const texts = (
  radix: number,
  { length: size, nonCanonical, read }: TextForm,
): IdType<string, string[]> => ({
  type: "string",
  form: radix << FORM_SHIFT,
  size,
  loadNative: () => 0,
  canonical: (text) => (text.length === size && !nonCanonical.test(text) ? text : undefined),
  takeValue(core, register = REGISTER) {
    core.wasm.$print(radix, Number(register === SECOND));
    return read(core.u8, DATA);
  },
  takeNext: (core) => read(core.u8, DATA),
  makeBatch: (n) => new Array<string>(n),
  moveBatch({ u8 }, many, at, count, n) {
    decoder ??= new TextDecoder();
    const batch = many ?? new Array<string>(n);
    const inChunk = Math.floor(CHUNK / size);
    for (let i = 0; i < count; ) {
      const from = BATCH + i * size;
      const length = Math.min(inChunk, count - i) * size;
      const chunk = decoder.decode(u8.subarray(from, from + length));
      for (let offset = 0; offset < length; offset += size) {
        batch[at + i++] = chunk.slice(offset, offset + size);
      }
    }
    return batch;
  },
});

/** Text to the register, in the format's form or in another radix; if `apart` is 1, also to its fields: 0, or the number of why not. */
export function putParsed(core: Core, text: string, radix: number, schema: Schema, apart = 0): number {
  const { length } = text;
  const { min, max } = lengths(radix, schema);
  if (length < min || length > max) {
    return STATUS_LENGTH;
  }
  putText(core, text);
  return core.wasm.$parse(length, radix, apart);
}
