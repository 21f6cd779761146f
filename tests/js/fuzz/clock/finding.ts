/** Defects, and the errors that a story throws on purpose. */

/**
 * - `duplicate`: an ID was issued twice
 * - `inversion`: an ID is not above one whose call had ended before its call began
 * - `spent`: an ID of a tick before a `notBefore`, or a `notBefore` that has moved the highest reading
 * - `outside`: an ID that its format refuses, a wrong field, or a time that the clock has not read
 * - `error`: a refusal without a reason
 * - `exception`: an exception that is not a GraupelError
 * - `hung`: a call that never ends
 */
type Kind = "duplicate" | "inversion" | "spent" | "outside" | "error" | "exception" | "hung";

/** A defect. */
export class Finding extends Error {
  constructor(
    readonly kind: Kind,
    message: string,
  ) {
    super(`${kind}: ${message}`);
  }
}

/** Thrown by clocks, callbacks, random sources and aborts: the caller's own error, which must come through unchanged. */
export class Own extends Error {}

/** The process saves a snapshot and dies during a call. */
export class Crash extends Own {}
