/** What went wrong, and what the harness throws on purpose. */

/** Every kind of defect. */
export const KINDS = ["duplicate", "inversion", "spent", "outside", "error", "exception", "hung"] as const;

/**
 * - `duplicate`: an ID was given out twice
 * - `inversion`: an ID is not above one whose call had ended before its own began
 * - `spent`: an ID of a tick before a `notBefore`, or a `notBefore` that has moved the highest reading
 * - `outside`: an ID that its format refuses, a field that is not as it should be, a time that the clock has not said
 * - `error`: a refusal that nothing gives reason for
 * - `exception`: something thrown that is no refusal
 * - `hung`: a call that never ends
 */
export type Kind = (typeof KINDS)[number];

/** A defect. */
export class Finding extends Error {
  readonly kind: Kind;

  constructor(kind: Kind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Thrown by callbacks, random sources and aborts: the caller's own, which must come through as it is. */
export class Own extends Error {}

/** The process dies in the middle of a call, having saved a snapshot. */
export class Crash extends Own {}
