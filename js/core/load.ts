/**
 * The core, started once, at the first operation; and views of the memory area through which everything but plain
 * numbers passes.
 */
import { refuseSaying } from "../errors.js";
import { DATA } from "../generated/constants.js";
import type { InitOutput as Exports } from "../generated/core.js";
import { fillRandom } from "./entropy.js";
import { start } from "./webassembly.js";

/**
 * A core: what it exports, and views of its area. The views are replaced when the memory grows. A dollar sign marks
 * names that the build shortens (xtask/lib/names.mjs).
 */
export interface Core {
  wasm: Exports;
  u8: Uint8Array;
  u32: Uint32Array;
  f64: Float64Array;
  u64: BigUint64Array;
  i64: BigInt64Array;
  /** The schema that the module has loaded. */
  schema: unknown;
  /** Slots to be reused, and the number of slots ever used. */
  readonly free: number[];
  slots: number;
}

let core: Core | undefined;

/**
 * Replaces the module and its core during a draw. The source of randomness must not call graupel, because the call that draws
 * is half done.
 */
const busy = () =>
  new Proxy({} as Exports & Core, {
    get: () => refuseSaying("RANDOM_FAILED", "random", undefined, "the source of randomness called graupel"),
  });

/** The core of this copy of the package. */
export const load = (): Core => core ?? instantiate();

function instantiate(): Core {
  const fill = (pointer: number, length: number) => {
    const stand = busy();
    made.wasm = stand;
    core = stand;
    const filled = fillRandom(new Uint8Array(wasm.$memory.buffer as ArrayBuffer, pointer, length));
    made.wasm = wasm;
    core = made;
    return filled;
  };
  const wasm = start({ $entropy: { $entropy: fill } });
  const made: Core = { wasm, ...views(wasm), schema: undefined, free: [], slots: 0 };
  core = made;
  return made;
}

/** Views of the area. They are of no use once the memory has grown. */
export function views({ $memory: { buffer }, $area }: Exports) {
  const start = $area();
  return {
    u8: new Uint8Array(buffer, start),
    u32: new Uint32Array(buffer, start),
    f64: new Float64Array(buffer, start),
    u64: new BigUint64Array(buffer, start),
    i64: new BigInt64Array(buffer, start),
  };
}

/** A byte that no alphabet contains. */
const NO_DIGIT = 255;

/**
 * Writes a text to the area. Characters outside ASCII become `NO_DIGIT`; their low bits could be a valid digit. Writing four
 * characters at a time takes two thirds of the time.
 */
export function putText({ u8, u32 }: Core, text: string): void {
  const { length } = text;
  let all = 0;
  let i = 0;
  for (; i + 4 <= length; i += 4) {
    const a = text.charCodeAt(i);
    const b = text.charCodeAt(i + 1);
    const c = text.charCodeAt(i + 2);
    const d = text.charCodeAt(i + 3);
    u32[(DATA + i) >> 2] = a | (b << 8) | (c << 16) | (d << 24);
    all |= a | b | c | d;
  }
  // The rest; or all of it, if some character is not ASCII.
  for (i = all > 127 ? 0 : i; i < length; i++) {
    const code = text.charCodeAt(i);
    u8[DATA + i] = code < 128 ? code : NO_DIGIT;
  }
}
