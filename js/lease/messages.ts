/**
 * What threads and processes say to the one that serves them. Others use the same channels: a message is ours if it has this property,
 * whose value ties an answer to its request. The number changes when messages do.
 */
export const ID = "graupel.lease/1";

/** The calls of a store that can be made from elsewhere. */
export const CALLS = ["ready", "acquire", "renew", "release", "list"] as const;
export type Call = (typeof CALLS)[number];

/** A call. */
export interface Request {
  readonly [ID]: string;
  readonly call: Call;
  readonly request: unknown;
}

/** What came of a call. */
export interface Answer {
  readonly [ID]: string;
  /** Whose answer it is, where all threads hear it. */
  readonly by?: string;
  readonly answer?: unknown;
  /** Why it failed. With a code if the store refused it. */
  readonly refusal?: {
    readonly message: string;
    readonly code?: string;
    readonly field?: string;
    readonly permanent?: boolean;
  };
}
