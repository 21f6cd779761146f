/** Refusals of the package, as a page shows them. */
import { GraupelError } from "graupel";

/** What came of a call: its value, or why it was refused. Everything else is a defect, and stays an exception. */
export type Outcome<T> =
  | { readonly value: T }
  | { readonly error: string; readonly field: string | undefined };

export function outcomeOf<T>(call: () => T): Outcome<T> {
  try {
    return { value: call() };
  } catch (error) {
    if (!GraupelError.is(error)) throw error;
    return { error: error.message, field: error.field };
  }
}
