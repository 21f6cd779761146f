/** The public types of leases: what a store does, what a lease is asked for, and what it tells. All times are Unix milliseconds. */
import type { AnyFormat } from "../any-format.js";
import type { CancelSignal } from "../types.js";

/** What a store is asked for a number. */
export interface AcquireRequest {
  /** Whose numbers they are: one for each column, queue or topic that the IDs meet in. */
  readonly namespace: string;
  /** The layout, epoch and tick of the IDs, as a short text. A namespace takes the first one that it sees, for ever. */
  readonly layout: string;
  /** The largest number that fits the fixed fields. */
  readonly last: number;
  /** Numbers `n` from 0 to `last` with `(n & mask) === bits` may be chosen. */
  readonly mask: number;
  /** See `mask`. */
  readonly bits: number;
  /** How long a grant lasts from the store's now on, in milliseconds. */
  readonly ttlMs: number;
  /** The longest `ttlMs` of the namespace, and what clocks and servers of the store may differ by, in milliseconds. */
  readonly quarantineMs: number;
  /** Who asks: drawn for this tenure, and for no other. */
  readonly token: string;
  /** Words for operators: host and process. */
  readonly label: string;
}

/** What a store is asked to extend a grant. */
export interface RenewRequest {
  /** Whose numbers they are. */
  readonly namespace: string;
  /** The number that is held. */
  readonly number: number;
  /** How long the grant lasts from the store's now on, in milliseconds. */
  readonly ttlMs: number;
  /** The token that holds the number. */
  readonly token: string;
  /** The one that is to hold it from now on. */
  readonly nextToken: string;
}

/** What a store is asked to take a number back. */
export interface ReleaseRequest {
  /** Whose numbers they are. */
  readonly namespace: string;
  /** The number that was held. */
  readonly number: number;
  /** Any of them may hold it: the answer to a renewal may have been lost. */
  readonly tokens: readonly string[];
  /** The first Unix millisecond that the tenure has not used; 0 if it has used none. */
  readonly nextFree: number;
}

/** A number, and the interval of ID time in which it may be used. */
export interface Grant {
  /** The number. */
  readonly number: number;
  /** The first Unix millisecond of ID time. */
  readonly from: number;
  /** The first one that is not granted; equal to `from` if none is granted yet. */
  readonly until: number;
  /** The store's clock. */
  readonly now: number;
  /** The largest `quarantineMs` that the namespace has seen, if the store records it. */
  readonly quarantineMs?: number | undefined;
  /** What the store cannot promise as it is set up, in words, if it knows. */
  readonly warnings?: readonly string[] | undefined;
}

/** Why a store grants no number now. */
export interface Refused {
  /** When one may be free, in milliseconds from now. */
  readonly retryInMs: number;
  /** The largest `quarantineMs` that the namespace has seen, if the store records it. */
  readonly quarantineMs?: number | undefined;
}

/** A namespace of another layout. */
export interface Foreign {
  /** Its layout. */
  readonly layout: string;
}

/** One record of a store. */
export interface Held {
  /** The number. */
  readonly number: number;
  /** Whether somebody holds it. */
  readonly held: boolean;
  /** ID times from here up to `mark` are the holder's. */
  readonly from: number;
  /** Every ID time below it is spent or reserved. */
  readonly mark: number;
  /** Who asked last, in words. */
  readonly label: string;
  /** The store's clock. */
  readonly now: number;
}

/** What an error may say of itself with which a store's call rejects. */
export interface Permanent {
  /**
   * True if waiting does not help: a missing table, a wrong password. A lease that has had no number yet then rejects at once; any other
   * error is tried again.
   */
  readonly permanent?: boolean | undefined;
}

/** How long a store may take to know its own properties. */
export interface ReadyOptions {
  /** The longest wait, in milliseconds; what the store chooses if left out. */
  readonly maxWaitMs?: number | undefined;
  /** Ends the wait, with its reason. */
  readonly signal?: CancelSignal | undefined;
}

/**
 * A store of leases. Each call is atomic, and is made by the store's own clock. Whoever writes one proves it with
 * `graupel/lease/conformance`. A call that fails is made again, unless its error has `permanent: true`.
 */
export interface LeaseStore {
  /** Whether no write that was acknowledged is ever lost: not by a crash, a failover or a flush. */
  readonly durable: boolean;
  /** The time to live of a grant, in milliseconds, unless a lease says otherwise. */
  readonly ttlMs?: number | undefined;
  /** What its clocks and servers may differ by, in milliseconds; 10,000 if left out. */
  readonly apartMs?: number | undefined;
  /**
   * Resolves once the properties above are known: for a store that has to ask somebody else. `lease` calls it first, and rejects with what
   * it rejects with.
   */
  ready?(options?: ReadyOptions): Promise<void>;
  /** Grants a number. A token that holds one already gets it again. */
  acquire(request: AcquireRequest): Promise<Grant | Refused | Foreign>;
  /** Extends a grant; null if neither token holds the number. The same call again gives the same. */
  renew(request: RenewRequest): Promise<Grant | null>;
  /** Takes a number back, if one of the tokens holds it. */
  release(request: ReleaseRequest): Promise<void>;
  /** The records of a namespace. */
  list?(namespace: string): Promise<readonly Held[]>;
  /** Forgets a namespace, as if it had never been. Only sound if nobody holds a number of it: `graupel lease repair` asks for that. */
  forget?(namespace: string): Promise<void>;
  /**
   * Calls `revoke` whenever its grants may go to others before they end: what it granted is then used no more, and released. Returns a
   * function that ends this.
   */
  onRevoke?(revoke: () => void): () => void;
}

/** What `lease` takes. */
export interface LeaseOptions {
  /** The format of the IDs. */
  readonly format: Pick<AnyFormat, "generator">;
  /** Whose numbers they are: 1 to 128 letters, digits and any of `_.:/-`. */
  readonly namespace: string;
  /** Values of fixed fields by name: only numbers with them are leased. */
  readonly fixed?: Readonly<Record<string, number>> | undefined;
  /**
   * How long a grant lasts without renewal, in milliseconds: at least 100, and 4 ticks. If left out, what the store says; else 30,000, or
   * 10,000 where numbers are few (32 or less) or the store may lose writes.
   */
  readonly ttlMs?: number | undefined;
  /**
   * The longest `ttlMs` of any process of the namespace, and what the clocks of the store's servers may differ by, in milliseconds; if
   * left out, `ttlMs` and what the store says, else 10,000. The same in every process; to raise `ttlMs`, raise this everywhere first.
   */
  readonly quarantineMs?: number | undefined;
  /** The longest wait for a number, in milliseconds; if left out, `quarantineMs` and three times `ttlMs`. */
  readonly maxWaitMs?: number | undefined;
  /** Ends the wait for the first number. */
  readonly signal?: CancelSignal | undefined;
  /** Words for operators, beside the number in the store, up to 200 characters; host and process if left out. */
  readonly label?: string | undefined;
  /** Called after each change of the status. What it throws is an uncaught error. */
  readonly onChange?: ((status: LeaseStatus) => void) | undefined;
}

/** What a lease is now. */
export interface LeaseStatus {
  /**
   * `"waiting"` for a number, or for its time to begin: `next()` throws, `nextAsync()` waits; `"held"`; `"expired"`: the interval is over, and the store has not extended it;
   * `"released"`.
   */
  readonly state: "waiting" | "held" | "expired" | "released";
  /** Whose numbers they are. */
  readonly namespace: string;
  /** The number; undefined if there is none. */
  readonly number: number | undefined;
  /** The fixed fields that it stands for, by name. */
  readonly fields: Readonly<Record<string, number>> | undefined;
  /** The first Unix millisecond of the interval of ID time. */
  readonly from: number | undefined;
  /** The first one after it. */
  readonly until: number | undefined;
  /** How long a grant lasts without a renewal, in milliseconds. */
  readonly ttlMs: number;
  /** Renewals that the store granted since the lease was made. */
  readonly renewals: number;
  /** Numbers that were lost since then. */
  readonly losses: number;
  /** By how much the store's clock is ahead of this one, in milliseconds, as the last answer showed; undefined before the first. */
  readonly skewMs: number | undefined;
  /** Why the last call of the store failed, or what is wrong; undefined if nothing is. */
  readonly error: unknown;
  /**
   * What the store cannot promise as it is set up, and options that differ between processes, in words. Redis says so of replicas
   * without `min-replicas-to-write`, of eviction, and of `durable: true` without `appendfsync always`.
   */
  readonly warnings: readonly string[];
}

/** A lease: pass it to the generators of its format as `lease`. */
export interface HeldLease {
  /** What the lease is now. */
  readonly status: LeaseStatus;
  /**
   * Gives the number back, once. Its generators issue nothing from the call on. Errors: rejects with `LEASE_STORE` if the store does not
   * answer; the number is then free after `ttlMs`.
   */
  release(this: void): Promise<void>;
  /**
   * Drops the number without a word to the store, and asks for another one. For a process whose memory was copied, in the hook that its
   * platform calls when a copy wakes up: each copy has the same number.
   */
  invalidate(this: void): void;
}

/** What `await using` looks for, where the compiler knows it. */
type EndsWithBlock = SymbolConstructor extends { readonly asyncDispose: infer Dispose extends symbol }
  ? Readonly<Record<Dispose, () => Promise<void>>>
  : unknown;

/** A lease; where the platform and the compiler know `await using`, it ends with its block. */
export type Lease = HeldLease & EndsWithBlock;
