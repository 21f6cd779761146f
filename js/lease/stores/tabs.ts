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

/** What `tabs` takes. */
export interface TabsOptions {
  /**
   * States that nobody else feeds the column, queue or topic that the IDs meet in: no server, no other browser profile, and no frame in a
   * page of another site, whose storage is kept apart. Each of these begins with number 0. Where `part` restricts the store to what a server
   * granted, this holds by itself.
   */
  readonly reach: "alone";
}

/** The record of a number, or, with the number -1, of its namespace: `label` is the layout, `mark` that of numbers without a record. */
interface TabRecord extends NumberRecord {
  readonly number: number;
  /** The lock of whoever holds it. */
  readonly lock?: string;
}

/** A number of a namespace. */
type Owned = Pick<RenewRequest, "namespace" | "number">;

type Records = Map<number, TabRecord>;
type Write = (record: TabRecord) => void;

/** The name of the database, of its only table, and of what locks begin with. */
const NAME = "graupel-lease";

/**
 * How long a new database waits before it grants anything, in milliseconds. If there was one before, which was cleared, its tabs have heard
 * of it by then, and issue nothing more. Locks alone do not show them: Chromium hides those from before the clearing from new tabs.
 */
const SETTLE_MS = 2000;

/** Events of a page that ends, or stands still in a cache, and of one that comes back. */
const LEAVING = ["freeze", "pagehide", "visibilitychange", "pageshow"];

/** Changes the table. `work` makes its requests at once. Resolves when what it has written is on the disk. */
function change<T>(database: IDBDatabase, work: (table: IDBObjectStore, done: (answer: T) => void) => void) {
  return new Promise<T>((resolve, reject) => {
    let answer: T;
    const transaction = database.transaction(NAME, "readwrite", { durability: "strict" });
    transaction.oncomplete = () => resolve(answer);
    transaction.onabort = () => reject(transaction.error);
    work(transaction.objectStore(NAME), (given) => {
      answer = given;
      // A page that is being left hears of no request that ends.
      transaction.commit();
    });
  });
}

/** Reads the records of a namespace, its own apart, and decides. A release that was only noted is done first. */
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

/** Takes a lock for which nobody waits: it tells others that this tab is there. Resolves to a function that ends it. */
const present = (name: string) =>
  new Promise<() => void>((resolve, reject) => {
    const locks =
      navigator.locks ??
      fail("CONFLICT", "store", undefined, "tabs: no Web Locks; serve the page over HTTPS");
    locks.request(name, { mode: "shared" }, () => new Promise<void>(resolve)).catch(reject);
  });

/** The database, which is opened at the first call, and again once it was lost: then all that was granted is revoked. */
function connectionTo(revokes: ReadonlySet<() => void>) {
  let opening: Promise<IDBDatabase> | undefined;
  /** The open one, for a page that has no time to wait. */
  let database: IDBDatabase | undefined;
  function open(): Promise<IDBDatabase> {
    opening ??= new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(NAME);
      request.onupgradeneeded = () => request.result.createObjectStore(NAME);
      request.onerror = () => reject(request.error);
      request.onsuccess = () => {
        const opened = request.result;
        // The data were cleared, or the page deletes the database: others find a new one.
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
  /** What ends them, by number and token. */
  const ends = new Map<string, readonly (() => void)[]>();
  const keyOf = ({ namespace, number }: Owned, token: string) => `${namespace} ${number} ${token}`;
  return {
    add(owned: Owned, token: string, more: readonly (() => void)[]): void {
      const key = keyOf(owned, token);
      ends.set(key, [...(ends.get(key) ?? []), ...more]);
    },
    /** A renewal has changed the token. */
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
  /** The records, when all numbers were held; undefined in a new namespace. */
  let seen: Records | undefined;
  /** `locks`: of all that live. Without them: undefined if they have to be known. */
  const attempt = (locks?: ReadonlySet<string | undefined>) =>
    decide(opened, namespace, (records, write, now, found) => {
      let own = found;
      if (own === undefined) {
        if (!locks) {
          return undefined;
        }
        // Those who still hold a number of lost records do so for a quarantine at most.
        const mark = locks.has(`${NAME} ${namespace}`) ? now + quarantineMs : now;
        own = { number: -1, token: "", from: mark, mark, label: layout };
        write(own);
      }
      if (locks) {
        for (const [number, record] of records) {
          if (!locks.has(record.lock) && seen?.get(number)?.lock === record.lock) {
            // Nobody has had it since. What it has reserved stays reserved.
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

/** Grants a number, and takes its locks. `mine`: those that a lease has not got yet. */
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
  // Once more: the data may have been cleared before the lock was seen by others.
  const answer = await grant(await open(), request, lock);
  return "number" in answer ? { ...answer, now: first.now } : answer;
}

/** Calls `revoke` when the page is left or frozen: in a cache of pages, locks end and nothing is heard. Returns a function that ends this. */
function onLeaving(revoke: () => void): () => void {
  const listening = new AbortController();
  let isLeft = false;
  // A page that is left may still make IDs until it is hidden.
  const follow = ({ type }: { readonly type: string }) => {
    isLeft = type === "pagehide" || (isLeft && type !== "pageshow");
    if (type === "freeze" || (isLeft && document.hidden)) {
      revoke();
    }
  };
  for (const type of LEAVING) {
    // The first one stays with the document, unless it is caught on its way there.
    addEventListener(type, follow, { capture: type === "freeze", signal: listening.signal });
  }
  return () => listening.abort();
}

/**
 * A store of leases in IndexedDB, for the tabs, workers and the service worker of one origin in one browser profile. A new profile waits 2
 * seconds, once. Numbers of tabs that were closed are taken again when no other one is left. Its leases have a `ttlMs` of 300,000 if
 * nothing else is said, as hidden tabs get one timer a minute. A tab that is left, or frozen by the browser, gives its number back.
 *
 * Errors: `TYPE`, `UNKNOWN_OPTION`; its calls reject with `CONFLICT` if the page is not served over HTTPS.
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
    typeError("reach", reach, '"alone": no server or other profile feeds the same column');
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
        // After the lease has heard of it.
        setTimeout(locks.leave, 0, request, token, nextToken);
      }
      return answer;
    },
    /** Only noted, without reading: a page that is being left has no time for more. */
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
