/** The platform's source of randomness, the only one but for a function of the user (js/generator/injected-random.ts). */

import { afterCloning } from "./webassembly.js";

export { afterCloning };

/** Web Crypto. Where it is not global, as in Jest 27, Node's module has the same function; elsewhere this throws. */
const source = (): Pick<Crypto, "getRandomValues"> =>
  globalThis.crypto ?? globalThis.process.getBuiltinModule("crypto");

/**
 * Fills `bytes` from the platform's secure source. Returns false if it fails. `redraw`: draws again in each process that starts from a
 * snapshot of this one (`node --build-snapshot`); all of them would go on with these bytes.
 */
export function fillRandom(bytes: Uint8Array<ArrayBuffer>, redraw: () => void): boolean {
  const { length } = bytes;
  try {
    source().getRandomValues(bytes);
    afterCloning(redraw);
    // A mock may detach the buffer.
    return bytes.length === length;
  } catch (error) {
    // A full stack is no fault of the source.
    if (error instanceof RangeError) {
      throw error;
    }
    return false;
  }
}
