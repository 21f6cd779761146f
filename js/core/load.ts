/**
 * Starts the core once, at the first operation, and keeps views of the memory area, through which
 * all data except plain numbers pass.
 */
import { fillRandom } from "../entropy.js";
import * as abi from "../generated/constants.js";
import type { InitOutput as Exports } from "../generated/core.js";
import { start } from "./webassembly.js";

/**
 * The functions that ask a core for IDs, and the views of its output (src/abi.rs has the offsets).
 */
export type Area = Pick<Core, "u8" | "f64" | "u64" | "i64"> & {
  readonly wasm: Pick<Exports, "next" | "fill" | "refill">;
};

/** A core: its exports, and views of its area. Its memory never grows, so the views stay valid. */
export type Core = ReturnType<typeof instantiate>;

let core: Core | undefined;

/** The core of this copy of the package. */
export const load = (): Core => core ?? instantiate();

/**
 * Returns a core with a free slot. If all slots are taken, a new core replaces this one, which
 * stays alive as long as its states.
 */
export const withRoom = (): Core =>
  core && (core.free[0] ?? core.opened) < abi.SLOTS ? core : instantiate();

function instantiate() {
  const fill = (pointer: number, length: number): boolean => {
    // Use a separate buffer: code that the source calls may itself draw from the pool and refill
    // it.
    const bytes = new Uint8Array(length);
    fillRandom(bytes);
    new Uint8Array(wasm.memory.buffer, pointer, length).set(bytes);
    return true;
  };
  const wasm = start({ js: { fill_entropy: fill } });
  const { buffer } = wasm.memory;
  const from = wasm.area();
  const free: number[] = [];
  const started = {
    wasm,
    u8: new Uint8Array(buffer, from),
    f64: new Float64Array(buffer, from),
    u64: new BigUint64Array(buffer, from),
    i64: new BigInt64Array(buffer, from),
    /** The shape of the schema that the module has loaded. */
    shape: undefined as unknown,
    /** The number of slots opened so far, and the slots that are free again. */
    opened: 0,
    free,
    /** Frees the slot of a collected state. Undefined in engines without `FinalizationRegistry`. */
    collected: globalThis.FinalizationRegistry && new FinalizationRegistry<number>((slot) => free.push(slot)),
  };
  core = started;
  return started;
}
