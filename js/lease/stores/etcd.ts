/**
 * Leases in etcd, over its HTTP gateway.
 *
 * etcd tells no time but in the `Date` header of its answers, in whole seconds, rounded down. The store takes the last millisecond of that
 * second for now: never less than etcd's clock when it answered, and less than a second more. That is sound, because in a durable store the
 * clock decides nothing about what has been used: a tenure begins at the `mark` of the one before, whatever the time is, and a
 * record changes only if nobody has changed it since it was read. A clock that is ahead costs this much:
 *
 * - an interval is up to a second longer, so no holder has less than its ttl;
 * - a number that nobody renews is given away up to a second early. Its new tenure still begins where the old one ends.
 *
 * Where the clock does count, in the time of a namespace's making, being ahead is the careful side. It is read after the namespace's record
 * is there, so a write that arrives late cannot make the namespace older than it is.
 *
 * @module graupel/lease/etcd
 */
import { checkOptions } from "../../checks.js";
import { typeError } from "../../errors.js";
import { acquire, grantOf, type NamespaceRecord, type NumberRecord, release, renew } from "../store-rules.js";
import type { AcquireRequest, Grant, LeaseStore } from "../types.js";

/** What is read of an answer. */
export interface EtcdAnswer {
  /** Whether the status is a success. */
  readonly ok: boolean;
  /** The status. */
  readonly status: number;
  /** The headers, of which `date` is read. */
  readonly headers: {
    /** A header's value, or null. */
    get(name: string): string | null;
  };
  /** The body. */
  text(): Promise<string>;
}

/** Sends a request, as the global `fetch` does. */
export type EtcdFetch = (
  url: string,
  request: { method: string; headers?: Record<string, string>; body: string },
) => Promise<EtcdAnswer>;

/** What `etcd` takes. */
export interface EtcdOptions {
  /** The address of a member, such as `http://127.0.0.1:2379`; below a path, with a slash at the end. */
  readonly url: string;
  /** Sends the requests; the global `fetch` if left out. For certificates, and to choose among members. */
  readonly fetch?: EtcdFetch | undefined;
  /** Headers of each request, such as `authorization`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** What the keys begin with; `graupel/` if left out. */
  readonly prefix?: string | undefined;
}

/** A namespace's own record; `born` is written with its first number. */
type Head = Omit<NamespaceRecord, "born"> & { readonly born?: number };

/** A number's record. */
type Numbered = NumberRecord & { readonly number: number };

type Stored = Head | Numbered;

type Decide<T> = (
  values: ReadonlyMap<string, Stored>,
  now: number,
  isLate: boolean,
) => readonly [writes: Readonly<Record<string, object>> | undefined, answer: T | undefined];

/** An answer of the gateway, as far as it is read here. */
interface Answer {
  readonly kvs?: readonly { readonly key: string; readonly mod_revision: string; readonly value: string }[];
  readonly succeeded?: boolean;
}

/** The gateway takes bytes in base64. */
const encode = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
const decode = (base64: string) =>
  new TextDecoder().decode(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));

/** How often one call writes, if others are quicker each time: something else may answer, and to each write that it was too late. */
const TRIES = 99;

/** 31 random bits. */
const draw = () => Math.random() * 2 ** 31;

type Answered = Awaited<ReturnType<LeaseStore["acquire"]>>;

const recordsOf = (values: ReadonlyMap<string, Stored>) =>
  new Map([...values.values()].flatMap((it) => ("number" in it ? [[it.number, it]] : [])));

/** The gateway at an address. */
function gatewayAt({ url, headers, fetch: send = fetch }: EtcdOptions) {
  let base: URL;
  try {
    base = new URL("v3/kv/", url);
  } catch {
    typeError("url", url, "the address of etcd, with http://");
  }

  /** Asks the gateway. `now`: the last millisecond of the second in which it answered. */
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
      // A lease makes a LEASE_STORE of it.
      throw new Error(`etcd answers ${answer.status}, Date ${date}: ${text}`);
    }
    return { ...JSON.parse(text), now };
  }

  /**
   * Reads the keys from `first` to `end` (or `first` alone), decides, and writes if nobody has changed what is to be written; else again.
   * `decide`: what to write by key, if anything, and the answer; undefined to look again. `isLate`: whether somebody else came first.
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
        // The first key, too: it is the namespace's own record, which may have been deleted and made anew.
        compare: [first, ...Object.keys(writes)].map((key) => {
          // Revision 0: not there.
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
    throw new Error("etcd takes no write");
  }
  return update;
}

/** The acquisition of a number. `head`: the key of the namespace; `keyOf`: that of a number. */
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
    // Hundreds want the best number at the same time: whoever lost one looks at a random part of them.
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
 * A store of leases in etcd 3.4 or later, over its HTTP gateway (`/v3/kv`). It loses no acknowledged write, so a start waits for a
 * quarantine only in a new namespace. Its clock tells seconds, so take a `ttlMs` of 5,000 or more. An acquisition reads all records of its
 * namespace, about 200 bytes each.
 *
 * Errors: `TYPE`, `UNKNOWN_OPTION`; a lease gets `LEASE_STORE` for an answer that is none, or that tells no time.
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

  // No namespace has a "#" in its name, so none is the beginning of another one's keys.
  const keyOf = (namespace: string, number: number | "") => encode(`${prefix}${namespace}#${number}`);

  /** The keys of a namespace: its own, and the first one after those of its numbers. */
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

  /** Acquisitions by their token: one that is asked for again, before it has ended, is the same. */
  const pending = new Map<string, ReturnType<LeaseStore["acquire"]>>();

  return {
    // `graupel lease repair` tells it.
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
