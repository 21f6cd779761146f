/** Refusals of the package, as a page shows them. */
import { type ErrorCode, GraupelError } from "graupel";
import { type Limits, reasonOf } from "./reasons.ts";

/** Why something was refused, and which option or field it concerns. Plain data: it also comes from a worker. */
export interface Refusal {
  /** In words for people. */
  readonly error: string;
  readonly field: string | undefined;
  /** Undefined where the page itself refuses. */
  readonly code?: ErrorCode | undefined;
}

/** The outcome of a call: its value, or why it was refused. */
export type Outcome<T> = { readonly value: T } | Refusal;

/** An error of the package in words. Every other error is a defect, and stays an exception. `limits`: of the numbers that were entered. */
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
