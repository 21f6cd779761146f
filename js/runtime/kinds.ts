/** How IDs leave the module, one by one and in batches: as BigInts, as numbers, as texts. */
import { DATA } from "../generated/layouts.js";
import type { Natural } from "./codec.js";
import type { Core } from "./core.js";

/** The form of sno, the only one with a metabyte. */
export const SNO_FORM = 2;

/** How IDs of a kind leave the module one by one and in batches. */
export interface Kind<Id extends Natural, Many> {
  /** One ID, or `undefined` with the reason in `core.status`. */
  one(
    core: Core,
    slot: number,
    now: number,
    how: number,
    ahead: number,
    extra: number,
    random: number,
  ): Id | undefined;
  /** The module's number for the form that `fill` leaves in the area, and its size in bytes. */
  readonly form: number;
  readonly size: number;
  /** Room for a batch. */
  make(n: number): Many;
  /** Moves `count` IDs from the area to the batch. */
  move(core: Core, many: Many, at: number, count: number): void;
}

/** Signed 64-bit IDs. */
export const bigints: Kind<bigint, BigInt64Array> = {
  one(core, slot, now, how, ahead) {
    const id = core.wasm.next_integer(slot, now, how, ahead);
    return id < 0n ? failed(core, -Number(id)) : id;
  },
  form: 0,
  size: 8,
  make: (n) => new BigInt64Array(n),
  move: ({ i64 }, many, at, count) => many.set(i64.subarray(DATA >> 3, (DATA >> 3) + count), at),
};

/** Unsigned ones: a negative answer may be an ID. */
export const unsignedBigints: Kind<bigint, BigUint64Array> = {
  one(core, slot, now, how, ahead) {
    const id = core.wasm.next_integer(slot, now, how, ahead);
    const status = id < 0n ? core.wasm.status() : 0;
    return status === 0 ? BigInt.asUintN(64, id) : failed(core, status);
  },
  form: 0,
  size: 8,
  make: (n) => new BigUint64Array(n),
  move: ({ u64 }, many, at, count) => many.set(u64.subarray(DATA >> 3, (DATA >> 3) + count), at),
};

/** Safe integers. */
export const numbers: Kind<number, Float64Array> = {
  one(core, slot, now, how, ahead) {
    const id = core.wasm.next_number(slot, now, how, ahead);
    return id < 0 ? failed(core, -id) : id;
  },
  form: 1,
  size: 8,
  make: (n) => new Float64Array(n),
  move: ({ f64 }, many, at, count) => many.set(f64.subarray(DATA >> 3, (DATA >> 3) + count), at),
};

function failed(core: Core, status: number): undefined {
  core.status = status;
  return undefined;
}

/** Texts of `size` characters; `ask` makes one in the area and returns a status. */
export function texts(
  size: number,
  form: number,
  ask: (core: Core, ...args: [number, number, number, number, number, number]) => number,
  text: (u8: Uint8Array, at: number) => string,
): Kind<string, string[]> {
  return {
    one(core, ...args) {
      const status = ask(core, ...args);
      return status === 0 ? text(core.u8, DATA) : failed(core, status);
    },
    form,
    size,
    make: (n) => new Array<string>(n),
    move({ u8 }, many, at, count) {
      for (let i = 0; i < count; i++) {
        many[at + i] = text(u8, DATA + i * size);
      }
    },
  };
}

/** Flat texts: one call with all characters as arguments is the fastest way to make one. */
// biome-ignore format: a table of indices
export const text13 = (a: Uint8Array, i: number): string =>
  String.fromCharCode(
    a[i]!, a[i + 1]!, a[i + 2]!, a[i + 3]!, a[i + 4]!, a[i + 5]!, a[i + 6]!,
    a[i + 7]!, a[i + 8]!, a[i + 9]!, a[i + 10]!, a[i + 11]!, a[i + 12]!,
  );

/** The same, of 16 characters. */
// biome-ignore format: a table of indices
export const text16 = (a: Uint8Array, i: number): string =>
  String.fromCharCode(
    a[i]!, a[i + 1]!, a[i + 2]!, a[i + 3]!, a[i + 4]!, a[i + 5]!, a[i + 6]!, a[i + 7]!,
    a[i + 8]!, a[i + 9]!, a[i + 10]!, a[i + 11]!, a[i + 12]!, a[i + 13]!, a[i + 14]!, a[i + 15]!,
  );
