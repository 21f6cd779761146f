/**
 * Keeps one lease: acquires a number, renews it, and gives it back. At most one call of the store counts at a time; a call that is made
 * again repeats its tokens; an answer counts only if it answers the last call that was made.
 *
 * Timers only decide how soon something happens. What may be issued is decided by the interval in each state, and so by the IDs' own time.
 */
import type { GraupelError } from "../errors.js";
import { LONGEST_MS } from "../generated/constants.js";
import { onAbort } from "./aborting.js";
import { failed, failure, granted, refusal } from "./answers.js";
import type { Environment } from "./environment.js";
import type { Tenures } from "./tenure.js";
import type {
  AcquireRequest,
  Foreign,
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
  readonly tenures: Tenures;
  /** The request for a number, but for its token. */
  readonly request: Omit<AcquireRequest, "token">;
  readonly maxWaitMs: number;
  readonly onChange: LeaseOptions["onChange"];
}

/** Keeps one lease. */
export interface Driver {
  /** Takes a turn, unless one is being taken: asks for a number, or for more time. */
  go(): void;
  status(): LeaseStatus;
  /** Why there is no number now, or its time has not begun; undefined if a generator may issue. */
  reason(): GraupelError | undefined;
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

type Acquired = Grant | Refused | Foreign;

/** The shortest pause between two calls of the store, in milliseconds. */
const SHORTEST_MS = 50;

export function driverOf({ environment, store, tenures, request, maxWaitMs, onChange }: Setting): Driver {
  const { wall, elapsed, jitter, after } = environment;
  const { namespace, layout, last, mask, bits, ttlMs, quarantineMs } = request;
  const third = ttlMs / 3;
  /** Tokens of the tenure: the one that holds it, and the one that a pending renewal asks for. */
  let token: string | undefined;
  let next: string | undefined;
  /** The token of a pending acquisition. */
  let asked: string | undefined;
  /** What was granted last. */
  let grant: Grant | undefined;
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
    number: tenures.present?.number,
    fields: tenures.present?.named,
    from: grant?.from,
    until: grant?.until,
    ttlMs,
    renewals,
    losses,
    skewMs,
    error,
    warnings:
      largestMs > quarantineMs
        ? [...warnings, `quarantineMs: others of ${namespace} have ${largestMs}; say the same everywhere`]
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
    token = next = asked = grant = undefined;
    isBegun = false;
    return tenures.end();
  }

  function reason(): GraupelError | undefined {
    if (released) {
      return refusal("LEASE_RELEASED", "lease", "it was released; make another one");
    }
    if (state() !== "waiting") {
      return undefined;
    }
    const ms = (grant?.from ?? 0) - wall();
    const words =
      ms > 0
        ? `the time of number ${grant?.number} of ${namespace} begins in ${ms} ms; wait for longer`
        : `no number of ${namespace} is held now; await nextAsync()`;
    return refusal("LEASE_LOST", "lease", words, undefined, error);
  }

  /** Ends the tenure, and tells the store what it has not used. Returns whether there was one. */
  async function giveBack(keeps = false): Promise<boolean> {
    const number = tenures.present?.number;
    const tokens = [token, next].filter((one) => one !== undefined);
    const nextFree = drop();
    if (number !== undefined) {
      await call(() => store.release({ namespace, number, tokens, nextFree }), keeps);
    }
    return number !== undefined;
  }

  /** The error for a namespace in which all numbers are held. */
  const full = (words: string) => refusal("LEASE_FULL", "namespace", words, namespace);

  /** What a wait ends with. Of numbers that are held, it says by whom. */
  async function ending(): Promise<unknown> {
    if ((Object(error) as GraupelError).code !== "LEASE_FULL") {
      return error ?? reason();
    }
    const all = await call(async () => store.list?.(namespace)).catch(() => {});
    const held = (all ?? []).filter((it) => it.held && it.number <= last && (it.number & mask) === bits);
    const some = held.slice(0, 5).map(({ number, label }) => ` ${number} by ${label}`);
    return full(`${namespace} has ${held.length} numbers held:${some}${held[5] ? ", ..." : ""}`);
  }

  /** Whether trying again does not help. A store that refuses for good may recover for a lease that it served before. */
  const isFinal = () => {
    const { code, permanent } = Object(error) as GraupelError & Permanent;
    return /LAYOUT|CONFLICT|RANDOM/.test(code) || (permanent && grant === undefined && losses === 0);
  };

  /** A call of the store, with an end. An answer that comes later counts no more. */
  async function call<T>(work: () => Promise<T>, keeps = false): Promise<T> {
    const limit = Math.max(third, 100);
    let stop: (() => void) | undefined;
    const late = new Promise<never>((_, reject) => {
      stop = after(limit, keeps, reject, failure(`no answer within ${Math.round(limit)} ms`, limit));
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
    const answer = Object(await call(() => store.acquire({ ...request, token: mine }))) as Acquired;
    if ("layout" in answer) {
      const words = `${namespace} has IDs of the layout ${String(answer.layout)}, not ${layout}; take another one`;
      throw refusal("LEASE_LAYOUT", "namespace", words, namespace);
    }
    if ("retryInMs" in answer && Number.isFinite(answer.retryInMs) && answer.retryInMs > 0) {
      ({ retryInMs } = answer);
      throw retryInMs > largestMs ? late(retryInMs) : full(`${namespace} has no number free`);
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
    token = mine;
    grant = found;
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
    refusal(
      "LEASE_SKEW",
      "store",
      `its clock was ahead: ${namespace} has no number for ${ms} ms; see repair`,
      ms,
    );

  async function renew(held: Grant, mine: string): Promise<void> {
    next ??= draw();
    const nextToken = next;
    const { number, from } = held;
    const answer = await call(() => store.renew({ namespace, number, ttlMs, token: mine, nextToken }));
    if (token !== mine) {
      // The tenure has ended meanwhile.
      return;
    }
    if (answer === null) {
      losses++;
      // A store has forgotten the tokens, unless it granted within a part that is over: then others may have the number at once.
      giveBack().catch(() => {});
      return acquire();
    }
    const renewed = granted(answer, request);
    if (renewed.number !== number || renewed.from !== from) {
      throw failure("its answer is no renewal", answer);
    }
    grant = renewed;
    token = nextToken;
    next = undefined;
    renewals++;
    tenures.hold(grant);
    if (state() === "waiting" && from - renewed.now > largestMs) {
      // The store's clock was ahead: another number begins earlier.
      await acquire();
    }
  }

  async function take(): Promise<void> {
    began = elapsed();
    try {
      await (grant !== undefined && token !== undefined ? renew(grant, token) : acquire());
      failures = retryInMs = 0;
      error = undefined;
      if (Math.abs(skewMs as number) > third) {
        const words = `the store's is ${skewMs} ms ahead of this one; set the wrong one`;
        error = refusal("LEASE_SKEW", "clock", words, skewMs, undefined, third);
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
    status,
    reason,
    go,
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
          throw await ending();
        }
        const begins = (grant?.from ?? 0) - wall();
        await rest(begins > 0 ? Math.min(begins, left) : left, signal);
      }
    },
    release() {
      if (released === undefined) {
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
      if (!released && tenures.present) {
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
