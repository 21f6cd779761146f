/**
 * The public types of leases: the store, the options, the status. All times are Unix milliseconds.
 */
import type { AnyFormat } from "../any-format.js";
import type { CancelSignal } from "../types.js";

/** A request for a number. */
export interface AcquireRequest {
  /** The namespace of the numbers: one for each column, queue or topic. */
  readonly namespace: string;
  /**
   * The layout, epoch and tick of the IDs, as a short text. A namespace keeps its first one for
   * ever.
   */
  readonly layout: string;
  /** The largest number that fits the fixed fields. */
  readonly last: number;
  /** The store may choose any `n` from 0 to `last` with `(n & mask) === bits`. */
  readonly mask: number;
  /** See `mask`. */
  readonly bits: number;
  /** How long a grant lasts from the store's current time, in milliseconds. */
  readonly ttlMs: number;
  /** The longest `ttlMs` of the namespace plus the store's `apartMs`, in milliseconds. */
  readonly quarantineMs: number;
  /** The caller's token, drawn for this tenure alone. */
  readonly token: string;
  /** A label for operators, such as host and process. */
  readonly label: string;
}

/** A request to extend a grant. */
export interface RenewRequest {
  /** The namespace of the number. */
  readonly namespace: string;
  /** The number that is held. */
  readonly number: number;
  /** How long the grant lasts from the store's current time, in milliseconds. */
  readonly ttlMs: number;
  /** The token that holds the number. */
  readonly token: string;
  /** The token that holds it from now on. */
  readonly nextToken: string;
}

/** A request to release a number. */
export interface ReleaseRequest {
  /** The namespace of the number. */
  readonly namespace: string;
  /** The number that was held. */
  readonly number: number;
  /** The tokens that may hold it: several if the answer to a renewal was lost. */
  readonly tokens: readonly string[];
  /** The first unused Unix millisecond of the tenure; 0 if it issued nothing. */
  readonly nextFree: number;
}

/** A number, with the interval of ID time in which it may be used. */
export interface Grant {
  /** The number. */
  readonly number: number;
  /** The first Unix millisecond of ID time. */
  readonly from: number;
  /**
   * The first Unix millisecond after the interval; equal to `from` if the interval is still empty.
   */
  readonly until: number;
  /** The current time of the store's clock. */
  readonly now: number;
  /** The largest `quarantineMs` of the namespace, if the store records it. */
  readonly quarantineMs?: number | undefined;
  /** Warnings about the setup of the store, if it knows any. */
  readonly warnings?: readonly string[] | undefined;
}

/** The answer of a store that has no number to grant now. */
export interface Refused {
  /** How long to wait before the next attempt, in milliseconds. */
  readonly retryInMs: number;
  /** The largest `quarantineMs` of the namespace, if the store records it. */
  readonly quarantineMs?: number | undefined;
}

/** The answer of a namespace that has another layout. */
export interface Foreign {
  /** Its layout. */
  readonly layout: string;
}

/** One record of a store. */
export interface Held {
  /** The number. */
  readonly number: number;
  /** Whether the number is held. */
  readonly held: boolean;
  /** The holder's IDs may contain times from this one to before `mark`. */
  readonly from: number;
  /** Every ID time before this one is used or reserved. */
  readonly mark: number;
  /** The label of the last caller. */
  readonly label: string;
  /** The current time of the store's clock. */
  readonly now: number;
}

/** A property of errors with which a store's calls reject. */
export interface Permanent {
  /**
   * True if a retry cannot help, as with a missing table or a wrong password. `lease` then rejects
   * at once; after any other error it retries.
   */
  readonly permanent?: boolean | undefined;
}

/** Options of `ready`. */
export interface ReadyOptions {
  /** The longest wait, in milliseconds; by default, the store decides. */
  readonly maxWaitMs?: number | undefined;
  /** Aborts the wait with its reason. */
  readonly signal?: CancelSignal | undefined;
}

/**
 * A lease store. Each call is atomic and uses the store's own clock. If you write a store, check it
 * with `graupel/lease/conformance`. A failed call is retried, unless its error has `permanent:
 * true`.
 */
export interface LeaseStore {
  /** Whether no acknowledged write is ever lost, even in a crash, a failover or a flush. */
  readonly durable: boolean;
  /** The default for `ttlMs` of a lease, in milliseconds. */
  readonly ttlMs?: number | undefined;
  /**
   * How far the clocks and servers of the store may be apart, in milliseconds; 10,000 by default.
   */
  readonly apartMs?: number | undefined;
  /**
   * Resolves once the properties above are known, for a store that is in another thread. `lease`
   * calls it first and rejects with the same error.
   */
  ready?(options?: ReadyOptions): Promise<void>;
  /** Grants a number. A token that already holds a number gets the same one. */
  acquire(request: AcquireRequest): Promise<Grant | Refused | Foreign>;
  /**
   * Extends a grant; null if neither token holds the number. A repeated call has the same result.
   */
  renew(request: RenewRequest): Promise<Grant | null>;
  /** Releases a number, if one of the tokens holds it. */
  release(request: ReleaseRequest): Promise<void>;
  /** The records of a namespace. */
  list?(namespace: string): Promise<readonly Held[]>;
  /**
   * Deletes a namespace. This is safe only if no process holds one of its numbers. `graupel lease
   * repair` calls it.
   */
  forget?(namespace: string): Promise<void>;
  /**
   * Registers a function that the store calls when it may grant held numbers to others before they
   * expire. The lease then stops using its number, and releases it. Returns a function that removes
   * it.
   */
  onRevoke?(revoke: () => void): () => void;
}

/** Options of `lease`. */
export interface LeaseOptions {
  /** The format of the IDs. */
  readonly format: Pick<AnyFormat, "generator">;
  /**
   * The namespace of the numbers: 1 to 128 letters, digits and any of `_.:/-`. Use one per column.
   */
  readonly namespace: string;
  /** Values of some fixed fields by name. Only numbers with these values are leased. */
  readonly fixed?: Readonly<Record<string, number>> | undefined;
  /**
   * How long a grant lasts without renewal, in milliseconds: at least 100, and at least 4 ticks. By
   * default, the store's `ttlMs`, or 30,000; 10,000 if there are at most 32 numbers or the store
   * may lose writes.
   */
  readonly ttlMs?: number | undefined;
  /**
   * The longest `ttlMs` of any process of the namespace plus the store's `apartMs`, in
   * milliseconds. By default, `ttlMs` plus `apartMs`. Use the same value in every process. Before
   * you raise `ttlMs`, raise this everywhere.
   */
  readonly quarantineMs?: number | undefined;
  /**
   * The longest wait for a number, in milliseconds; by default, three times `ttlMs` plus
   * `quarantineMs`, or plus twice `quarantineMs` if the store may lose writes.
   */
  readonly maxWaitMs?: number | undefined;
  /** Aborts the wait for the first number. */
  readonly signal?: CancelSignal | undefined;
  /**
   * A label for operators, up to 200 characters, stored with the number; by default, host and
   * process.
   */
  readonly label?: string | undefined;
  /** Called after each change of the status. An error that it throws is an uncaught error. */
  readonly onChange?: ((status: LeaseStatus) => void) | undefined;
}

/** The status of a lease. */
export interface LeaseStatus {
  /**
   * `"waiting"`: for a number, or for its interval to start; `next()` throws and `nextAsync()`
   * waits. `"held"`: the generators issue IDs. `"expired"`: the interval has ended, and the store
   * has not extended it. `"released"`: the lease has ended.
   */
  readonly state: "waiting" | "held" | "expired" | "released";
  /** The namespace of the numbers. */
  readonly namespace: string;
  /** The number; undefined if there is none. */
  readonly number: number | undefined;
  /** The fixed fields in the number, by name. */
  readonly fields: Readonly<Record<string, number>> | undefined;
  /** The first Unix millisecond of the interval of ID time. */
  readonly from: number | undefined;
  /** The first Unix millisecond after the interval. */
  readonly until: number | undefined;
  /** How long a grant lasts without a renewal, in milliseconds. */
  readonly ttlMs: number;
  /** How many renewals the store has granted to this lease. */
  readonly renewals: number;
  /** How many numbers this lease has lost. */
  readonly losses: number;
  /**
   * How far the store's clock is ahead of this one, in milliseconds, by the last answer; undefined
   * before the first.
   */
  readonly skewMs: number | undefined;
  /**
   * The error of the last call of the store, or another current problem; undefined if there is
   * none.
   */
  readonly error: unknown;
  /**
   * Warnings about the setup of the store, and about options that differ between processes. Redis
   * warns about replicas without `min-replicas-to-write`, about eviction, and about `durable: true`
   * without `appendfsync always`.
   */
  readonly warnings: readonly string[];
}

/** A lease: pass it to the generators of its format as `lease`. */
export interface HeldLease {
  /** The current status. */
  readonly status: LeaseStatus;
  /**
   * Releases the number. From this call on, the generators issue nothing. Errors: rejects with
   * `LEASE_STORE` if the store does not answer; the number is then free after `ttlMs`.
   */
  release(this: void): Promise<void>;
  /**
   * Drops the number without a release and acquires another one. Call it in your platform's hook
   * for a restored copy of the process memory, because every copy has the same number.
   */
  invalidate(this: void): void;
}

/** The method for `await using`, if the compiler knows it. */
type EndsWithBlock = SymbolConstructor extends { readonly asyncDispose: infer Dispose extends symbol }
  ? Readonly<Record<Dispose, () => Promise<void>>>
  : unknown;

/** A lease. With `await using`, on platforms that have it, the lease ends with its block. */
export type Lease = HeldLease & EndsWithBlock;
