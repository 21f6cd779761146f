/**
 * Leases for the tabs, the workers and the service worker of one origin in one browser profile.
 *
 * @module graupel/lease/tabs
 */
import { checkOptions } from "../../checks.js";
import { fail, typeError } from "../../errors.js";
import { acquire, grantOf, type NumberRecord, release, renew } from "../store-rules.js";
import type {
  AcquireRequest,
  Foreign,
  Grant,
  LeaseStore,
  Refused,
  ReleaseRequest,
  RenewRequest,
} from "../types.js";

/** Options of `tabs`. */
export interface TabsOptions {
  /**
   * Confirms that nothing else provides numbers for the same column, queue or topic: no server, no
   * other browser profile, and no frame on another site's page, whose storage is separate. Each of
   * them starts at number 0. If you restrict the store with `part`, this is always true.
   */
  readonly reach: "alone";
}

/**
 * The record of a number. Number -1 is the namespace itself: its `label` is the layout, its `mark`
 * the mark of numbers without a record.
 */
interface TabRecord extends NumberRecord {
  readonly number: number;
  /** The name of the holder's lock. */
  readonly lock?: string;
}

/** A number of a namespace. */
type Owned = Pick<RenewRequest, "namespace" | "number">;

type Records = Map<number, TabRecord>;
type Write = (record: TabRecord) => void;

/** The name of the database and of its only object store, and the prefix of the locks. */
const NAME = "graupel-lease";

/**
 * How long a new database waits before its first grant, in milliseconds. If an earlier database was
 * cleared, its tabs learn of it within this time, and stop. Their locks are not enough: Chromium
 * hides locks that are older than the clearing from new tabs.
 */
const SETTLE_MS = 2000;

/** Events of a page that ends, is frozen in a cache, or becomes active again. */
const LEAVING = ["freeze", "pagehide", "visibilitychange", "pageshow"];

/**
 * Runs a transaction. `work` makes its requests synchronously. Resolves when its writes are on the
 * disk. A page that is left aborts its open transactions. Otherwise, WebKit would keep them open
 * while the page is in the back/forward cache, and all other tabs would wait.
 */
function change<T>(database: IDBDatabase, work: (table: IDBObjectStore, done: (answer: T) => void) => void) {
  return new Promise<T>((resolve, reject) => {
    let answer: T;
    const transaction = database.transaction(NAME, "readwrite", { durability: "strict" });
    const undecided = new AbortController();
    const { signal } = undecided;
    addEventListener("pagehide", () => transaction.abort(), { signal });
    transaction.oncomplete = () => resolve(answer);
    transaction.onabort = () => {
      undecided.abort();
      reject(transaction.error ?? signal.reason);
    };
    work(transaction.objectStore(NAME), (given) => {
      answer = given;
      undecided.abort();
      // A page that is being left receives no more events of its requests, so commit now.
      transaction.commit();
    });
  });
}

/**
 * Reads the records of a namespace, with its own record apart, and decides. Applies noted releases
 * first.
 */
const decide = <T>(
  database: IDBDatabase,
  namespace: string,
  work: (records: Records, write: Write, now: number, own: TabRecord | undefined) => T,
) =>
  change<T>(database, (table, done) => {
    const request = table.getAll(IDBKeyRange.bound([namespace], [namespace, []]));
    request.onsuccess = () => {
      const rows = request.result as (TabRecord | ReleaseRequest)[];
      const records: Records = new Map(rows.flatMap((row) => ("mark" in row ? [[row.number, row]] : [])));
      const write: Write = (record) => table.put(record, [namespace, record.number]);
      for (const row of rows) {
        if ("tokens" in row) {
          const after = release(records.get(row.number), row);
          if (after) {
            records.set(row.number, after);
            write(after);
          }
          table.delete([namespace, `${row.tokens}`]);
        }
      }
      const own = records.get(-1);
      records.delete(-1);
      done(work(records, write, Date.now(), own));
    };
  });

/**
 * Takes a shared lock, which shows other tabs that this one is alive. Resolves to a function that
 * releases it.
 */
const present = (name: string) =>
  new Promise<() => void>((resolve, reject) => {
    const locks =
      navigator.locks ??
      fail("CONFLICT", "store", undefined, "tabs: no Web Locks; serve the page over HTTPS");
    locks.request(name, { mode: "shared" }, () => new Promise<void>(resolve)).catch(reject);
  });

/** Opens the database at the first call, and again after it was lost. A loss revokes all grants. */
function connectionTo(revokes: ReadonlySet<() => void>) {
  let opening: Promise<IDBDatabase> | undefined;
  /** The open database, for a page that is being left and cannot wait. */
  let database: IDBDatabase | undefined;
  function open(): Promise<IDBDatabase> {
    opening ??= new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(NAME);
      request.onupgradeneeded = () => request.result.createObjectStore(NAME);
      request.onerror = () => reject(request.error);
      request.onsuccess = () => {
        const opened = request.result;
        // The data were cleared, or a page deletes the database. Other tabs get a new one.
        opened.onclose = opened.onversionchange = () => {
          opened.close();
          opening = database = undefined;
          for (const revoke of revokes) {
            revoke();
          }
        };
        database = opened;
        resolve(opened);
      };
    });
    opening.catch(() => {
      opening = undefined;
    });
    return opening;
  }
  return {
    open,
    get database() {
      return database;
    },
  };
}

const renewIn = (database: IDBDatabase, request: RenewRequest) =>
  decide(database, request.namespace, (records, write, now): Grant | null => {
    const { number } = request;
    const after = renew(records.get(number), request, now, true);
    if (!after) {
      return null;
    }
    write(after);
    return grantOf(number, after, now);
  });

const listOf = (database: IDBDatabase, namespace: string) =>
  decide(database, namespace, (records, _, now) =>
    Array.from(records.values(), ({ token, lock: _lock, ...rest }) => ({ ...rest, held: token !== "", now })),
  );

/** The locks of tenures. */
function locksOf() {
  /** The functions that release them, by number and token. */
  const ends = new Map<string, readonly (() => void)[]>();
  const keyOf = ({ namespace, number }: Owned, token: string) => `${namespace} ${number} ${token}`;
  return {
    add(owned: Owned, token: string, more: readonly (() => void)[]): void {
      const key = keyOf(owned, token);
      ends.set(key, [...(ends.get(key) ?? []), ...more]);
    },
    /** Keeps the locks under the new token after a renewal. */
    move(owned: Owned, token: string, nextToken: string): void {
      const key = keyOf(owned, token);
      const nextKey = keyOf(owned, nextToken);
      ends.set(nextKey, ends.get(key) ?? ends.get(nextKey) ?? []);
      ends.delete(key);
    },
    leave(owned: Owned, ...tokens: readonly string[]): void {
      for (const token of tokens) {
        const key = keyOf(owned, token);
        for (const end of ends.get(key) ?? []) {
          end();
        }
        ends.delete(key);
      }
    },
  };
}

/** Grants a number. */
async function grant(
  opened: IDBDatabase,
  request: AcquireRequest,
  lock: string,
): Promise<Grant | Refused | Foreign> {
  const { namespace, layout, quarantineMs } = request;
  /** The records, if all numbers were held; undefined in a new namespace. */
  let seen: Records | undefined;
  /**
   * `locks`: the locks of all open tabs. Without them, the result is undefined if they are needed.
   */
  const attempt = (locks?: ReadonlySet<string | undefined>) =>
    decide(opened, namespace, (records, write, now, found) => {
      let own = found;
      if (own === undefined) {
        if (!locks) {
          return undefined;
        }
        // Tabs whose records were lost may use their numbers for one quarantine at most.
        const mark = locks.has(`${NAME} ${namespace}`) ? now + quarantineMs : now;
        own = { number: -1, token: "", from: mark, mark, label: layout };
        write(own);
      }
      if (locks) {
        for (const [number, record] of records) {
          if (!locks.has(record.lock) && seen?.get(number)?.lock === record.lock) {
            // The tab was closed, and no other one has taken the number. Its reserved time stays
            // reserved.
            records.set(number, { ...record, token: "" });
          }
        }
      } else {
        seen = records;
      }
      const space = { layout: own.label, born: own.mark };
      const { write: chosen, answer } = acquire(space, records, { ...request, quarantineMs: 0 }, now, true);
      if (chosen) {
        const [number, record] = chosen;
        write({ ...record, number, lock });
      }
      return "retryInMs" in answer && !locks ? undefined : answer;
    });
  const answer = await attempt();
  if (answer) {
    return answer;
  }
  if (!seen) {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  }
  const { held } = await navigator.locks.query();
  return (await attempt(new Set(held?.map(({ name }) => name)))) as Refused;
}

/** Grants a number and takes its locks. `mine`: the locks that no lease owns yet. */
async function grantLocked(
  open: () => Promise<IDBDatabase>,
  request: AcquireRequest,
  mine: (() => void)[],
): Promise<Grant | Refused | Foreign> {
  const { namespace, token } = request;
  const lock = `${NAME} ${namespace} ${token}`;
  mine.push(await present(lock));
  const first = await grant(await open(), request, lock);
  if (!("number" in first)) {
    return first;
  }
  mine.push(await present(`${NAME} ${namespace}`));
  // Ask again: the data may have been cleared before other tabs could see the lock.
  const answer = await grant(await open(), request, lock);
  return "number" in answer ? { ...answer, now: first.now } : answer;
}

/**
 * Calls `revoke` when the page is left or frozen: in the back/forward cache, locks end and no event
 * arrives. Returns a function that stops listening.
 */
function onLeaving(revoke: () => void): () => void {
  const listening = new AbortController();
  let isLeft = false;
  // A page that is being left may issue IDs until it is hidden.
  const follow = ({ type }: { readonly type: string }) => {
    isLeft = type === "pagehide" || (isLeft && type !== "pageshow");
    if (type === "freeze" || (isLeft && document.hidden)) {
      revoke();
    }
  };
  for (const type of LEAVING) {
    // `freeze` does not bubble from the document, so capture it.
    addEventListener(type, follow, { capture: type === "freeze", signal: listening.signal });
  }
  return () => listening.abort();
}

/**
 * A store of leases in IndexedDB, for the tabs, workers and the service worker of one origin in one
 * browser profile. The first number in a new profile takes 2 seconds. Numbers of closed tabs are
 * reused if no others are free. The default `ttlMs` is 300,000, because browsers run timers of
 * hidden tabs once a minute. A tab that is left or frozen releases its number.
 *
 * Errors: `TYPE`, `UNKNOWN_OPTION`; its calls reject with `CONFLICT` without Web Locks, as on a
 * page that is not served over HTTPS.
 *
 * @example
 * ```ts
 * import { twitter } from "graupel";
 * import { lease } from "graupel/lease";
 * import { tabs } from "graupel/lease/tabs";
 * const worker = await lease(tabs({ reach: "alone" }), { format: twitter, namespace: "drafts" });
 * const ids = twitter.generator({ lease: worker });
 * ```
 */
export function tabs(options: TabsOptions): LeaseStore {
  const { reach } = checkOptions(options, { reach: "string" });
  if (reach !== "alone") {
    typeError("reach", reach, '"alone", if no server or other profile feeds the column');
  }
  const revokes = new Set<() => void>();
  const connection = connectionTo(revokes);
  const { open } = connection;
  const locks = locksOf();
  return {
    durable: true,
    ttlMs: 300_000,
    apartMs: 1000,
    async acquire(request) {
      const mine: (() => void)[] = [];
      try {
        const answer = await grantLocked(open, request, mine);
        if ("number" in answer) {
          locks.add({ ...request, ...answer }, request.token, mine.splice(0));
        }
        return answer;
      } finally {
        for (const end of mine) {
          end();
        }
      }
    },
    async renew(request) {
      const { token, nextToken } = request;
      const answer = await renewIn(await open(), request);
      if (answer) {
        locks.move(request, token, nextToken);
      } else {
        // Keep the lock until the lease knows that the number is lost.
        setTimeout(locks.leave, 0, request, token, nextToken);
      }
      return answer;
    },
    /** Only notes the release, without reading: a page that is being left has no time for more. */
    async release(request) {
      const { namespace, tokens } = request;
      locks.leave(request, ...tokens);
      await change<void>(connection.database ?? (await open()), (table, done) => {
        table.put(request, [namespace, `${tokens}`]);
        done();
      });
    },
    list: async (namespace) => listOf(await open(), namespace),
    onRevoke(revoke) {
      const stop = onLeaving(revoke);
      revokes.add(revoke);
      return () => {
        stop();
        revokes.delete(revoke);
      };
    },
  };
}
