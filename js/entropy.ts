/**
 * The platform's source of randomness. The only other source is a function of the user
 * (`random` in js/formats/ulid-flake.ts).
 */

import { fail, GraupelError, thrownText, withCause } from "./errors.js";

/**
 * Web Crypto. If it is not global, as in Jest 27, Node's module has the same function. On other
 * platforms the last name throws, and says that there is none.
 */
const source = (): Pick<Crypto, "getRandomValues"> =>
  globalThis.crypto ?? globalThis.process?.getBuiltinModule?.("crypto") ?? crypto;

/**
 * Fills `bytes`, a whole buffer of at least 64 bytes, from the platform's secure source. Errors:
 * `RANDOM_FAILED` if the source throws or leaves 64 bytes in a row unchanged, because a mock may
 * fill nothing or only a part, or return its own array. Also while Node builds a snapshot of this
 * process (`node --build-snapshot`), because all processes that start from it would use the same
 * bytes.
 */
export function fillRandom(bytes: Uint8Array<ArrayBuffer>, field = "random", label = field): void {
  const MOST_ZERO_WORDS = 15;
  let zeros = 0;
  // No regular expression, because V8 exits if it must compile one at the end of the stack.
  const builds = (option: string) => option.startsWith("--build-") || option.startsWith("--experimental-sea");
  if (globalThis.process?.execArgv?.some(builds)) {
    fail("RANDOM_FAILED", field, undefined, "a snapshot is being built; generate IDs once it runs");
  }
  let cause: unknown = "left zeros";
  try {
    source().getRandomValues(bytes);
    // This throws if a mock has detached the buffer.
    const isFilled = new Uint32Array(bytes.buffer).every((word) => {
      zeros = word ? 0 : zeros + 1;
      return zeros <= MOST_ZERO_WORDS;
    });
    if (isFilled) return;
  } catch (error) {
    // A full stack is not a failure of the source.
    if (error instanceof RangeError) {
      throw error;
    }
    cause = error;
  }
  // React Native has no `crypto`; the named package adds one.
  const advice = "set globalThis.crypto, or import react-native-get-random-values";
  const words = `${label}: no random bytes (${thrownText(cause)}); ${advice}`;
  throw withCause(new GraupelError("RANDOM_FAILED", words, field), cause);
}
