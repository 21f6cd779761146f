/** What a format refused, as data: libraries of schemas collect reasons, and take what is thrown for a fault of the server. */
import type { ErrorCode } from "../errors.js";

/** Why a value is no ID. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
}

/** The refusal that was thrown; all else, and a core that does not start, is thrown on. */
export function refusalOf(error: unknown): Refusal {
  const { name, code } = Object(error) as { readonly name?: unknown; readonly code?: unknown };
  if (name !== "GraupelError" || code === "CORE") throw error;
  return error as Refusal;
}
