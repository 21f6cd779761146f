/**
 * The property that marks our messages, because other programs may use the same channels. Its value
 * is the same in a request and its answer. The number in its name changes when the messages change.
 */
export const ID = "graupel.lease/1";

/** The calls of a store that messages can make. */
export const CALLS = ["ready", "acquire", "renew", "release", "list"] as const;
export type Call = (typeof CALLS)[number];

/** A call. */
export interface Request {
  readonly [ID]: string;
  readonly call: Call;
  readonly request: unknown;
}

/** The result of a call. */
export interface Answer {
  readonly [ID]: string;
  /** The thread that answers, on a channel that all threads hear. */
  readonly by?: string;
  readonly answer?: unknown;
  /** The error, with a code if the store threw a `GraupelError`. */
  readonly refusal?: {
    readonly message: string;
    readonly code?: string;
    readonly field?: string;
    readonly permanent?: boolean;
  };
}
