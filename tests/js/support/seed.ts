/** The seed for all random values in a test run. */

/** The environment variable that sets the seed. */
export const SEED_VARIABLE = "GRAUPEL_SEED";

/** The 32-bit seed from the environment, or a new one. The caller prints it when a run fails. */
export function seedOfRun(): number {
  const given = process.env[SEED_VARIABLE] || String(crypto.getRandomValues(new Uint32Array(1))[0]);
  const seed = Number(given);
  if (!Number.isInteger(seed) || seed < 0 || seed >= 2 ** 32) {
    throw new Error(`${SEED_VARIABLE}: expected an integer of 0 to 4294967295, got ${given}`);
  }
  return seed;
}
