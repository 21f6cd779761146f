/** What the checks of a store have in common: what an answer has to be, and rounds of calls. */
import type { AcquireRequest, Grant } from "./types.js";

export const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export function must(holds: boolean, what: string, ...seen: unknown[]): asserts holds {
  if (!holds) {
    throw new Error([what, ...seen.map((one) => JSON.stringify(one))].join("; "));
  }
}

/** Thrown by a round that proves nothing: an interval may have run out before an answer came. */
export const LATE = Symbol("late");

/** Repeats a round until it proves something. */
export async function untilProven(round: () => Promise<void>, ttlMs: number): Promise<void> {
  for (let tries = 0; tries < 10; tries++) {
    try {
      return await round();
    } catch (error) {
      if (error !== LATE) {
        throw error;
      }
      // Rounds at the same time may be what makes the store slow: spread them.
      await wait(Math.random() * (tries + 1) * ttlMs);
    }
  }
  throw new Error(`the store answers too slowly for a ttlMs of ${ttlMs}`);
}

/** When the call of each grant began, by the monotonic clock: an answer of null does not tell the store's time. */
export const askedAt = new WeakMap<object, number>();

export async function asking<Answer extends object | null>(call: () => Promise<Answer>): Promise<Answer> {
  const asked = performance.now();
  const answer = await call();
  if (answer !== null) {
    askedAt.set(answer, asked);
  }
  return answer;
}

/** Fails if two grants of a number overlap, by the store's own times. If one follows the other, the round was late. */
export function mustDiffer(grants: readonly Grant[]): void {
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
export const unique = (what: string) =>
  `${what}-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 10)}-${drawn++}`;

export const LAYOUT = "0+1:41,10n,12";

/** A request for a number; the quarantine is as long as the time to live. */
export const requestFor = (namespace: string, ttlMs: number): AcquireRequest => ({
  namespace,
  layout: LAYOUT,
  last: 3,
  mask: 0,
  bits: 0,
  ttlMs,
  quarantineMs: ttlMs,
  token: unique("token"),
  label: "a check",
});

/** The `share` of a race whose calls meet shortly after the end of the interval. */
export const AFTER = 1.1;

/** Waits until a time of the store, which an answer has just told. */
export const reach = (time: number, { now }: Grant) => wait(time - now + 50);

/** How often two calls are made at the same time: a store that reads and then writes fails in about one of ten. */
const ROUNDS = 100;

/** What a race needs of the checks. */
interface Calls {
  readonly ttlMs: number;
  requestIn(namespace: string, more: Partial<AcquireRequest>): AcquireRequest;
  take(request: AcquireRequest): Promise<Grant>;
  keep(grant: Grant, namespace: string, token: string, nextToken: string): Promise<Grant>;
  inTime(round: () => Promise<void>): Promise<void>;
}

/** Renews until an interval reaches a time. */
export const filledOf =
  (keep: Calls["keep"], ttlMs: number) =>
  async (namespace: string, first: Grant, firstToken: string, time: number) => {
    let [grant, token] = [first, firstToken];
    for (let tries = 0; grant.until <= time; tries++) {
      must(tries < 40, "renewals extend the interval", time);
      const next = unique("token");
      grant = await keep(grant, namespace, token, next);
      token = next;
      await wait(ttlMs / 8);
    }
    return { token, grant };
  };

/**
 * Many rounds of calls at the same time. Each has a namespace with one number; `meet` gets its request, the token that holds it, its grant,
 * and a function that makes a call at about that moment. `share`: when that is, as a share of the interval.
 */
export const raceOf =
  ({ ttlMs, requestIn, take, keep, inTime }: Calls) =>
  (
    what: string,
    share: number,
    meet: (
      request: AcquireRequest,
      token: string,
      held: Grant,
      soon: <T>(call: () => Promise<T>) => Promise<T>,
    ) => Promise<void>,
  ) => {
    /** How long the quickest call took, in milliseconds: on a busy machine, others take longer than the store does. */
    let took = Infinity;
    return Promise.all(
      Array.from({ length: ROUNDS }, async (_, i) => {
        await wait((i * ttlMs) / ROUNDS);
        await inTime(async () => {
          const request = requestIn(unique(what), { last: 0 });
          const began = performance.now();
          const first = await take(request);
          took = Math.min(took, performance.now() - began);
          const token = unique("token");
          const held = await keep(first, request.namespace, request.token, token);
          await wait(share * (held.until - held.now) - took / 2);
          await meet(request, token, held, async (call) => {
            await wait(Math.random() * 2 * took);
            return call();
          });
        });
      }),
    );
  };
