/**
 * Keeps one lease: acquires a number, renews it and releases it. Only the answer to the latest call
 * counts. A retried call sends the same tokens.
 *
 * Timers only decide how soon something happens. The interval in each state decides which IDs may
 * be issued, so uniqueness depends on the time in the IDs alone.
 */
import { dateOf, signalOf } from "../checks.js";
import { GraupelError } from "../errors.js";
import { LONGEST_MS } from "../generated/constants.js";
import type { Leasable } from "../identity/shared.js";
import { failed, full, granted, isAsked, late, leaseError, silent, waitOf } from "./answers.js";
import { Calls } from "./calls.js";
import type { Environment } from "./environment.js";
import { type NumberSource, Tenures } from "./tenure.js";
import { SHORTEST_MS, Turns, type Weakly, weakly } from "./turns.js";
import type { AcquireRequest, Grant, LeaseOptions, LeaseStatus, LeaseStore, Permanent } from "./types.js";

/** The settings of a keeper. */
export interface Setting {
  readonly environment: Environment;
  readonly store: LeaseStore;
  readonly format: Leasable;
  /** The field values that all numbers of the lease share. */
  readonly chosen: Readonly<Record<string, number>>;
  /** The request for a number, without its token. */
  readonly request: Omit<AcquireRequest, "token">;
  readonly maxWaitMs: number;
  readonly onChange?: LeaseOptions["onChange"];
}

type Held = Grant & Pick<AcquireRequest, "token">;

/** Defined outside the class, so that the store does not keep the keeper alive. */
const revoking = (keeper: Weakly<Keeper>) => () => keeper.deref()?.revoke();

export class Keeper implements NumberSource {
  readonly tenures: Tenures;
  readonly #environment: Environment;
  readonly #store: LeaseStore;
  readonly #request: Setting["request"];
  readonly #maxWaitMs: number;
  readonly #onChange: Setting["onChange"];
  readonly #calls: Calls;
  readonly #turns: Turns;
  readonly #third: number;
  /** The latest grant, with the token that holds it. */
  #grant: Held | undefined;
  /** The tokens of a pending renewal, and of a pending acquisition. */
  #next: string | undefined;
  #asked: string | undefined;
  /** Whether the interval of the number has started. It stays true if the clock goes back. */
  #isBegun = false;
  #renewals = 0;
  #losses = 0;
  #failures = 0;
  #error: GraupelError | undefined;
  /** The wait that the store asked for, in milliseconds. */
  #retryInMs = 0;
  #released: Promise<void> | undefined;
  readonly #stopRevoking: (() => void) | undefined;

  constructor(setting: Setting) {
    const { environment, store, format, chosen, request } = setting;
    this.#environment = environment;
    this.#store = store;
    this.#request = request;
    this.#maxWaitMs = setting.maxWaitMs;
    this.#onChange = setting.onChange;
    this.#third = request.ttlMs / 3;
    this.#calls = new Calls(environment, Math.max(this.#third, 100), request.quarantineMs);
    this.#turns = new Turns(environment, this);
    this.tenures = new Tenures(format, chosen, this);
    this.#stopRevoking = store.onRevoke?.(revoking(weakly(this)));
  }

  #state(): LeaseStatus["state"] {
    const now = this.#environment.wall();
    const { from, until } = this.#grant ?? { from: Infinity, until: 0 };
    this.#isBegun ||= now >= from;
    const unreleased = !this.#isBegun ? "waiting" : now < until ? "held" : "expired";
    return this.#released ? "released" : unreleased;
  }

  get status(): LeaseStatus {
    const { namespace, ttlMs, quarantineMs } = this.#request;
    const { largestMs, warnings, skewMs } = this.#calls;
    const { number, from, until } = this.#grant ?? ({} as Partial<Grant>);
    return {
      state: this.#state(),
      namespace,
      number,
      fields: this.tenures.fields,
      from,
      until,
      ttlMs,
      renewals: this.#renewals,
      losses: this.#losses,
      skewMs,
      error: this.#error,
      warnings:
        largestMs > quarantineMs
          ? [...warnings, `another process of ${namespace} has quarantineMs ${largestMs}; set the same here`]
          : warnings,
    };
  }

  #tell(): void {
    try {
      this.#onChange?.(this.status);
    } catch (thrown) {
      queueMicrotask(() => {
        throw thrown;
      });
    }
  }

  reason(): GraupelError | undefined {
    if (this.#released) {
      return leaseError("LEASE_RELEASED", "lease", "it was released; create another one");
    }
    return this.tenures.present && this.#state() !== "waiting" ? undefined : this.#lost();
  }

  #lost(): GraupelError {
    const { namespace } = this.#request;
    const { number, from = 0 } = this.#grant ?? {};
    const ms = from - this.#environment.wall();
    const what =
      ms > 0
        ? `number ${number} of ${namespace} may be used from ${dateOf(from)} on`
        : `no number of ${namespace} is held`;
    const words = `${what}; use nextAsync(), or raise maxWaitMs`;
    return leaseError("LEASE_LOST", "lease", words, undefined, this.#error);
  }

  /** The error that ends a wait. If all numbers are held, it names their holders. */
  async #lastError(): Promise<GraupelError> {
    const request = this.#request;
    const error = this.#error ?? (this.#grant ? this.#lost() : silent(this.#maxWaitMs));
    if (error.code !== "LEASE_FULL") {
      return error;
    }
    const all = await this.#calls.call(async () => this.#store.list?.(request.namespace)).catch(() => {});
    const holders = (all ?? [])
      .filter(({ held, number }) => held && isAsked(number, request))
      .map(({ number, label }) => ` ${number} by ${label}`);
    return holders[0]
      ? full(request.namespace, `; ${holders.length} are held:${holders.slice(0, 5)}`)
      : error;
  }

  /**
   * Whether a retry cannot help. For a lease that the store has served before, a permanent error
   * may still pass.
   */
  #isFinal() {
    const { code, permanent } = Object(this.#error) as GraupelError & Permanent;
    return /LAYOUT|CONFLICT|RANDOM/.test(code) || (permanent && !this.#grant && !this.#losses);
  }

  /**
   * Returns a new token, just before it is sent. It contains the time, because copies of one
   * process memory draw the same random bits.
   */
  #draw() {
    const { random, wall, elapsed } = this.#environment;
    return `${random()}.${wall()}.${elapsed()}`;
  }

  /** Ends the tenure. Returns the first unused Unix millisecond. */
  #drop(): number {
    this.#next = this.#asked = this.#grant = undefined;
    this.#isBegun = false;
    return this.tenures.end();
  }

  /** Releases a number. */
  #release(number: number, tokens: readonly string[], nextFree: number, keeps?: boolean) {
    const { namespace } = this.#request;
    return this.#calls.call(() => this.#store.release({ namespace, number, tokens, nextFree }), keeps);
  }

  /**
   * Ends the tenure and tells the store the first unused time. Returns whether there was a tenure.
   */
  async #giveBack(keeps?: boolean): Promise<boolean> {
    const held = this.#grant;
    const tokens = [held?.token, this.#next].filter(Boolean) as string[];
    const nextFree = this.#drop();
    if (held) {
      await this.#release(held.number, tokens, nextFree, keeps);
    }
    return !!held;
  }

  async #acquire(): Promise<void> {
    const request = this.#request;
    const { namespace } = request;
    this.#asked ??= this.#draw();
    const token = this.#asked;
    const answer = await this.#calls.call(() => this.#store.acquire({ ...request, token }));
    const wait = waitOf(answer, request);
    if (wait > 0) {
      this.#retryInMs = wait;
      throw wait > this.#calls.largestMs ? late(namespace, wait, this.#environment.wall()) : full(namespace);
    }
    const found = granted(answer, request);
    const giveUp = () => this.#release(found.number, [token], 0);
    if (this.#asked !== token) {
      // The tenure ended in the meantime.
      return giveUp();
    }
    const held = this.#grant;
    if (held && found.from >= held.from) {
      this.#asked = undefined;
      await giveUp();
      throw late(namespace, held.from - found.now, found.now);
    }
    const given = this.#giveBack().catch(() => {});
    // Record the grant first: if this call is cut off, the next turn renews it.
    this.#grant = { ...found, token };
    try {
      this.tenures.hold(found);
    } catch (conflict) {
      this.#drop();
      try {
        // Acquire another number before releasing this one: otherwise the store would grant this
        // one again.
        await this.#acquire();
      } catch (cause) {
        throw (cause as GraupelError).code === "LEASE_FULL" ? conflict : cause;
      } finally {
        await giveUp();
      }
    }
    await given;
  }

  async #renew(held: Held): Promise<void> {
    const { namespace, ttlMs } = this.#request;
    const { number, from, token } = held;
    this.#next ??= this.#draw();
    const nextToken = this.#next;
    const answer = await this.#calls.call(() =>
      this.#store.renew({ namespace, number, ttlMs, token, nextToken }),
    );
    if (this.#grant !== held) {
      // The tenure ended in the meantime.
      return;
    }
    if (answer === null) {
      this.#losses++;
      // Most stores no longer know these tokens. A store within a part that has ended still does,
      // and its release frees the number at once.
      this.#giveBack().catch(() => {});
      return this.#acquire();
    }
    const grant = { ...granted(answer, this.#request, held), token: nextToken };
    this.#grant = grant;
    this.#next = undefined;
    this.#renewals++;
    this.tenures.hold(grant);
    if (this.#state() === "waiting" && from - grant.now > this.#calls.largestMs) {
      // The store's clock was ahead. Another number may start earlier.
      await this.#acquire();
    }
  }

  async take(): Promise<void> {
    this.#retryInMs = 0;
    try {
      await (this.#grant ? this.#renew(this.#grant) : this.#acquire());
      this.#failures = 0;
      this.#error = undefined;
      const { skewMs = 0 } = this.#calls;
      if (Math.abs(skewMs) > this.#third) {
        const now = this.#environment.wall();
        const words = `it reads ${dateOf(now)}, and the store's ${dateOf(now + skewMs)}; set both with NTP`;
        this.#error = leaseError("LEASE_SKEW", "clock", words, skewMs, undefined, this.#third);
      }
    } catch (thrown) {
      this.#failures++;
      this.#error = failed(thrown);
    }
    this.#tell();
  }

  pause(): number {
    const { jitter } = this.#environment;
    if (this.#failures === 0) {
      // The tenure may have ended during the turn.
      return this.#grant === undefined ? SHORTEST_MS : this.#third * (0.8 + jitter() / 5);
    }
    const wait = this.#retryInMs;
    const ms = wait > 0 ? wait + SHORTEST_MS : SHORTEST_MS * 2 ** (this.#failures - 1);
    return Math.min(this.#third, ms) * (0.5 + jitter());
  }

  /**
   * Takes a turn now. Resolves once the wall clock is in the interval, or the lease is released, or
   * the signal is aborted. With a signal that is already aborted, it does not call the store. Errors:
   * after `maxWaitMs`, the reason why there is no number.
   */
  async ready(signal: AbortSignal | undefined): Promise<void> {
    const { elapsed, wall } = this.#environment;
    const end = elapsed() + this.#maxWaitMs;
    if (signal?.aborted) {
      return;
    }
    this.#turns.soon();
    await this.#turns.rest(SHORTEST_MS, signal);
    while (/waiting|expired/.test(this.#state()) && !signal?.aborted) {
      const left = end - elapsed();
      if (left <= 0 || this.#isFinal()) {
        throw await this.#lastError();
      }
      const begins = (this.#grant?.from ?? 0) - wall();
      await this.#turns.rest(begins > 0 ? Math.min(begins, left) : left, signal);
    }
  }

  async again<T>(call: (options: unknown) => Promise<T>, options: unknown): Promise<T> {
    const { elapsed } = this.#environment;
    const end = elapsed() + this.#maxWaitMs;
    for (;;) {
      try {
        return await call(options);
      } catch (error) {
        const passes = GraupelError.is(error) && /LEASE_LOST|OUTSIDE_INTERVAL/.test(error.code);
        // The generator's own clock may never reach the interval.
        if (!passes || elapsed() > end) {
          throw error;
        }
      }
      await this.ready(signalOf(Object(options).signal));
    }
  }

  release(): Promise<void> {
    if (!this.#released) {
      // Set the ending before any code that may call `release` again.
      let settle: ((ending: Promise<void>) => void) | undefined;
      this.#released = new Promise((resolve) => {
        settle = resolve;
      });
      settle?.(this.#finish());
    }
    return this.#released;
  }

  /** Completes a release. No turn starts after this. */
  async #finish(): Promise<void> {
    // The release keeps the process alive until the store answers.
    const given = this.#giveBack(true);
    this.#turns.end();
    this.#stopRevoking?.();
    if (!(await given) && this.#turns.turn) {
      // A pending acquisition releases its number when it ends. Its own timers do not keep the
      // process alive.
      await this.#turns.rest(LONGEST_MS);
    }
    this.#tell();
  }

  invalidate(): void {
    if (!this.#released) {
      this.#losses++;
      this.#drop();
      this.#turns.go();
    }
  }

  /**
   * Releases the number and soon asks for another one. From now on, the store may grant the current
   * number to others.
   */
  revoke(): void {
    if (this.#grant) {
      this.#losses++;
      // If the release does not reach the store, the number is free after `ttlMs`.
      this.#giveBack().catch(() => {});
      this.#tell();
      this.#turns.plan();
    }
  }
}
