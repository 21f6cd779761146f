/**
 * The module, instantiated once, at the first operation; and the area of memory through which everything passes
 * that is no number.
 */
import { refuse } from "../errors.js";
import type { InitOutput as Exports } from "../generated/core.js";
import { DATA } from "../generated/layouts.js";
import { frequent, text } from "../generated/module.js";
import { bindEntropy, fill_entropy } from "./entropy.js";
import { unpack } from "./unpack.js";

/** An instantiated module: its calls, and views of its area. Views are renewed when the memory grows. */
export interface Core {
  readonly wasm: Exports;
  u8: Uint8Array;
  f64: Float64Array;
  u64: BigUint64Array;
  i64: BigInt64Array;
  /** The schema that the module has loaded. */
  schema: unknown;
  /** Status of the last attempt at an ID. */
  status: number;
  /** Slots that are free for reuse, and how many were ever taken. */
  readonly free: number[];
  slots: number;
  /** Renews the views if the memory has grown. */
  renew(): void;
}

let core: Core | undefined;

/** The core of this copy of the package. */
export function load(): Core {
  return core ?? instantiate();
}

function instantiate(): Core {
  let wasm: Exports;
  try {
    const module = new WebAssembly.Module(unpack(text, frequent));
    // All that it imports is a source of entropy, and what wasm-bindgen adds for a table that nothing here uses.
    const imports: Record<string, Record<string, unknown>> = {};
    for (const { module: from, name } of WebAssembly.Module.imports(module)) {
      imports[from] = { ...imports[from], [name]: name.includes("entropy") ? fill_entropy : () => {} };
    }
    wasm = new WebAssembly.Instance(module, imports as WebAssembly.Imports).exports as unknown as Exports;
  } catch (cause) {
    return refuse(
      "CORE",
      `the WebAssembly module could not be instantiated (${cause}); under a Content-Security-Policy, allow 'wasm-unsafe-eval'`,
    );
  }
  const { memory } = wasm;
  bindEntropy(memory);
  const offset = wasm.area();
  const made = { wasm, schema: undefined, status: 0, free: [] as number[], slots: 0 } as unknown as Core;
  made.renew = () => {
    const { buffer } = memory;
    if (made.u8?.buffer !== buffer) {
      made.u8 = new Uint8Array(buffer, offset);
      made.f64 = new Float64Array(buffer, offset, (buffer.byteLength - offset) >> 3);
      made.u64 = new BigUint64Array(buffer, offset, (buffer.byteLength - offset) >> 3);
      made.i64 = new BigInt64Array(buffer, offset, (buffer.byteLength - offset) >> 3);
    }
  };
  made.renew();
  core = made;
  return made;
}

/** A byte that is a digit in no alphabet. */
const NO_DIGIT = 255;

/** Writes a text's characters to the area. What is not ASCII becomes a byte that is no digit, not another character. */
export function putText({ u8 }: Core, text: string): void {
  let all = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    u8[DATA + i] = code;
    all |= code;
  }
  for (let i = 0; all > 127 && i < text.length; i++) {
    if (text.charCodeAt(i) > 127) {
      u8[DATA + i] = NO_DIGIT;
    }
  }
}

/** `length` characters of the area as a flat string. */
export function getText({ u8 }: Core, length: number, from = DATA): string {
  return String.fromCharCode.apply(null, u8.subarray(from, from + length) as unknown as number[]);
}
