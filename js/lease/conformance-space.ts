/**
 * Tools for the checks: a namespace for their calls, assertions about answers, and rounds of calls.
 */
import type { AcquireRequest, Foreign, Grant, LeaseStore, Refused } from "./types.js";

export const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export function must(holds: boolean, what: string, ...seen: unknown[]): asserts holds {
  if (!holds) {
    throw new Error([what, ...seen.map((one) => JSON.stringify(one))].join("; "));
  }
}

/**
 * Thrown by a round that proves nothing, because the interval may have expired before the answer
 * came.
 */
export const LATE = Symbol("late");

/** Repeats a round until it proves something, each time with twice the ttl. */
export async function untilProven(round: (ttlMs: number) => Promise<void>, ttlMs: number): Promise<void> {
  for (let longer = ttlMs; longer < 99 * ttlMs; longer *= 2) {
    try {
      return await round(longer);
    } catch (error) {
      if (error !== LATE) {
        throw error;
      }
      // Concurrent rounds may be the reason that the store is slow. Spread them.
      await wait(Math.random() * longer);
    }
  }
  throw new Error(`the store answers too slowly for a ttlMs of ${ttlMs}`);
}

/**
 * The monotonic time at which the call for each grant began. A null answer does not contain the
 * store's time.
 */
const askedAt = new WeakMap<object, number>();
/** How long that call took. The grant was made within it, perhaps long after the time that it tells. */
const tookMs = new WeakMap<object, number>();

async function asking<Answer extends object | null>(call: () => Promise<Answer>): Promise<Answer> {
  const asked = performance.now();
  const answer = await call();
  if (answer !== null) {
    askedAt.set(answer, asked);
    tookMs.set(answer, performance.now() - asked);
  }
  return answer;
}

/**
 * Fails if two grants of a number overlap, by the store's own times. If one follows the other, the
 * round was late.
 */
export function mustDiffer(answers: readonly object[]): void {
  const grants = answers.filter(isGranted);
  let isLate = false;
  for (const one of grants) {
    for (const other of grants) {
      // Compare the sums: an interval may be empty, and then the next one begins at the same time.
      const isLater = other.from + other.until >= one.from + one.until;
      if (one !== other && one.number === other.number && isLater) {
        const now = other.now + (tookMs.get(other) ?? 0);
        must(Math.min(other.from, now) >= one.until, "one number twice", one, other);
        isLate = true;
      }
    }
  }
  if (isLate) {
    throw LATE;
  }
}

export const isGranted = (answer: object): answer is Grant => "number" in answer;

let drawn = 0;
/** A text that no other check, process or run uses. */
export const unique = (what = "token") =>
  `${what}-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 10)}-${drawn++}`;

export const LAYOUT = "0+1:41,10n,12";

/** The `share` for a race in which the calls meet just after the interval ends. */
export const AFTER = 1.1;

/** Waits until a time on the store's clock. The grant contains the store's current time. */
export const reach = (time: number, { now }: Grant) => wait(time - now + 50);

/**
 * The number of rounds of two calls at the same time. A store that reads and then writes fails
 * about one round in ten.
 */
const ROUNDS = 100;

/**
 * Makes calls that meet, in a namespace whose only number the token holds. `soon` makes a call at
 * about that moment.
 */
type Meet = (
  space: Space,
  token: string,
  held: Grant,
  soon: <T>(call: () => Promise<T>) => Promise<T>,
) => Promise<void>;

/** A new namespace in a store, and the calls that a check makes in it. */
export class Space {
  readonly namespace = unique("check");
  readonly store: LeaseStore;
  readonly ttlMs: number;

  constructor(store: LeaseStore, ttlMs: number) {
    this.store = store;
    this.ttlMs = ttlMs;
  }

  /** A request for a number with a new token. The quarantine equals the ttl. */
  request(more?: Partial<AcquireRequest>): AcquireRequest {
    const { namespace, ttlMs } = this;
    const numbers = { layout: LAYOUT, last: 3, mask: 0, bits: 0 };
    return { namespace, ...numbers, ttlMs, quarantineMs: ttlMs, token: unique(), label: "a check", ...more };
  }

  acquire(more?: Partial<AcquireRequest>): Promise<Grant | Refused | Foreign> {
    return asking(() => this.store.acquire(this.request(more)));
  }

  /**
   * Acquires a number. Retries while the store asks for a short wait because other callers were
   * faster.
   */
  async ask(more?: Partial<AcquireRequest>): Promise<Grant | Refused | Foreign> {
    const request = this.request(more);
    for (let tries = 9; ; tries--) {
      const answer = await this.acquire(request);
      if (!tries || !("retryInMs" in answer) || answer.retryInMs >= this.ttlMs / 4) {
        return answer;
      }
      await wait(answer.retryInMs);
    }
  }

  /** Acquires a number and fails without a grant. */
  async take(more?: Partial<AcquireRequest>): Promise<Grant> {
    const answer = await this.ask(more);
    must(isGranted(answer), "acquire: expected a number", more, answer);
    const { number, from, until, now } = answer;
    must([number, from, until, now].every(Number.isSafeInteger), "a grant has whole numbers", answer);
    must(from <= until, "a grant begins before it ends", answer);
    this.#mustEnd(answer);
    must(Math.abs(now - Date.now()) < 600_000, "`now` is Unix milliseconds by the store's clock", answer);
    return answer;
  }

  /** Takes the first number of the namespace, whose interval must begin a quarantine later. */
  async first(more?: Partial<AcquireRequest>): Promise<Grant> {
    const asked = performance.now();
    const grant = await this.take(more);
    const took = performance.now() - asked;
    if (2 * took >= this.ttlMs) {
      throw LATE;
    }
    // The namespace was created during the call. Both times are whole milliseconds.
    const isLater = grant.from > grant.now - took - 1 + this.ttlMs;
    must(isLater, "the first grant begins a quarantine later", grant, took);
    return grant;
  }

  /** Fails if the interval ends too far in the future: callers would wait for that end. */
  #mustEnd(grant: Grant): void {
    const isNear = grant.until <= grant.now + 2 * this.ttlMs;
    this.mustWhile(grant, isNear, "an interval ends within a quarantine and a ttl");
  }

  release(number: number, tokens: readonly string[], nextFree: number): Promise<void> {
    return this.store.release({ namespace: this.namespace, number, tokens, nextFree });
  }

  /** Renews for this many milliseconds. */
  renewFor(ttlMs: number, number: number, token: string, nextToken: string): Promise<Grant | null> {
    const { namespace } = this;
    return asking(() => this.store.renew({ namespace, number, ttlMs, token, nextToken }));
  }

  async renew(number: number, token: string, nextToken = unique()): Promise<Grant | null> {
    const answer = await this.renewFor(this.ttlMs, number, token, nextToken);
    if (answer) {
      this.#mustEnd(answer);
    }
    return answer;
  }

  /** Fails if the renewal is granted. `what`: the reason why it must not be. */
  async mustNotRenew(what: string, number: number, token: string): Promise<void> {
    must((await this.renew(number, token)) === null, what, number, token);
  }

  /** Renews with the token that holds the number, and fails if the renewal is not granted. */
  async keep(grant: Grant, token: string, nextToken = unique()): Promise<Grant> {
    const renewed = await this.renew(grant.number, token, nextToken);
    this.mustWhile(grant, renewed !== null, "a renewal by the token that holds the number", token);
    return renewed;
  }

  /**
   * Whether a grant may have expired: after half of the shortest ttl, because the store's clock may
   * be coarse.
   */
  mayBeOver(grant: Grant): boolean {
    return 2 * (performance.now() - (askedAt.get(grant) ?? 0)) >= this.ttlMs;
  }

  /** Like `must`, for conditions that hold only until the grant ends. */
  mustWhile(grant: Grant, holds: boolean, what: string, ...seen: unknown[]): asserts holds {
    if (!holds && this.mayBeOver(grant)) {
      throw LATE;
    }
    must(holds, what, grant, ...seen);
  }

  /** Renews until the interval reaches a time. */
  async fill(first: Grant, firstToken: string, time: number) {
    let [grant, token] = [first, firstToken];
    for (let tries = 0; grant.until <= time; tries++) {
      must(tries < 40, "renewals extend the interval", time);
      const next = unique();
      grant = await this.keep(grant, token, next);
      token = next;
      await wait(this.ttlMs / 8);
    }
    return { token, grant };
  }

  /**
   * Runs many rounds of concurrent calls, each in its own namespace. `share`: the moment when they
   * meet, as a share of the interval.
   */
  async race(share: number, meet: Meet): Promise<void> {
    const { store } = this;
    /**
     * The duration of the fastest call, in milliseconds. On a busy machine, other calls are slow
     * for reasons outside the store.
     */
    let took = Infinity;
    const round = async (ttlMs: number) => {
      const space = new Space(store, ttlMs);
      const [first, token] = [unique(), unique()];
      const began = performance.now();
      const grant = await space.take({ last: 0, token: first });
      took = Math.min(took, performance.now() - began);
      const held = await space.keep(grant, first, token);
      await wait(share * (held.until - held.now) - took / 2);
      await meet(space, token, held, async (call) => {
        await wait(Math.random() * 2 * took);
        return call();
      });
    };
    await Promise.all(
      Array.from({ length: ROUNDS }, async (_, i) => {
        await wait((i * this.ttlMs) / ROUNDS);
        await untilProven(round, this.ttlMs);
      }),
    );
  }
}
