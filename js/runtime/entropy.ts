/** The one place that asks the platform for randomness; the module imports it. */

let memory: WebAssembly.Memory | undefined;

/** Tells where the module's memory is. */
export function bindEntropy(of: WebAssembly.Memory): void {
  memory = of;
}

/** Fills `length` bytes of the module's memory from the platform's secure source; whether it could. */
export function fill_entropy(pointer: number, length: number): boolean {
  try {
    if (memory === undefined) {
      return false;
    }
    crypto.getRandomValues(new Uint8Array(memory.buffer, pointer, length));
    return true;
  } catch {
    return false;
  }
}
