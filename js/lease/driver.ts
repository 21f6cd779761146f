/**
 * Keeps one lease: acquires a number, renews it, and gives it back. At most one call of the store counts at a time; a call that is made
 * again repeats its tokens; an answer counts only if it answers the last call that was made.
 *
 * Timers only decide how soon something happens. What may be issued is decided by the interval in each state, and so by the IDs' own time.
 */
import { GraupelError, refuseSaying } from "../errors.js";
import type { Environment } from "./environment.js";
import type { Given, Times } from "./options.js";
import type { Tenures } from "./tenure.js";
import type { AcquireRequest, Foreign, Grant, LeaseStatus, LeaseStore, Refused } from "./types.js";

/** What a driver is made of. */
export interface Setting extends Times {
  readonly environment: Environment;
  readonly store: LeaseStore;
  readonly options: Given;
  readonly tenures: Tenures;
  /** The request for a number, but for its token. */
  readonly request: Omit<AcquireRequest, "token">;
  /** The fixed fields of the tenure by name. */
  readonly named: () => Readonly<Record<string, number>> | undefined;
}

/** Keeps one lease. */
export interface Driver {
  /** Takes a turn, unless one is being taken: asks for a number, or for more time. */
  go(): Promise<void>;
  status(): LeaseStatus;
  /** Throws why there is no number now. */
  why(): never;
  /**
   * Resolves once the wall clock is in the interval, or the lease is released. `hurry`: takes a turn now, and waits for its end. Errors: the
   * reason why not, after `maxWaitMs`; the signal's.
   */
  ready(signal: AbortSignal | undefined, hurry: boolean): Promise<void>;
  release(): Promise<void>;
  invalidate(): void;
  /** Gives the number back, and asks for another one soon: the store's grants may go to others from now on. */
  revoke(): void;
}

/** An answer of a store that is none. */
const nonsense = (answer: unknown): never =>
  refuseSaying(
    "LEASE_STORE",
    "store",
    answer,
    "store: its answer is no grant; prove it with graupel/lease/conformance",
  );

type Acquired = Grant | Refused | Foreign;

/** Checks a grant. */
function granted(answer: unknown, last: number): Grant {
  const { number, from, until, now } = Object(answer) as Grant;
  const sound =
    [number, from, until, now].every(Number.isSafeInteger) && number >= 0 && number <= last && from <= until;
  return sound ? (answer as Grant) : nonsense(answer);
}

/** The reason of an aborted signal. React Native's older signals have none. */
const reasonOf = ({ reason }: AbortSignal): unknown =>
  reason ?? Object.assign(Error("aborted"), { name: "AbortError" });

/** The shortest pause between two calls of the store, in milliseconds. */
const SHORTEST_MS = 50;

export function driverOf(setting: Setting): Driver {
  const { environment, store, options, tenures, request, ttlMs, maxWaitMs, named } = setting;
  const { wall, elapsed, jitter, after } = environment;
  const { namespace } = request;
  /** Tokens of the tenure: the one that holds it, and the one that a pending renewal asks for. */
  let token: string | undefined;
  let next: string | undefined;
  /** The token of a pending acquisition. */
  let asked: string | undefined;
  /** What was granted last. */
  let grant: Grant | undefined;
  let renewals = 0;
  let losses = 0;
  let failures = 0;
  let skewMs: number | undefined;
  let error: unknown;
  /** The milliseconds that the store said to wait. */
  let retryInMs = 0;
  let released: Promise<void> | undefined;
  /** The turn that is being taken, and the timer of the next one. */
  let turn: Promise<void> | undefined;
  let cancel: (() => void) | undefined;
  /** When the last turn began, monotonic. */
  let began = Number.NEGATIVE_INFINITY;
  /** Those who wait for the end of a turn. */
  const resting = new Set<() => void>();

  /** Drawn when it is sent, and mixed with the time: copies of one memory draw the same random bits. */
  const draw = () =>
    `${environment.random()}.${wall().toString(36)}.${Math.floor(elapsed() * 1000).toString(36)}`;

  const isNow = () => grant !== undefined && grant.from <= wall() && wall() < grant.until;

  const status = (): LeaseStatus => ({
    state: released
      ? "released"
      : isNow()
        ? "held"
        : grant === undefined || wall() < grant.from || grant.from === grant.until
          ? "waiting"
          : "expired",
    namespace,
    number: tenures.number,
    fields: named(),
    from: grant?.from,
    until: grant?.until,
    ttlMs,
    renewals,
    losses,
    skewMs,
    error,
  });

  function tell(): void {
    const { onChange } = options;
    if (onChange) {
      try {
        onChange(status());
      } catch (thrown) {
        queueMicrotask(() => {
          throw thrown;
        });
      }
    }
  }

  /** Ends the tenure. Returns the first time that it has not used. */
  function drop(): number {
    token = next = asked = grant = undefined;
    return tenures.end();
  }

  /** Ends the tenure, and tells the store what it has not used. Returns whether there was one. */
  async function giveBack(): Promise<boolean> {
    const { number } = tenures;
    const tokens = [token, next].filter((one) => one !== undefined);
    const nextFree = drop();
    if (number !== undefined) {
      await call(() => store.release({ namespace, number, tokens, nextFree }));
    }
    return number !== undefined;
  }

  const lost = () =>
    Object.assign(
      new GraupelError(
        "LEASE_LOST",
        `lease: no number of ${namespace} is held now; await nextAsync(), or try again later`,
        "lease",
      ),
      { cause: error },
    );

  /** Whether trying again does not help. */
  const isFinal = () =>
    GraupelError.is(error) && (error.code === "LEASE_LAYOUT" || error.code === "CONFLICT");

  function why(): never {
    if (released) {
      refuseSaying("LEASE_RELEASED", "lease", undefined, "lease: it was released; make another one");
    }
    throw lost();
  }

  /** A call of the store, with an end. An answer that comes later counts no more. */
  async function call<T>(work: () => Promise<T>): Promise<T> {
    const limit = Math.max(ttlMs / 3, 100);
    let stop: (() => void) | undefined;
    const late = new Promise<never>((_, reject) => {
      stop = after(
        limit,
        false,
        () =>
          reject(
            new GraupelError(
              "LEASE_STORE",
              `store: no answer within ${Math.round(limit)} ms`,
              "store",
              limit,
            ),
          ),
        undefined,
      );
    });
    const sent = wall();
    try {
      const answer = await Promise.race([work(), late]);
      const now = (Object(answer) as { now?: unknown }).now;
      if (typeof now === "number") {
        skewMs = Math.round(now - (sent + wall()) / 2);
      }
      return answer;
    } catch (cause) {
      const { message } = Object(cause) as Error;
      throw GraupelError.is(cause)
        ? cause
        : Object.assign(new GraupelError("LEASE_STORE", `store: ${message ?? cause}`, "store"), { cause });
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
      refuseSaying(
        "LEASE_LAYOUT",
        "namespace",
        namespace,
        `namespace: ${namespace} numbers IDs of the layout ${answer.layout}, and this is ${request.layout}; take another one`,
      );
    }
    if ("retryInMs" in answer) {
      retryInMs = answer.retryInMs;
      refuseSaying(
        "LEASE_FULL",
        "namespace",
        namespace,
        `namespace: all numbers of ${namespace} that may be chosen are held; the next may be free in ${Math.ceil(retryInMs)} ms`,
      );
    }
    const { number, from, until } = granted(answer, request.last);
    if (released || asked !== mine) {
      // Nobody wants it any more.
      await call(() => store.release({ namespace, number, tokens: [mine], nextFree: 0 }));
      return;
    }
    try {
      tenures.begin(number, from, until);
    } catch (conflict) {
      asked = undefined;
      await call(() => store.release({ namespace, number, tokens: [mine], nextFree: 0 }));
      throw conflict;
    }
    token = mine;
    asked = undefined;
    grant = answer;
  }

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
      drop();
      return acquire();
    }
    const { until } = granted(answer, request.last);
    token = nextToken;
    next = undefined;
    renewals++;
    grant = { ...answer, from };
    tenures.extend(until);
  }

  async function take(): Promise<void> {
    began = elapsed();
    try {
      await (grant !== undefined && token !== undefined ? renew(grant, token) : acquire());
      failures = retryInMs = 0;
      error = undefined;
      if (skewMs !== undefined && Math.abs(skewMs) > ttlMs / 3) {
        error = new GraupelError(
          "LEASE_SKEW",
          `clock: the store's is ${skewMs} ms ahead of this one, of a ttlMs of ${ttlMs}; set this clock`,
          "clock",
          skewMs,
          -ttlMs / 3,
          ttlMs / 3,
        );
      }
    } catch (thrown) {
      failures++;
      error = thrown;
    }
    tell();
  }

  /** Takes a turn, unless one is being taken. */
  function go(): Promise<void> {
    if (turn === undefined && !released) {
      cancel?.();
      turn = take().then(() => {
        turn = undefined;
        plan();
        for (const done of resting) {
          done();
        }
      });
    }
    return turn ?? Promise.resolve();
  }

  /** Milliseconds until the next turn. */
  function pause(): number {
    const third = ttlMs / 3;
    if (failures === 0) {
      // A tenure may have ended in the middle of a turn.
      return grant === undefined ? SHORTEST_MS : third * (0.8 + jitter() / 5);
    }
    const usual = SHORTEST_MS * 2 ** Math.min(failures - 1, 20);
    return Math.min(third, retryInMs > 0 ? retryInMs + SHORTEST_MS : usual) * (0.5 + jitter());
  }

  /** The timer holds the lease weakly: whoever drops a lease without a release has it renewed no more. */
  function plan(): void {
    if (!released) {
      cancel = after(pause(), false, wake, self);
    }
  }

  /** Waits for a turn to end, or `ms`, or until the signal is aborted. */
  async function rest(ms: number, signal: AbortSignal | undefined): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = () => {
        stop();
        resting.delete(done);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const stop = after(ms, true, done, undefined);
      resting.add(done);
      signal?.addEventListener("abort", done);
    });
    if (signal?.aborted) {
      throw reasonOf(signal);
    }
  }

  const driver: Driver = {
    status,
    why,
    go,
    async ready(signal, hurry) {
      const end = elapsed() + maxWaitMs;
      if (signal?.aborted) {
        throw reasonOf(signal);
      }
      if (hurry) {
        // Thousands of calls may be refused at the same time.
        if (elapsed() - began > SHORTEST_MS) {
          void go();
        }
        await rest(SHORTEST_MS, signal);
      }
      while (!released && !isNow()) {
        const left = end - elapsed();
        if (left <= 0 || isFinal()) {
          throw error ?? lost();
        }
        const begins = (grant?.from ?? 0) - wall();
        await rest(begins > 0 ? Math.min(begins, left) : left, signal);
      }
    },
    release() {
      released ??= (async () => {
        stopWaking();
        stopRevoking?.();
        cancel?.();
        if (!(await giveBack())) {
          // An acquisition that is on its way gives its number back.
          await turn;
        }
        tell();
      })();
      return released;
    },
    invalidate() {
      if (!released) {
        losses++;
        drop();
        void go();
      }
    },
    revoke() {
      if (!released && tenures.number !== undefined) {
        losses++;
        // If the store does not hear it, the number is free after `ttlMs`.
        giveBack().catch(() => {});
        tell();
        if (turn === undefined) {
          cancel?.();
          plan();
        }
      }
    },
  };
  const self = new WeakRef(driver);
  const stopWaking = environment.onWake(wake, self);
  const stopRevoking = store.onRevoke?.(() => self.deref()?.revoke());
  return driver;
}

/** Outside of the driver, so that what waits for it does not hold it. */
const wake = (driver: WeakRef<Driver>): void => {
  void driver.deref()?.go();
};
