/**
 * The rules of a store, as functions of its records: for stores that read, decide and write in one transaction. Those that have to decide
 * in a language of their own (Lua, SQL) say the same there.
 *
 * The record of a number: the tenure of `token` owns ID times from `from` up to `mark`, and every ID time below `mark` is spent or
 * reserved. It never expires.
 */
import type { AcquireRequest, Foreign, Grant, Refused, ReleaseRequest, RenewRequest } from "./types.js";

/** The record of a number. */
export interface NumberRecord {
  /** Who holds it; the empty text for nobody. */
  readonly token: string;
  readonly from: number;
  readonly mark: number;
  readonly label: string;
}

/** The record of a namespace. */
export interface NamespaceRecord {
  readonly layout: string;
  /** When it was made, by the store's clock. */
  readonly born: number;
}

/** The numbers of a namespace. */
export type Records = ReadonlyMap<number, NumberRecord>;

/** The candidate after `number`, among those with `(n & mask) === bits`. */
const candidateAfter = (number: number, { mask, bits }: AcquireRequest): number =>
  (((number | mask) + 1) & ~mask) + bits;

/** The lowest candidate without a record; undefined if each has one. */
function unused(records: Records, request: AcquireRequest): number | undefined {
  let number = request.bits;
  while (records.has(number)) {
    number = candidateAfter(number, request);
    if (!(number >= 0 && number <= request.last)) {
      return undefined;
    }
  }
  return number;
}

/** What an acquisition writes, if anything, and what it answers. */
export interface Acquired {
  readonly write?: { readonly number: number; readonly record: NumberRecord };
  readonly answer: Grant | Refused | Foreign;
}

/** Chooses a number. `namespace`: its record, which is written first if it is new. */
export function acquire(
  namespace: NamespaceRecord,
  records: Records,
  request: AcquireRequest,
  now: number,
  durable: boolean,
): Acquired {
  const { layout, mask, bits, last, ttlMs, quarantineMs, token, label } = request;
  if (namespace.layout !== layout) {
    return { answer: { layout: namespace.layout } };
  }
  const candidates = [...records].filter(([number]) => number <= last && (number & mask) === bits);
  const own = candidates.find(([, record]) => record.token === token);
  if (own) {
    const [number, { from, mark }] = own;
    return { answer: { number, from, until: mark, now } };
  }
  const fresh = unused(records, request);
  if (fresh !== undefined) {
    // What was lost with the records may have been used up to a quarantine after the namespace was made.
    const mark = durable ? namespace.born + quarantineMs : namespace.born;
    candidates.push([fresh, { token: "", from: mark, mark, label: "" }]);
  }
  // Free and past, then free, then held and past; each by its mark.
  const rank = ({ token, mark }: NumberRecord) => (token !== "" ? 2 : mark > now ? 1 : 0);
  const usable = candidates.filter(([, record]) =>
    durable ? record.token === "" || record.mark <= now : record.mark <= now,
  );
  usable.sort(([a, x], [b, y]) => rank(x) - rank(y) || x.mark - y.mark || a - b);
  const [first] = usable;
  if (first === undefined) {
    const soonest = Math.min(...candidates.map(([, { mark }]) => mark));
    return { answer: { retryInMs: Math.max(1, soonest - now) } };
  }
  const [number, before] = first;
  const from = durable ? before.mark : Math.max(before.mark, now + quarantineMs);
  // Never further ahead of now than one grant: what is lost with the records counts as used up to a quarantine after they were made anew.
  const mark = durable ? Math.max(before.mark, now + ttlMs) : from;
  return {
    write: { number, record: { token, from, mark, label } },
    answer: { number, from, until: mark, now },
  };
}

/** Extends a grant. Returns the new record; undefined if neither token holds the number. */
export function renew(
  record: NumberRecord | undefined,
  { token, nextToken, ttlMs }: RenewRequest,
  now: number,
  durable: boolean,
): NumberRecord | undefined {
  const holds = record !== undefined && (record.token === token || record.token === nextToken);
  // After a rollback, a stale token must not come to life again.
  return holds && (durable || now < record.mark)
    ? { ...record, token: nextToken, mark: Math.max(record.mark, now + ttlMs) }
    : undefined;
}

/** Takes a number back. Returns the new record; undefined if none of the tokens holds the number. */
export function release(
  record: NumberRecord | undefined,
  { tokens, nextFree }: ReleaseRequest,
): NumberRecord | undefined {
  return record !== undefined && tokens.includes(record.token)
    ? { ...record, token: "", mark: Math.min(record.mark, Math.max(record.from, nextFree)) }
    : undefined;
}
