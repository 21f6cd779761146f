/** Checks the answers of a store and makes the errors of a lease. */
import { dateOf } from "../checks.js";
import { type ErrorCode, GraupelError, withCause } from "../errors.js";
import type { AcquireRequest, Grant, Permanent, Refused } from "./types.js";

/** The numbers that a request allows. */
type Asked = Pick<AcquireRequest, "last" | "mask" | "bits">;

/** An error of a lease, and its cause. */
export const leaseError = (
  code: ErrorCode,
  field: string,
  words: unknown,
  value?: unknown,
  cause?: unknown,
  range?: number,
): GraupelError =>
  withCause(new GraupelError(code, `${field}: ${words}`, field, value, range && -range, range), cause);

/** The error for a call of the store that failed. */
const storeError = (words: unknown, value?: unknown, cause?: unknown) =>
  leaseError("LEASE_STORE", "store", words, value, cause);

/** The error for a store that does not answer. */
export const silent = (ms: number) =>
  storeError(`no answer within ${Math.round(ms)} ms; is it connected?`, ms);

/**
 * The message of an error. A client that tried several addresses has an empty message and an error
 * for each address. Throws for a value that cannot become text, such as a symbol.
 */
export function wordsOf(error: unknown): string {
  try {
    const { message, errors } = Object(error) as AggregateError;
    return `${message || (errors ? wordsOf(errors[0]) : error)}`;
  } catch {
    return "it failed";
  }
}

/** The error for a namespace in which all numbers are held. */
export const full = (namespace: string, holders = "") =>
  leaseError("LEASE_FULL", "namespace", `no number of ${namespace} is free${holders}`, namespace);

/**
 * The error for marks that are far in the future: the store's clock was once ahead, and marks never
 * go down.
 */
export function late(namespace: string, ms: number, now: number) {
  const words = `its clock was ahead: no number of ${namespace} is free until ${dateOf(now + ms)}; run lease repair`;
  return leaseError("LEASE_SKEW", "store", words, ms);
}

/** The error that a lease reports for the reason with which a store rejected. */
export function failed(cause: unknown): GraupelError {
  if (GraupelError.is(cause)) {
    return cause;
  }
  let permanent: boolean | undefined;
  try {
    ({ permanent } = Object(cause) as Permanent);
  } catch {
    // A getter that throws.
  }
  return Object.assign(storeError(wordsOf(cause), undefined, cause), permanent && { permanent });
}

/** Whether a request allows this number. */
export const isAsked = (number: number, { last, mask, bits }: Asked) =>
  number <= last && (number & mask) === bits;

/** Checks a grant. `held`: the grant that it renews. */
export function granted(answer: unknown, asked: Asked, held = Object(answer) as Grant): Grant {
  const { number, from, until, now } = Object(answer) as Grant;
  if (
    [number, from, until, now].every(Number.isSafeInteger) &&
    number >= 0 &&
    isAsked(number, asked) &&
    from <= until &&
    number === held.number &&
    from === held.from
  ) {
    return answer as Grant;
  }
  throw storeError("its answer is not a grant", answer);
}

/**
 * The wait in milliseconds that an answer without a number asks for; 0 for any other answer.
 * Errors: `LEASE_LAYOUT`.
 */
export function waitOf(answer: unknown, { namespace, layout }: Omit<AcquireRequest, "token">): number {
  const { layout: theirs, retryInMs } = Object(answer) as Partial<AcquireRequest & Refused>;
  if (theirs !== undefined) {
    const words = `${namespace} has IDs of the layout ${String(theirs)}, not ${layout}; use another one`;
    throw leaseError("LEASE_LAYOUT", "namespace", words, namespace);
  }
  return Number.isFinite(retryInMs) ? (retryInMs as number) : 0;
}
