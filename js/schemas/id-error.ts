/** What a format refused: libraries of schemas collect such errors, and take all others for faults of the server. */
import { GraupelError } from "../errors.js";

/** The error, if a format refused an ID; all else, and a core that does not start, is thrown on. */
export function idErrorOf(error: unknown): GraupelError {
  if (!GraupelError.is(error) || error.code === "CORE") throw error;
  return error;
}
