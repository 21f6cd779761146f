/** The platform's source of randomness, the only one but for a function of the user (js/generator/injected-random.ts). */

import { afterCloning } from "./webassembly.js";

export { afterCloning };

/** Web Crypto. Where it is not global, as in Jest 27, Node's module has the same function; elsewhere this throws. */
const source = (): Pick<Crypto, "getRandomValues"> =>
  globalThis.crypto ?? globalThis.process.getBuiltinModule("crypto");

/**
 * Fills `bytes`, a whole buffer of at least 64, from the platform's secure source. Returns false if it fails, or leaves 64 bytes in a row as
 * they are: a mock may fill nothing, or a part, or return an array of its own. `redraw`: draws again in each process that starts from a
 * snapshot of this one (`node --build-snapshot`); all of them would go on with these bytes.
 */
export function fillRandom(bytes: Uint8Array<ArrayBuffer>, redraw: () => void): boolean {
  const MOST_ZERO_WORDS = 15;
  let zeros = 0;
  try {
    source().getRandomValues(bytes);
    afterCloning(redraw);
    // This throws if a mock has detached the buffer.
    return new Uint32Array(bytes.buffer).every((word) => {
      zeros = word ? 0 : zeros + 1;
      return zeros <= MOST_ZERO_WORDS;
    });
  } catch (error) {
    // A full stack is no fault of the source.
    if (error instanceof RangeError) {
      throw error;
    }
    return false;
  }
}
