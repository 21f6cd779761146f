/**
 * A store that hands out a part of the numbers: a server grants the part to a device or a host,
 * which then needs no server.
 */
import { fail, typeError } from "../errors.js";
import { storeOf } from "./options.js";
import type { Grant, LeaseStore } from "./types.js";

/** The granted part: some numbers, for an interval of ID time. */
export interface Part {
  /** The first number; a multiple of `count`. */
  readonly number: number;
  /** How many numbers there are: a power of two. */
  readonly count: number;
  /** The first Unix millisecond of ID time. */
  readonly from: number;
  /** The first Unix millisecond after the interval. */
  readonly until: number;
}

/** Checks a part. */
function partOf(given: unknown): Part {
  const part = Object(given) as Part;
  const { number, count, from, until } = part;
  const isSound = [number, from, until, Math.log2(count)].every(Number.isSafeInteger);
  return isSound && number >= 0 && count >= 1 && number % count === 0 && from <= until
    ? part
    : typeError(
        "granted",
        part,
        "{ number, count, from, until }, where count is a power of two, and number a multiple of it",
      );
}

/**
 * Restricts a store to some numbers for a limited ID time. Use it for a device that works offline
 * with a part that its server granted, or for the processes of one host. Two parts that share a
 * number must not overlap in time.
 *
 * Errors: `TYPE`; its calls reject with `TYPE` if `granted` does not return a part, and with
 * `CONFLICT` if a lease's `fixed` is outside the part.
 *
 * @param store The store that hands out the numbers: `graupel/lease/tabs` or
 *   `graupel/lease/sqlite`.
 * @param granted Returns the current part. Each call of the store calls this function, so you can
 *   extend or replace the part.
 *
 * @example
 * ```js
 * import { twitter } from "graupel";
 * import { lease, memory, part } from "graupel/lease";
 * const day = { number: 96, count: 32, from: Date.now(), until: Date.now() + 86_400_000 };   // from the server
 * const store = part(memory(), () => day);
 * const worker = await lease(store, { format: twitter, namespace: "orders", ttlMs: 1000, quarantineMs: 1000 });
 * console.log(worker.status.fields);   // { datacenterId: 3, workerId: 0 }
 * await worker.release();
 * ```
 */
export function part(store: LeaseStore, granted: () => Part | Promise<Part>): LeaseStore {
  const { list, onRevoke } = storeOf(store);
  if (typeof granted !== "function") {
    typeError("granted", granted, "a function that returns a part");
  }

  /** The start of each token's tenure within its part. */
  const began = new Map<string, number>();

  /**
   * The part, as `mask` and `bits` of a request, and a function that cuts a grant to it. A cut
   * grant may be empty.
   */
  async function current() {
    const { number, count, from, until } = partOf(await granted());
    return {
      mask: 0x7fffffff & -count,
      bits: number,
      cut(grant: Grant): Grant {
        const start = Math.max(grant.from, from);
        return { ...grant, from: start, until: Math.max(start, Math.min(grant.until, until)) };
      },
    };
  }

  const properties = () => ({ durable: store.durable, ttlMs: store.ttlMs, apartMs: store.apartMs });

  return {
    ...properties(),
    async ready(options) {
      await store.ready?.(options);
      Object.assign(this, properties());
    },
    async acquire(request) {
      const { mask, bits, cut } = await current();
      if (bits > request.last || (request.bits ^ bits) & request.mask & mask) {
        fail(
          "CONFLICT",
          "fixed",
          bits,
          `fixed: no number of the part has these values; its first number is ${bits}`,
        );
      }
      const inPart = { ...request, mask: request.mask | (request.last & mask), bits: request.bits | bits };
      const answer = await store.acquire(inPart);
      if (!("number" in answer)) {
        return answer;
      }
      const grant = cut(answer);
      began.set(request.token, grant.from);
      return grant;
    },
    async renew(request) {
      const { mask, bits, cut } = await current();
      const { number, token, nextToken } = request;
      const from = began.get(token) ?? began.get(nextToken);
      const answer = (number & mask) === bits ? await store.renew(request) : null;
      const grant = answer && cut(answer);
      began.delete(token);
      // A part that begins after the tenure is a new part, and the time between may belong to
      // another device.
      if (grant === null || from === undefined || grant.from > from) {
        return null;
      }
      began.set(nextToken, from);
      return { ...grant, from };
    },
    release(request) {
      for (const token of request.tokens) {
        began.delete(token);
      }
      return store.release(request);
    },
    ...(list && { list: (namespace) => list.call(store, namespace) }),
    ...(onRevoke && { onRevoke: (revoke) => onRevoke.call(store, revoke) }),
  };
}
