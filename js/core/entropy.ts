/** The platform's source of randomness, the only one but for a function of the user (js/generator/injected-random.ts). */

/** Fills `bytes` from the platform's secure source. Returns false if it fails. */
export function fillRandom(bytes: Uint8Array<ArrayBuffer>): boolean {
  try {
    crypto.getRandomValues(bytes);
    return true;
  } catch {
    return false;
  }
}
