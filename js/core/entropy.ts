/** The platform's source of randomness, the only one but for a function of the user (js/generator/injected-random.ts). */

/** Web Crypto. Where it is not global, as in Jest 27, Node's module has the same function; elsewhere this throws. */
const source = (): Pick<Crypto, "getRandomValues"> =>
  globalThis.crypto ?? globalThis.process.getBuiltinModule("crypto");

/** Fills `bytes` from the platform's secure source. Returns false if it fails. */
export function fillRandom(bytes: Uint8Array<ArrayBuffer>): boolean {
  try {
    source().getRandomValues(bytes);
    return true;
  } catch {
    return false;
  }
}
