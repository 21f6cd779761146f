/**
 * Distinguishes invalid IDs from failures: schema libraries collect the first and report the second
 * as server errors.
 */
import { GraupelError } from "../errors.js";

/**
 * Returns the error of an invalid ID. Rethrows every other error, including that of a core that
 * cannot start.
 */
export function idErrorOf(error: unknown): GraupelError {
  if (!GraupelError.is(error) || error.code === "CORE") throw error;
  return error;
}
