/** The platform's source of randomness, the only one but for a function of the user (js/generator/injected-random.ts). */

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
