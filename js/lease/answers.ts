/** What a store answers, checked; and the errors of a lease. */
import { type ErrorCode, GraupelError } from "../errors.js";
import type { AcquireRequest, Grant, Permanent } from "./types.js";

/** Which numbers were asked for. */
type Asked = Pick<AcquireRequest, "last" | "mask" | "bits">;

/** An error of a lease, and its cause. */
export const refusal = (
  code: ErrorCode,
  field: string,
  words: unknown,
  value?: unknown,
  cause?: unknown,
  range?: number,
): GraupelError =>
  Object.defineProperty(
    new GraupelError(code, `${field}: ${words}`, field, value, range && -range, range),
    "cause",
    { __proto__: null, value: cause } as PropertyDescriptor,
  );

/** What a store has failed at. */
export const failure = (words: unknown, value?: unknown, cause?: unknown) =>
  refusal("LEASE_STORE", "store", words, value, cause);

/** What a store has rejected with. A value without words, such as a symbol, has none in the message either. */
export function failed(cause: unknown): GraupelError {
  if (GraupelError.is(cause)) {
    return cause;
  }
  let words: unknown = "it failed";
  let permanent: boolean | undefined;
  try {
    const it = Object(cause) as Error & Permanent;
    words = `${it.message ?? cause}`;
    permanent = it.permanent;
  } catch {
    // It has no words.
  }
  return Object.assign(failure(words, undefined, cause), permanent && { permanent });
}

/** Checks a grant. */
export function granted(answer: unknown, { last, mask, bits }: Asked): Grant {
  const { number, from, until, now } = Object(answer) as Grant;
  if (
    [number, from, until, now].every(Number.isSafeInteger) &&
    number >= 0 &&
    number <= last &&
    (number & mask) === bits &&
    from <= until
  ) {
    return answer as Grant;
  }
  throw failure("its answer is no grant", answer);
}
