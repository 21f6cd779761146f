/**
 * Leases in etcd, over its HTTP gateway.
 *
 * etcd reports its time only in the `Date` header of its answers, in whole seconds, rounded down.
 * The store uses the last millisecond of that second as the current time: never before etcd's clock
 * at the time of the answer, and less than a second after it. This is safe, because in a durable
 * store the clock does not decide which ID times are used: a tenure begins at the `mark` of its
 * predecessor, whatever the time is, and a record is written only if it has not changed since it
 * was read. A clock that is up to a second ahead has two effects:
 *
 * - an interval is up to a second longer, so no holder has less than its ttl;
 * - a number that is not renewed is granted to another holder up to a second early. The new tenure
 *   still begins where the old one ends.
 *
 * The clock matters only for the time at which a namespace is created, for which a later time is
 * safe. It is read after the namespace's record exists, so a late write cannot make the namespace
 * older than it is.
 *
 * @module graupel/lease/etcd
 */
import { checkOptions } from "../../checks.js";
import { typeError } from "../../errors.js";
import { acquire, grantOf, type NamespaceRecord, type NumberRecord, release, renew } from "../store-rules.js";
import type { AcquireRequest, Grant, LeaseStore } from "../types.js";

/** The part of a `Response` that is read. */
export interface EtcdAnswer {
  /** Whether the status is 200 to 299. */
  readonly ok: boolean;
  /** The HTTP status. */
  readonly status: number;
  /** The headers. Only `date` is read. */
  readonly headers: {
    /** Returns a header's value, or null. */
    get(name: string): string | null;
  };
  /** Returns the body. */
  text(): Promise<string>;
}

/** Sends a request, as the global `fetch` does. */
export type EtcdFetch = (
  url: string,
  request: { method: string; headers?: Record<string, string>; body: string },
) => Promise<EtcdAnswer>;

/** Options of `etcd`. */
export interface EtcdOptions {
  /**
   * The address of a member, such as `http://127.0.0.1:2379`. If it contains a path, end it with a
   * slash.
   */
  readonly url: string;
  /**
   * Sends the requests; the global `fetch` by default. Use it for certificates, or to choose a
   * member.
   */
  readonly fetch?: EtcdFetch | undefined;
  /** Headers of each request, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The prefix of the keys; `graupel/` by default. */
  readonly prefix?: string | undefined;
}

/** The record of a namespace. `born` is written with its first number. */
type Head = Omit<NamespaceRecord, "born"> & { readonly born?: number };

/** The record of a number. */
type Numbered = NumberRecord & { readonly number: number };

type Stored = Head | Numbered;

type Decide<T> = (
  values: ReadonlyMap<string, Stored>,
  now: number,
  isLate: boolean,
) => readonly [writes: Readonly<Record<string, object>> | undefined, answer: T | undefined];

/** The part of a gateway's answer that is read. */
interface Answer {
  readonly kvs?: readonly { readonly key: string; readonly mod_revision: string; readonly value: string }[];
  readonly succeeded?: boolean;
}

/** The gateway takes keys and values as base64. */
const encode = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
const decode = (base64: string) =>
  new TextDecoder().decode(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));

/**
 * How many writes one call tries, if other callers are faster each time. Without a limit, a wrong
 * server that denies every write would keep it busy for ever.
 */
const TRIES = 99;

/** 31 random bits. */
const draw = () => Math.random() * 2 ** 31;

type Answered = Awaited<ReturnType<LeaseStore["acquire"]>>;

const recordsOf = (values: ReadonlyMap<string, Stored>) =>
  new Map([...values.values()].flatMap((it) => ("number" in it ? [[it.number, it]] : [])));

/** Makes the functions that call the gateway at an address. */
function gatewayAt({ url, headers, fetch: send = fetch }: EtcdOptions) {
  let base: URL;
  try {
    base = new URL("v3/kv/", url);
  } catch {
    typeError("url", url, "the address of etcd, with http://");
  }

  /** Sends a request. `now`: the last millisecond of the second in which etcd answered. */
  async function ask(path: string, body: unknown): Promise<Answer & { readonly now: number }> {
    const answer = await send(`${new URL(path, base)}`, {
      method: "POST",
      headers: headers as Record<string, string>,
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    const date = answer.headers.get("date");
    const now = Date.parse(date as string) + 999;
    if (!answer.ok || Number.isNaN(now)) {
      // The lease turns it into LEASE_STORE.
      throw new Error(`etcd answers ${answer.status}, Date ${date}: ${text}`);
    }
    return { ...JSON.parse(text), now };
  }

  /**
   * Reads the keys from `first` to `end` (or `first` alone), decides, and writes if none of the
   * written keys has changed in the meantime. Otherwise it starts again. `decide` returns the
   * answer and the values to write by key; undefined to read again. `isLate`: whether another
   * caller was faster.
   */
  async function update<T>(first: string, end: string | undefined, decide: Decide<T>): Promise<T> {
    let isLate = false;
    for (let tries = 0; tries < TRIES; tries++) {
      const { kvs = [], now } = await ask("range", { key: first, range_end: end });
      const values = new Map(kvs.map(({ key, value }) => [key, JSON.parse(decode(value))]));
      const [writes, answer] = decide(values, now, isLate);
      if (writes === undefined) {
        return answer as T;
      }
      const { succeeded } = await ask("txn", {
        // Compare the first key too: the record of the namespace may have been deleted and created
        // again.
        compare: [first, ...Object.keys(writes)].map((key) => {
          // Revision 0: the key does not exist.
          const mod_revision = kvs.find((it) => it.key === key)?.mod_revision ?? 0;
          return { key, target: "MOD", mod_revision };
        }),
        success: Object.entries(writes).map(([key, value]) => {
          return { request_put: { key, value: encode(JSON.stringify(value)) } };
        }),
      });
      if (succeeded && answer !== undefined) {
        return answer;
      }
      isLate = !succeeded;
    }
    throw new Error("etcd accepts no write");
  }
  return update;
}

/** Acquires a number. `head`: the key of the namespace. `keyOf`: the key of a number. */
const acquiring =
  (request: AcquireRequest, head: string, keyOf: (number: number) => string): Decide<Answered> =>
  (values, now, isLate) => {
    const { layout, mask, bits, last } = request;
    const known = values.get(head) as Head | undefined;
    if (known === undefined) {
      return [{ [head]: { layout } }, undefined];
    }
    const own = { born: now, ...known };
    const records = recordsOf(values);
    const choose = (part: number) =>
      acquire(own, records, { ...request, mask: mask | part, bits: bits | (draw() & part) }, now, true);
    const best = choose(0);
    // Hundreds of callers may want the best number at once. A caller that lost chooses from a
    // random part.
    const part = best.write && isLate ? choose(draw() & ~mask & last) : best;
    const { write, answer, quarantineMs } = part.write ? part : best;
    return [
      write && {
        ...((known.born === undefined || known.quarantineMs !== quarantineMs) && {
          [head]: { ...own, quarantineMs },
        }),
        [keyOf(write[0])]: { number: write[0], ...write[1] },
      },
      "number" in answer ? { ...answer, quarantineMs } : answer,
    ];
  };

/**
 * A store of leases in etcd 3.4 or later, over its HTTP gateway (`/v3/kv`). It loses no
 * acknowledged writes, so a new process waits for a quarantine only in a new namespace. Its clock
 * counts whole seconds, so use a `ttlMs` of at least 5,000. An acquisition reads all records of its
 * namespace, about 200 bytes each.
 *
 * Errors: `TYPE`, `UNKNOWN_OPTION`; a lease gets `LEASE_STORE` for an answer that is not etcd's, or
 * has no `Date`.
 *
 * @example
 * ```ts
 * import { twitter } from "graupel";
 * import { lease } from "graupel/lease";
 * import { etcd } from "graupel/lease/etcd";
 * const store = etcd({ url: "http://127.0.0.1:2379" });
 * const worker = await lease(store, { format: twitter, namespace: "orders" });
 * const ids = twitter.generator({ lease: worker });
 * ```
 */
export function etcd(options: EtcdOptions): LeaseStore {
  const types = { url: "string", fetch: "function", headers: "object", prefix: "string" };
  const given = checkOptions(options, types);
  const { prefix = "graupel/" } = given;
  const update = gatewayAt(given);

  // A namespace cannot contain "#", so the keys of one namespace are not prefixes of another's.
  const keyOf = (namespace: string, number: number | "") => encode(`${prefix}${namespace}#${number}`);

  /** The range of keys of a namespace: its own key, and the first key after its numbers. */
  const ends = (namespace: string) => [keyOf(namespace, ""), encode(`${prefix}${namespace}$`)] as const;

  /** A call that changes one record, or none. */
  const change =
    <Request extends { readonly namespace: string; readonly number: number }>(
      rule: (
        record: NumberRecord | undefined,
        request: Request,
        now: number,
        durable: boolean,
      ) => NumberRecord | undefined,
    ) =>
    (request: Request) => {
      const { namespace, number } = request;
      const key = keyOf(namespace, number);
      return update<Grant | null>(key, undefined, (values, now) => {
        const after = rule(values.get(key) as Numbered | undefined, request, now, true);
        return after ? [{ [key]: after }, grantOf(number, after, now)] : [after, null];
      });
    };

  /** Pending acquisitions by token. A retry of a pending acquisition joins it. */
  const pending = new Map<string, ReturnType<LeaseStore["acquire"]>>();

  return {
    // `graupel lease repair` prints it.
    ...{ prefix },
    durable: true,
    acquire(request) {
      const { namespace, token } = request;
      const [head, end] = ends(namespace);
      const found =
        pending.get(token) ??
        update(
          head,
          end,
          acquiring(request, head, (number) => keyOf(namespace, number)),
        ).finally(() => pending.delete(token));
      pending.set(token, found);
      return found;
    },
    renew: change(renew),
    release: change(release) as unknown as LeaseStore["release"],
    list: (namespace) =>
      update(...ends(namespace), (values, now) => [
        undefined,
        [...recordsOf(values).values()].map(({ token, ...rest }) => ({ ...rest, held: token !== "", now })),
      ]),
  };
}
