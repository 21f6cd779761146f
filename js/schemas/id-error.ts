/** Tells refused IDs from faults: libraries of schemas collect the first, and report the second as errors of the server. */
import { GraupelError } from "../errors.js";

/** Returns the error if a format refused an ID. Throws every other error again, including a core that does not start. */
export function idErrorOf(error: unknown): GraupelError {
  if (!GraupelError.is(error) || error.code === "CORE") throw error;
  return error;
}
