/** The one place that asks the platform for randomness; the module imports it. */

let memory: WebAssembly.Memory | undefined;

/** Tells where the module's memory is. */
export function bindEntropy(of: WebAssembly.Memory): void {
  memory = of;
}

/** Whether the platform is being asked: a mock of it may call the package, which would ask again without end. */
let asking = false;

/** Fills `bytes` from the platform's secure source; whether it could. */
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

/** Fills `length` bytes of the module's memory; whether it could. */
export const fill_entropy = (pointer: number, length: number): boolean =>
  memory !== undefined && fillRandom(new Uint8Array(memory.buffer as ArrayBuffer, pointer, length));
