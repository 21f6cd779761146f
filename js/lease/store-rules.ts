/**
 * The rules of a store, as functions of its records, for stores that read, decide and write in one
 * transaction. Stores that decide in Lua or SQL repeat the rules there.
 *
 * The record of a number: the tenure of `token` owns ID times from `from` up to `mark`, and every
 * ID time below `mark` is spent or reserved. It never expires.
 */
import type { AcquireRequest, Foreign, Grant, Refused, ReleaseRequest, RenewRequest } from "./types.js";

/** The record of a number. */
export interface NumberRecord {
  /** The token that holds the number; empty if it is free. */
  readonly token: string;
  readonly from: number;
  readonly mark: number;
  readonly label: string;
}

/** The record of a namespace. */
export interface NamespaceRecord {
  readonly layout: string;
  /** When the record was created, by the store's clock. */
  readonly born: number;
  /** The largest quarantine of any request so far, if the store records it. */
  readonly quarantineMs?: number | undefined;
}

/** The records of a namespace by number. */
export type Records = ReadonlyMap<number, NumberRecord>;

/**
 * The lowest number with `(n & mask) === bits` that has no record; it may be larger than the last
 * one.
 */
function unused(records: Records, { mask, bits }: AcquireRequest): number {
  let number = bits;
  while (records.has(number)) {
    number = ((((number | mask) + 1) & ~mask) + bits) >>> 0;
  }
  return number;
}

/** The answer to an acquisition, and the records that it writes, if any. */
export interface Acquired {
  readonly write?: readonly [number: number, record: NumberRecord];
  readonly answer: Grant | Refused | Foreign;
  /** The largest quarantine of any request in the namespace, including this one. */
  readonly quarantineMs?: number;
}

/** The grant for the holder of a number. */
export const grantOf = (
  number: number,
  { from, mark }: Pick<NumberRecord, "from" | "mark">,
  now: number,
): Grant => ({ number, from, until: mark, now });

/**
 * Chooses a number. `namespace`: the record of the namespace. If it is new, it is written first.
 */
export function acquire(
  namespace: NamespaceRecord,
  records: Records,
  request: AcquireRequest,
  now: number,
  durable: boolean,
): Acquired {
  const { layout, mask, bits, last, ttlMs, token, label } = request;
  const quarantineMs = Math.max(request.quarantineMs, namespace.quarantineMs ?? 0);
  if (namespace.layout !== layout) {
    return { answer: { layout: namespace.layout } };
  }
  const candidates = [...records].filter(([number]) => number <= last && (number & mask) === bits);
  const own = candidates.find(([, record]) => record.token === token);
  if (own) {
    return { answer: grantOf(...own, now), quarantineMs };
  }
  const fresh = unused(records, request);
  if (fresh <= last) {
    // If earlier records were lost, their holders may issue IDs until one quarantine after the
    // namespace was created.
    const mark = durable ? namespace.born + quarantineMs : namespace.born;
    candidates.push([fresh, { token: "", from: mark, mark, label: "" }]);
  }
  // Free numbers first, then held ones, each group by mark.
  const isHeld = ({ token }: NumberRecord) => Number(token !== "");
  candidates.sort(([a, x], [b, y]) => isHeld(x) - isHeld(y) || x.mark - y.mark || a - b);
  const first = candidates.find(([, record]) => record.mark <= now || (durable && !isHeld(record)));
  if (first === undefined) {
    const soonest = candidates.reduce((least, [, { mark }]) => Math.min(least, mark), Infinity);
    return { answer: { retryInMs: Math.max(1, soonest - now) }, quarantineMs };
  }
  const [number, before] = first;
  const from = durable ? before.mark : Math.max(before.mark, now + quarantineMs);
  // Never further ahead of now than one grant. After a data loss, every number is treated as used
  // until one quarantine after the records were re-created.
  const mark = durable ? Math.max(before.mark, now + ttlMs) : from;
  const record = { token, from, mark, label };
  return { write: [number, record], answer: grantOf(number, record, now), quarantineMs };
}

/** Extends a grant. Returns the new record; undefined if neither token holds the number. */
export function renew<Kept extends NumberRecord>(
  record: Kept | undefined,
  { token, nextToken, ttlMs }: RenewRequest,
  now: number,
  durable: boolean,
): Kept | undefined {
  return record !== undefined &&
    [token, nextToken].includes(record.token) &&
    // After a rollback, a stale token must not become valid again.
    (durable || now < record.mark)
    ? { ...record, token: nextToken, mark: Math.max(record.mark, now + ttlMs) }
    : undefined;
}

/**
 * Releases a number. Returns the new record, or undefined if none of the tokens holds the number.
 */
export function release<Kept extends NumberRecord>(
  record: Kept | undefined,
  { tokens, nextFree }: ReleaseRequest,
): Kept | undefined {
  return record !== undefined && tokens.includes(record.token)
    ? { ...record, token: "", mark: Math.min(record.mark, Math.max(record.from, nextFree)) }
    : undefined;
}
