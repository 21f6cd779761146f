/** Tools of the checks: a namespace to make calls in, assertions about answers, and rounds of calls. */
import type { AcquireRequest, Foreign, Grant, LeaseStore, Refused } from "./types.js";

export const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export function must(holds: boolean, what: string, ...seen: unknown[]): asserts holds {
  if (!holds) {
    throw new Error([what, ...seen.map((one) => JSON.stringify(one))].join("; "));
  }
}

/** Thrown by a round that proves nothing: an interval may have run out before an answer came. */
export const LATE = Symbol("late");

/** Repeats a round until it proves something, each time with twice the time to live. */
export async function untilProven(round: (ttlMs: number) => Promise<void>, ttlMs: number): Promise<void> {
  for (let longer = ttlMs; longer < 99 * ttlMs; longer *= 2) {
    try {
      return await round(longer);
    } catch (error) {
      if (error !== LATE) {
        throw error;
      }
      // Rounds at the same time may be what makes the store slow: spread them.
      await wait(Math.random() * longer);
    }
  }
  throw new Error(`the store answers too slowly for a ttlMs of ${ttlMs}`);
}

/** When the call of each grant began, by the monotonic clock: an answer of null does not tell the store's time. */
const askedAt = new WeakMap<object, number>();

async function asking<Answer extends object | null>(call: () => Promise<Answer>): Promise<Answer> {
  const asked = performance.now();
  const answer = await call();
  if (answer !== null) {
    askedAt.set(answer, asked);
  }
  return answer;
}

/** Fails if two grants of a number overlap, by the store's own times. If one follows the other, the round was late. */
export function mustDiffer(answers: readonly object[]): void {
  const grants = answers.filter(isGranted);
  let isLate = false;
  for (const one of grants) {
    for (const other of grants) {
      // Compare sums: an interval may be empty, and the next one then begins at the same time.
      const isLater = other.from + other.until >= one.from + one.until;
      if (one !== other && one.number === other.number && isLater) {
        must(Math.min(other.from, other.now) >= one.until, "one number twice", one, other);
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

/** The `share` of a race whose calls meet shortly after the end of the interval. */
export const AFTER = 1.1;

/** Waits until a time of the store, which an answer has just told. */
export const reach = (time: number, { now }: Grant) => wait(time - now + 50);

/** How often two calls are made at the same time: a store that reads and then writes fails in about one of ten. */
const ROUNDS = 100;

/** Calls that meet: in a namespace whose only number the token holds; `soon` makes a call at about that moment. */
type Meet = (
  space: Space,
  token: string,
  held: Grant,
  soon: <T>(call: () => Promise<T>) => Promise<T>,
) => Promise<void>;

/** A new namespace of a store, and the calls that a check makes in it. */
export class Space {
  readonly namespace = unique("check");
  readonly store: LeaseStore;
  readonly ttlMs: number;

  constructor(store: LeaseStore, ttlMs: number) {
    this.store = store;
    this.ttlMs = ttlMs;
  }

  /** A request for a number, by a token of its own; the quarantine is as long as the time to live. */
  request(more?: Partial<AcquireRequest>): AcquireRequest {
    const { namespace, ttlMs } = this;
    const numbers = { layout: LAYOUT, last: 3, mask: 0, bits: 0 };
    return { namespace, ...numbers, ttlMs, quarantineMs: ttlMs, token: unique(), label: "a check", ...more };
  }

  acquire(more?: Partial<AcquireRequest>): Promise<Grant | Refused | Foreign> {
    return asking(() => this.store.acquire(this.request(more)));
  }

  /** Acquires a number; tries again while the store asks to come back soon, because other callers were quicker. */
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

  /** A grant, which there has to be. */
  async take(more?: Partial<AcquireRequest>): Promise<Grant> {
    const answer = await this.ask(more);
    must(isGranted(answer), "acquire: there has to be a number", more, answer);
    const { number, from, until, now } = answer;
    must([number, from, until, now].every(Number.isSafeInteger), "a grant has whole numbers", answer);
    must(from <= until, "a grant begins before it ends", answer);
    this.#mustEnd(answer);
    must(Math.abs(now - Date.now()) < 600_000, "`now` is Unix milliseconds by the store's clock", answer);
    return answer;
  }

  /** No interval goes further: whoever waits for its end waits for ever. */
  #mustEnd({ until, now }: Grant): void {
    must(
      until <= now + 2 * this.ttlMs,
      "an interval ends within a quarantine and a time to live",
      until,
      now,
    );
  }

  release(number: number, tokens: readonly string[], nextFree: number): Promise<void> {
    return this.store.release({ namespace: this.namespace, number, tokens, nextFree });
  }

  /** A renewal for a time. */
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

  /** A renewal that must not be granted, and why. */
  async mustNotRenew(what: string, number: number, token: string): Promise<void> {
    must((await this.renew(number, token)) === null, what, number, token);
  }

  /** The renewal of a grant by the token that holds the number, which there has to be. */
  async keep(grant: Grant, token: string, nextToken = unique()): Promise<Grant> {
    const renewed = await this.renew(grant.number, token, nextToken);
    this.mustWhile(grant, renewed !== null, "a renewal by the token that holds the number", token);
    return renewed;
  }

  /** Whether a grant may have run out by now: after half of the shortest one, because the store's clock may be coarse. */
  mayBeOver(grant: Grant): boolean {
    return 2 * (performance.now() - (askedAt.get(grant) ?? 0)) >= this.ttlMs;
  }

  /** Like `must`, for what a sound store promises only until the grant ends. */
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

  /** Many rounds of calls at the same time, each in a namespace of its own. `share`: when they meet, as a share of the interval. */
  async race(share: number, meet: Meet): Promise<void> {
    const { store } = this;
    /** How long the quickest call took, in milliseconds: on a busy machine, others take longer than the store does. */
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
