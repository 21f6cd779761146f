/** The module's only import, as js/core/load.ts gives it, but bound to a memory by the test. Bundled by the build. */
import { fillRandom } from "../../../js/entropy.ts";

let memory: WebAssembly.Memory | undefined;

/** Sets the memory that `fill_entropy` writes to. */
export function bindEntropy(of: WebAssembly.Memory): void {
  memory = of;
}

/** Fills `length` bytes of the memory. Returns false before there is a memory. */
export function fill_entropy(pointer: number, length: number): boolean {
  if (!memory) return false;
  const bytes = new Uint8Array(length);
  fillRandom(bytes);
  new Uint8Array(memory.buffer, pointer, length).set(bytes);
  return true;
}
