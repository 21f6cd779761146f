/** The only source of randomness: the platform's. The module imports it. */

let memory: WebAssembly.Memory | undefined;

/** Sets the memory that `fill_entropy` writes to. */
export function bindEntropy(of: WebAssembly.Memory): void {
  memory = of;
}

/** Guards against recursion: a mock of `crypto` may call the package, which would draw again. */
let asking = false;

/** Fills `bytes` from the platform's secure source. Returns false if it fails. */
export function fillRandom(bytes: Uint8Array<ArrayBuffer>): boolean {
  if (asking) {
    return false;
  }
  asking = true;
  try {
    crypto.getRandomValues(bytes);
    return true;
  } catch {
    return false;
  } finally {
    asking = false;
  }
}

/** Fills `length` bytes of the module's memory. Returns false if it fails. */
export const fill_entropy = (pointer: number, length: number): boolean =>
  memory !== undefined && fillRandom(new Uint8Array(memory.buffer as ArrayBuffer, pointer, length));
