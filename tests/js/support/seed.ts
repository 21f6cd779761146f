/** The seed of whatever is random in a run of tests. */

/** The environment variable that fixes the seed of a run. */
export const SEED_VARIABLE = "GRAUPEL_SEED";

/** The seed from the environment, or a new one; 32 bits. The caller prints it when a run fails. */
export function seedOfRun(): number {
  const given = process.env[SEED_VARIABLE] || String(crypto.getRandomValues(new Uint32Array(1))[0]);
  const seed = Number(given);
  if (!Number.isInteger(seed) || seed < 0 || seed >= 2 ** 32) {
    throw new Error(`${SEED_VARIABLE}: expected an integer of 0 to 4294967295, got ${given}`);
  }
  return seed;
}
