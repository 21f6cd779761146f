/**
 * The types that IDs have in JavaScript: BigInts, numbers and texts. Each type knows how to write an ID to the module's
 * register, and how to read one from the register or a batch. Verbs and generators do not depend on the type.
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
  STATUS_OVERFLOW,
  STATUS_RANGE,
} from "../generated/constants.js";
import type { Core } from "./load.js";

/** What an ID can be. */
export type Id = bigint | number | string;

/** How IDs of one JavaScript type cross the boundary. */
export interface IdType<I extends Id, Many = unknown> {
  readonly type: "bigint" | "number" | "string";
  /** The form bits of a call's flags, and the bytes of one ID in a batch. */
  readonly form: number;
  readonly size: number;
  /** Writes a value to the register and unpacks its fields; returns a status. Requires `use(schema)`. Texts are parsed instead. */
  loadNative(core: Core, id: I): number;
  /** The ID of a canonical text, in half the time of a call to the module; `undefined` if only the module can tell. */
  canonical(text: string): I | undefined;
  /** Reads the register at the offset `register`. */
  takeValue(core: Core, register?: number): I;
  /** Reads the ID that a generator has just made. */
  takeNext(core: Core): I;
  /** An empty batch for `n` IDs. */
  makeBatch(n: number): Many;
  /** Copies `count` IDs from the area into `many` from `at` on, and returns it. Without `many`, creates a batch of `n`. */
  moveBatch(core: Core, many: Many | undefined, at: number, count: number, n: number): Many;
}

/** `moveBatch` for typed arrays. Without a batch the slice is the batch, so that nothing is allocated only to be overwritten. */
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
  // `batch` and `view` have the same type.
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

/** A text form with its own alphabet. */
export interface TextForm {
  /** Characters of a text. */
  readonly length: number;
  /** The alphabet, for a message. */
  readonly characters: string;
  /** Matches every text of the right length that is not canonical. */
  readonly nonCanonical: RegExp;
  /** Reads the text at an offset. */
  readonly read: (u8: Uint8Array, at: number) => string;
}

/** Texts decoded at once. Substrings keep the whole string in memory, so it must stay short. */
const CHUNK = 64;
let decoder: TextDecoder | undefined;

/** ASCII as text. Some platforms, such as jsdom, have no TextDecoder, which is faster. */
function decode(bytes: Uint8Array): string {
  if (typeof TextDecoder === "undefined") {
    return String.fromCharCode(...bytes);
  }
  decoder ??= new TextDecoder();
  return decoder.decode(bytes);
}

/** Texts of one text form; `radix` is its number. */
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
    const batch = many ?? new Array<string>(n);
    for (let i = 0; i < count; ) {
      const from = BATCH + i * size;
      const length = Math.min(CHUNK, count - i) * size;
      const chunk = decode(u8.subarray(from, from + length));
      for (let offset = 0; offset < length; offset += size) {
        batch[at + i++] = chunk.slice(offset, offset + size);
      }
    }
    return batch;
  },
});
