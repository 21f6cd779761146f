/**
 * Keeps one lease: acquires a number, renews it, and gives it back. At most one call of the store counts at a time; a call that is made
 * again repeats its tokens; an answer counts only if it answers the last call that was made.
 *
 * Timers only decide how soon something happens. What may be issued is decided by the interval in each state, and so by the IDs' own time.
 */
import { signalOf } from "../checks.js";
import { GraupelError } from "../errors.js";
import { LONGEST_MS } from "../generated/constants.js";
import type { Leasable } from "../identity/shared.js";
import { onAbort } from "./aborting.js";
import { failed, granted, isAsked, leaseError, storeError } from "./answers.js";
import type { Environment } from "./environment.js";
import { type Keeper, Tenures } from "./tenure.js";
import type {
  AcquireRequest,
  Grant,
  LeaseOptions,
  LeaseStatus,
  LeaseStore,
  Permanent,
  Refused,
} from "./types.js";

/** What a driver is made of. */
export interface Setting {
  readonly environment: Environment;
  readonly store: LeaseStore;
  readonly format: Leasable;
  /** The values of fixed fields that all numbers have. */
  readonly chosen: Readonly<Record<string, number>>;
  /** The request for a number, but for its token. */
  readonly request: Omit<AcquireRequest, "token">;
  readonly maxWaitMs: number;
  readonly onChange: LeaseOptions["onChange"];
}

/** Keeps one lease. */
export interface Driver extends Keeper {
  readonly tenures: Tenures;
  /** Takes a turn, unless one is being taken: asks for a number, or for more time. */
  go(): void;
  status(): LeaseStatus;
  /**
   * Takes a turn now, and waits for its end; resolves once the wall clock is in the interval, the lease is released, or the signal
   * aborted: one that is aborted before asks the store nothing. Errors: the reason why not, after `maxWaitMs`.
   */
  ready(signal: AbortSignal | undefined): Promise<void>;
  release(): Promise<void>;
  invalidate(): void;
  /** Gives the number back, and asks for another one soon: the store's grants may go to others from now on. */
  revoke(): void;
}

type Held = Grant & Pick<AcquireRequest, "token">;

/** The shortest pause between two calls of the store, in milliseconds. */
const SHORTEST_MS = 50;

export function driverOf({
  environment,
  store,
  format,
  chosen,
  request,
  maxWaitMs,
  onChange,
}: Setting): Driver {
  const { wall, elapsed, jitter, after } = environment;
  const { namespace, layout, ttlMs, quarantineMs } = request;
  const third = ttlMs / 3;
  /** What was granted last, with the token that holds it. */
  let grant: Held | undefined;
  /** The tokens of a pending renewal, and of a pending acquisition. */
  let next: string | undefined;
  let asked: string | undefined;
  /** Whether the time of the number has begun; a clock that goes back changes that no more. */
  let isBegun = false;
  let renewals = 0;
  let losses = 0;
  let failures = 0;
  let skewMs: number | undefined;
  let error: unknown;
  /** The largest quarantine that is known of the namespace, and what the store cannot promise. */
  let largestMs = quarantineMs;
  let warnings: readonly string[] = [];
  /** The milliseconds that the store said to wait. */
  let retryInMs = 0;
  let released: Promise<void> | undefined;
  /** The turn that is being taken, and the timer of the next one. */
  let turn: Promise<void> | undefined;
  let cancel: (() => void) | undefined;
  /** When the last turn began, monotonic. */
  let began = -Infinity;
  /** Those who wait for the end of a turn. */
  const resting = new Set<() => void>();

  /** Drawn when it is sent, and mixed with the time: copies of one memory draw the same random bits. */
  const draw = () => `${environment.random()}.${wall()}.${elapsed()}`;

  function state(): LeaseStatus["state"] {
    const now = wall();
    const { from, until } = grant ?? { from: Infinity, until: 0 };
    isBegun ||= now >= from && from < until;
    const unreleased = !isBegun ? "waiting" : now < until ? "held" : "expired";
    return released ? "released" : unreleased;
  }

  const status = (): LeaseStatus => ({
    state: state(),
    namespace,
    number: grant?.number,
    fields: tenures.fields,
    from: grant?.from,
    until: grant?.until,
    ttlMs,
    renewals,
    losses,
    skewMs,
    error,
    warnings:
      largestMs > quarantineMs
        ? [...warnings, `quarantineMs: others of ${namespace} have ${largestMs}; set the same here`]
        : warnings,
  });

  function tell(): void {
    try {
      onChange?.(status());
    } catch (thrown) {
      queueMicrotask(() => {
        throw thrown;
      });
    }
  }

  /** Ends the tenure. Returns the first time that it has not used. */
  function drop(): number {
    next = asked = grant = undefined;
    isBegun = false;
    return tenures.end();
  }

  function reason(): GraupelError | undefined {
    if (released) {
      return leaseError("LEASE_RELEASED", "lease", "it was released; make another one");
    }
    return tenures.present && state() !== "waiting" ? undefined : lost();
  }

  function lost(): GraupelError {
    const ms = (grant?.from ?? 0) - wall();
    const words =
      ms > 0
        ? `number ${grant?.number} of ${namespace} starts in ${ms} ms`
        : `no number of ${namespace} is held`;
    return leaseError(
      "LEASE_LOST",
      "lease",
      `${words}; await nextAsync(), or raise maxWaitMs`,
      undefined,
      error,
    );
  }

  /** Ends the tenure, and tells the store what it has not used. Returns whether there was one. */
  async function giveBack(keeps = false): Promise<boolean> {
    const held = grant;
    const tokens = [held?.token, next].filter(Boolean) as string[];
    const nextFree = drop();
    if (held) {
      await call(() => store.release({ namespace, number: held.number, tokens, nextFree }), keeps);
    }
    return held !== undefined;
  }

  /** The error for a namespace in which all numbers are held. */
  const full = (holders = "") =>
    leaseError("LEASE_FULL", "namespace", `no number of ${namespace} is free${holders}`, namespace);

  /** What a wait ends with. Of numbers that are held, it says by whom. */
  async function lastError(): Promise<unknown> {
    if ((Object(error) as GraupelError).code !== "LEASE_FULL") {
      return error ?? lost();
    }
    const all = await call(async () => store.list?.(namespace)).catch(() => {});
    const holders = (all ?? [])
      .filter(({ held, number }) => held && isAsked(number, request))
      .map(({ number, label }) => ` ${number} by ${label}`);
    return holders[0] ? full(`; ${holders.length} are held:${holders.slice(0, 5)}`) : error;
  }

  /** Whether trying again does not help. A store that refuses for good may recover for a lease that it served before. */
  const isFinal = () => {
    const { code, permanent } = Object(error) as GraupelError & Permanent;
    return /LAYOUT|CONFLICT|RANDOM/.test(code) || (permanent && !grant && !losses);
  };

  /** A call of the store, with an end. An answer that comes later counts no more. */
  async function call<T>(work: () => Promise<T>, keeps = false): Promise<T> {
    const limit = Math.max(third, 100);
    let stop: (() => void) | undefined;
    const late = new Promise<never>((_, reject) => {
      stop = after(limit, keeps, reject, storeError(`no answer within ${Math.round(limit)} ms`, limit));
    });
    const sent = wall();
    try {
      const answer = await Promise.race([work(), late]);
      const { now, quarantineMs: seen, warnings: told } = Object(answer) as Partial<Grant>;
      warnings = told ?? warnings;
      largestMs = seen ?? largestMs;
      if (typeof now === "number") {
        skewMs = Math.round(now - (sent + wall()) / 2);
      }
      return answer;
    } catch (cause) {
      throw failed(cause);
    } finally {
      stop?.();
    }
  }

  async function acquire(): Promise<void> {
    retryInMs = 0;
    asked ??= draw();
    const mine = asked;
    const answer = await call(() => store.acquire({ ...request, token: mine }));
    const { layout: theirs, retryInMs: ms } = Object(answer) as Partial<AcquireRequest & Refused>;
    if (theirs !== undefined) {
      const words = `${namespace} has IDs of the layout ${String(theirs)}, not ${layout}; use another one`;
      throw leaseError("LEASE_LAYOUT", "namespace", words, namespace);
    }
    if (Number.isFinite(ms) && (ms as number) > 0) {
      retryInMs = ms as number;
      throw retryInMs > largestMs ? late(retryInMs) : full();
    }
    const found = granted(answer, request);
    const { number } = found;
    const refuse = () => call(() => store.release({ namespace, number, tokens: [mine], nextFree: 0 }));
    if (released || asked !== mine) {
      // Nobody wants it any more.
      return refuse();
    }
    if (grant !== undefined && found.from >= grant.from) {
      asked = undefined;
      await refuse();
      throw late(grant.from - found.now);
    }
    const given = giveBack().catch(() => {});
    // Record the grant first: if this is cut off, the next turn is a renewal.
    grant = { ...found, token: mine };
    try {
      tenures.hold(grant);
    } catch (conflict) {
      drop();
      try {
        // The store would grant it again, so it is given back only after another one was found.
        await acquire();
      } catch (cause) {
        throw (cause as GraupelError).code === "LEASE_FULL" ? conflict : cause;
      } finally {
        await refuse();
      }
    }
    await given;
  }

  /** Marks that a clock ahead has left stay when it is set right. */
  const late = (ms: number) =>
    leaseError(
      "LEASE_SKEW",
      "store",
      `its clock was ahead: ${namespace} has no number for ${ms} ms; see repair`,
      ms,
    );

  async function renew(held: Held): Promise<void> {
    next ??= draw();
    const nextToken = next;
    const { number, from, token } = held;
    const answer = await call(() => store.renew({ namespace, number, ttlMs, token, nextToken }));
    if (grant !== held) {
      // The tenure has ended meanwhile.
      return;
    }
    if (answer === null) {
      losses++;
      // A store has forgotten the tokens, unless it granted within a part that is over: then others may have the number at once.
      giveBack().catch(() => {});
      return acquire();
    }
    grant = { ...granted(answer, request, held), token: nextToken };
    next = undefined;
    renewals++;
    tenures.hold(grant);
    if (state() === "waiting" && from - grant.now > largestMs) {
      // The store's clock was ahead: another number begins earlier.
      await acquire();
    }
  }

  async function take(): Promise<void> {
    began = elapsed();
    try {
      await (grant ? renew(grant) : acquire());
      failures = retryInMs = 0;
      error = undefined;
      if (Math.abs(skewMs as number) > third) {
        const words = `the store's is ${skewMs} ms ahead; sync both with NTP`;
        error = leaseError("LEASE_SKEW", "clock", words, skewMs, undefined, third);
      }
    } catch (thrown) {
      failures++;
      error = failed(thrown);
    }
    tell();
  }

  /** Takes a turn, unless one is being taken. */
  function go(): void {
    if (turn === undefined && !released) {
      // On a stack of its own: on one that is full, what rejects is told to the process before it can be handled.
      turn = Promise.resolve().then(async () => {
        await take();
        turn = undefined;
        plan();
        endRests();
      });
    }
  }

  /** Milliseconds until the next turn. */
  function pause(): number {
    if (failures === 0) {
      // A tenure may have ended in the middle of a turn.
      return grant === undefined ? SHORTEST_MS : third * (0.8 + jitter() / 5);
    }
    const usual = SHORTEST_MS * 2 ** (failures - 1);
    return Math.min(third, retryInMs > 0 ? retryInMs + SHORTEST_MS : usual) * (0.5 + jitter());
  }

  /** The timer holds the lease weakly: whoever drops a lease without a release has it renewed no more. */
  function plan(): void {
    cancel?.();
    if (!released) {
      cancel = after(pause(), false, wake, self);
    }
  }

  function endRests(): void {
    for (const done of resting) {
      done();
    }
  }

  /** The rest of a release. */
  async function finish(): Promise<void> {
    // Whoever waits for it waits for the store, also at the end of a process.
    const given = giveBack(true);
    endRests();
    cancel?.();
    stopWaking();
    stopRevoking?.();
    if (!(await given) && turn) {
      // An acquisition that is on its way gives its number back; its own timers keep no process alive.
      await rest(LONGEST_MS, undefined);
    }
    tell();
  }

  /** Waits for a turn to end, or `ms`, or until the signal is aborted. */
  async function rest(ms: number, signal: AbortSignal | undefined): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = () => {
        stop();
        resting.delete(done);
        listening?.();
        resolve();
      };
      const stop = after(ms, true, done, undefined);
      resting.add(done);
      const listening = signal && onAbort(signal, done);
    });
  }

  const driver: Driver = {
    // Made below, because it asks the driver.
    get tenures() {
      return tenures;
    },
    status,
    reason,
    go,
    async again(call, options) {
      const end = elapsed() + maxWaitMs;
      for (;;) {
        try {
          return await call(options);
        } catch (error) {
          const passes = GraupelError.is(error) && /LEASE_LOST|OUTSIDE_INTERVAL/.test(error.code);
          // A clock of the generator's own may never come into the interval.
          if (!passes || elapsed() > end) {
            throw error;
          }
        }
        await driver.ready(signalOf(Object(options).signal));
      }
    },
    async ready(signal) {
      const end = elapsed() + maxWaitMs;
      if (signal?.aborted) {
        return;
      }
      // Thousands of calls may be refused at the same time.
      if (elapsed() - began > SHORTEST_MS) {
        go();
      }
      await rest(SHORTEST_MS, signal);
      while (/waiting|expired/.test(state()) && !signal?.aborted) {
        const left = end - elapsed();
        if (left <= 0 || isFinal()) {
          throw await lastError();
        }
        const begins = (grant?.from ?? 0) - wall();
        await rest(begins > 0 ? Math.min(begins, left) : left, signal);
      }
    },
    release() {
      if (!released) {
        // Before anything that may call it again.
        let settle: ((ending: Promise<void>) => void) | undefined;
        released = new Promise((resolve) => {
          settle = resolve;
        });
        settle?.(finish());
      }
      return released;
    },
    invalidate() {
      if (!released) {
        losses++;
        drop();
        go();
      }
    },
    revoke() {
      if (!released && grant) {
        losses++;
        // If the store does not hear it, the number is free after `ttlMs`.
        giveBack().catch(() => {});
        tell();
        if (turn === undefined) {
          plan();
        }
      }
    },
  };
  const tenures = new Tenures(format, chosen, driver);
  // Where nothing can be held weakly, a lease is renewed until its release.
  const self = typeof WeakRef === "function" ? new WeakRef(driver) : { deref: () => driver };
  const stopWaking = environment.onWake(wake, self);
  const stopRevoking = store.onRevoke?.(revoking(self));
  return driver;
}

/** Outside of the driver, so that what waits for it does not hold it. */
const revoking = (driver: Pick<WeakRef<Driver>, "deref">) => () => driver.deref()?.revoke();
const wake = (driver: Pick<WeakRef<Driver>, "deref">): void => {
  driver.deref()?.go();
};
