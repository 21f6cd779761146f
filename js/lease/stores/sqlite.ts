/**
 * Leases in a SQLite file, for all processes of one host.
 *
 * @module graupel/lease/sqlite
 */
import { checkOptions } from "../../checks.js";
import { fail, typeError } from "../../errors.js";
import { acquire, grantOf, type NumberRecord, release, renew } from "../store-rules.js";
import type { Grant, LeaseStore } from "../types.js";
import { integer, noRows, type SqlRow, TABLE } from "./sql.js";

/** A prepared statement of `node:sqlite`, better-sqlite3 or `bun:sqlite`. */
export interface SqliteStatement {
  /** Runs the statement and returns its rows. */
  all(...values: (string | number)[]): readonly unknown[];
  /** Runs the statement. */
  run(...values: (string | number)[]): unknown;
}

/** A database of `node:sqlite`, better-sqlite3 or `bun:sqlite`. */
export interface SqliteDatabase {
  /** Prepares a statement. */
  prepare(sql: string): SqliteStatement;
  /** Runs statements. */
  exec(sql: string): unknown;
}

/** Options of `sqlite`. */
export interface SqliteOptions {
  /**
   * Confirms that no other host, container or file provides numbers for the same column, queue or
   * topic, because each file starts at number 0.
   */
  readonly reach: "alone";
}

/** The functions of `node:fs` that check that the file is still the same and has only one path. */
interface Files {
  statSync(path: string): { readonly dev: number; readonly ino: number; readonly nlink: number };
  readFileSync(path: string, encoding: "utf8"): string;
}

/** Errors that a retry cannot fix. */
const HOPELESS = /readonly|not a database|malformed|not open|unable to open|closed/;

/** Milliseconds of SQLite's clock, which is the host's. */
const NOW = "CAST(ROUND((julianday('now') - 2440587.5) * 86400000) AS INTEGER)";

const READ = `SELECT * FROM main.${TABLE} WHERE namespace = ? AND number BETWEEN ? AND ? ORDER BY number`;

/**
 * How long a call waits while other processes write, and the average pause between two attempts, in
 * milliseconds.
 */
const PATIENCE_MS = 1000;
const PAUSE_MS = 10;

/**
 * The records of a namespace. Number -1 is the namespace itself: its `label` is the layout, its
 * `mark` the time of creation.
 */
const recordsOf = (rows: readonly SqlRow[]) =>
  new Map(
    rows.map(({ number, token, began, mark, label }): [number, NumberRecord] => [
      integer(number),
      { token, from: integer(began), mark: integer(mark), label },
    ]),
  );

const conflict = (what: string, value?: unknown) => fail("CONFLICT", "database", value, `database: ${what}`);

function all(database: SqliteDatabase, sql: string, ...values: (string | number)[]): readonly SqlRow[] {
  const rows: unknown = database.prepare(sql).all?.(...values);
  // Rows of other clients are promises, and with `returnArrays`, each row is an array.
  return Array.isArray(rows) && !rows.some(Array.isArray) ? rows : noRows();
}

/** Reads a setting or sets it. */
function pragma(database: SqliteDatabase, name: string) {
  return Object.values(all(database, `PRAGMA main.${name}`)[0] as SqlRow)[0] as unknown;
}

/** Throws if the connection could lose a write. Returns whether it is in WAL mode. */
function checkSettings(database: SqliteDatabase): boolean {
  let isWal = false;
  for (const [name, unsafe, safe] of [
    ["synchronous", /[01]/, "FULL"],
    ["journal_mode", /off|memory/, "WAL"],
  ] as const) {
    const value = pragma(database, name);
    isWal = value === "wal";
    if (unsafe.test(`${value}`)) {
      conflict(`PRAGMA ${name} is ${value}, which may lose writes; set it to ${safe}`, value);
    }
  }
  return isWal;
}

/**
 * Also throws if the file was deleted, because processes that have the old file open do not see
 * those that open a new one. In WAL mode, also throws if the file has two paths, by a link or because
 * it is mounted without its folder: each path has its own WAL file. `place`: the file's device and
 * inode, as the last check returned them.
 */
function check(database: SqliteDatabase, place: string | undefined): string {
  const isWal = checkSettings(database);
  const file = (all(database, "PRAGMA database_list")[0] as SqlRow & { readonly file: string }).file;
  let found: string | undefined;
  let isShared = false;
  try {
    const files = process.getBuiltinModule("node:fs") as Files;
    const { dev, ino, nlink } = files.statSync(file);
    found = `${dev}:${ino}`;
    isShared = nlink > 1;
    if (!place) {
      isShared ||=
        files.statSync(file.replace(/[^/\\]+$/, "")).dev !== dev ||
        // The kernel writes a space as its octal code.
        files.readFileSync("/proc/self/mountinfo", "utf8").includes(` ${file.replaceAll(" ", "\\040")} `);
    }
  } catch {
    // There is no such file, or this is not Linux.
  }
  if (isWal && isShared) {
    conflict("its file has two paths; mount its folder", file);
  }
  return found && found === (place ?? found)
    ? found
    : conflict(`its file was deleted or replaced; open ${file} again`, file);
}

/** Runs a transaction without waiting. When it returns, the changes are on the disk. */
function attempt<T>(database: SqliteDatabase, check: () => void, work: (now: number) => T): T {
  const waits = pragma(database, "busy_timeout");
  let isOpen = false;
  try {
    // SQLite's own wait would block the event loop.
    pragma(database, "busy_timeout=0");
    check();
    database.exec("BEGIN IMMEDIATE");
    isOpen = true;
    database.exec(
      `CREATE TABLE IF NOT EXISTS main.${TABLE} (namespace TEXT, number INTEGER, token TEXT, began INTEGER, mark INTEGER, label TEXT, PRIMARY KEY (namespace, number))`,
    );
    const answer = work(integer((all(database, `SELECT ${NOW} AS now`)[0] as SqlRow).now));
    database.exec("COMMIT");
    isOpen = false;
    // Check again: if the file still exists now, the grant ends within the quarantine of a file
    // that replaces it.
    check();
    return answer;
  } catch (error) {
    if (isOpen) {
      try {
        database.exec("ROLLBACK");
      } catch {
        // SQLite has already rolled back.
      }
    } else if (/within a transaction/.test((Object(error) as Error).message)) {
      conflict("a transaction is open on it; open a second connection for leases");
    }
    throw error;
  } finally {
    pragma(database, `busy_timeout=${waits}`);
  }
}

/** Runs `work` while no other process writes. Resolves when the changes are on the disk. */
type Transaction = <T>(work: (now: number) => T) => Promise<T>;

function transactionsOf(database: SqliteDatabase): Transaction {
  let place: string | undefined;
  const checked = () => {
    place = check(database, place);
  };
  return async (work) => {
    for (let patience = PATIENCE_MS; ; ) {
      try {
        return attempt(database, checked, work);
      } catch (error) {
        const { message } = Object(error) as Error;
        const pause = 2 * PAUSE_MS * Math.random();
        patience -= pause;
        if (!/database is locked/.test(message) || patience < 0) {
          throw HOPELESS.test(message)
            ? Object.assign(error as Error, { permanent: true, message: `${message}; open another one` })
            : error;
        }
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  };
}

/**
 * A store of leases in a SQLite file, for all processes of one host. It creates its table. Each
 * write is on the disk before the number is used, so IDs do not repeat after a process is killed
 * and restarted. The default `ttlMs` is 3,000.
 *
 * Errors: `TYPE`, `UNKNOWN_OPTION`; its calls reject with `CONFLICT` if a transaction is open on
 * the database, if it is in memory, if its file was deleted or replaced, if the file has two paths
 * in WAL mode, or if `PRAGMA synchronous` or `journal_mode` could lose writes.
 *
 * @param database A database of `node:sqlite`, better-sqlite3 or `bun:sqlite`, on a local disk, not
 *   in a temporary folder or on a network file system. You close it.
 *
 * @example
 * ```ts
 * import { DatabaseSync } from "node:sqlite";
 * import { twitter } from "graupel";
 * import { lease } from "graupel/lease";
 * import { sqlite } from "graupel/lease/sqlite";
 * const store = sqlite(new DatabaseSync("/var/lib/app/leases.db"), { reach: "alone" });
 * const worker = await lease(store, { format: twitter, namespace: "orders" });
 * const ids = twitter.generator({ lease: worker });
 * ```
 */
export function sqlite(database: SqliteDatabase, options: SqliteOptions): LeaseStore {
  const { reach } = checkOptions(options, { reach: "string" });
  if (reach !== "alone") {
    typeError("reach", reach, '"alone", if no other file, host or container feeds the column');
  }
  const { prepare, exec } = Object(database) as Readonly<Record<string, unknown>>;
  if (typeof prepare !== "function" || typeof exec !== "function") {
    typeError("database", database, "a database of node:sqlite, better-sqlite3 or bun:sqlite");
  }
  const transaction = transactionsOf(database);
  /** Reads the records of a namespace with numbers in a range. */
  const read = (namespace: string, first: number, last = first) =>
    recordsOf(all(database, READ, namespace, first, last));
  const write = (namespace: string, number: number, { token, from, mark, label }: NumberRecord) =>
    database
      .prepare(`REPLACE INTO main.${TABLE} VALUES (?, ?, ?, ?, ?, ?)`)
      .run(namespace, number, token, from, mark, label);

  /** Changes the record of a number, if it exists. */
  const change = (
    { namespace, number }: { readonly namespace: string; readonly number: number },
    decide: (record: NumberRecord | undefined, now: number) => NumberRecord | undefined,
  ) =>
    transaction((now): Grant | null => {
      const after = decide(read(namespace, number).get(number), now);
      if (!after) {
        return null;
      }
      write(namespace, number, after);
      return grantOf(number, after, now);
    });

  return {
    ...{ table: TABLE },
    durable: true,
    ttlMs: 3000,
    apartMs: 1000,
    acquire: (request) =>
      transaction((now) => {
        const { namespace, layout, last } = request;
        const records = read(namespace, -1, last);
        let own = records.get(-1);
        records.delete(-1);
        if (!own) {
          own = { token: "", from: now, mark: now, label: layout };
          write(namespace, -1, own);
        }
        const acquired = acquire({ layout: own.label, born: own.mark }, records, request, now, true);
        if (acquired.write) {
          write(namespace, ...acquired.write);
        }
        return acquired.answer;
      }),
    renew: (request) => change(request, (record, now) => renew(record, request, now, true)),
    release: async (request) => void (await change(request, (record) => release(record, request))),
    list: (namespace) =>
      transaction((now) =>
        [...read(namespace, 0, Number.MAX_SAFE_INTEGER)].map(([number, { token, ...rest }]) => ({
          ...{ number, held: token !== "", now },
          ...rest,
        })),
      ),
  };
}
