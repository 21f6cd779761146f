/** The package's errors, in the form that pages show. */
import { type ErrorCode, GraupelError } from "graupel";
import { type Limits, reasonOf } from "./reasons.ts";

/**
 * The reason why something was rejected, and the option or field that it concerns. This is plain
 * data, because it may come from a worker.
 */
export interface Refusal {
  /** The reason in words. */
  readonly error: string;
  readonly field: string | undefined;
  /** Undefined if the page itself rejects the input. */
  readonly code?: ErrorCode | undefined;
}

/** The outcome of a call: its value, or the reason why it was rejected. */
export type Outcome<T> = { readonly value: T } | Refusal;

/**
 * Puts an error of the package into words. Any other error is a defect, so it is thrown again.
 * `limits`: the ranges of the numbers that were entered.
 */
export function refusalOf(error: unknown, limits?: Limits): Refusal {
  if (!GraupelError.is(error)) throw error;
  return { error: reasonOf(error, limits), field: error.field, code: error.code };
}

export function outcomeOf<T>(call: () => T, limits?: Limits): Outcome<T> {
  try {
    return { value: call() };
  } catch (error) {
    return refusalOf(error, limits);
  }
}
