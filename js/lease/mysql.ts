/**
 * Leases in MySQL or MariaDB, by the user's own client.
 *
 * @module graupel/lease/mysql
 */
import { checkOptions, refused, wrong } from "./refusals.js";
import { acquire, type NamespaceRecord, type NumberRecord, release, renew } from "./rules.js";
import { heldOf, integer, type Row, TABLE, tableOf } from "./sql.js";
import type { AcquireRequest, Foreign, Grant, LeaseStore, Refused } from "./types.js";

/** What runs statements on one connection. */
interface Runs {
  query(sql: string): PromiseLike<unknown>;
  execute(sql: string, values: string[]): PromiseLike<unknown>;
}

/** A connection of `mysql2/promise`. */
export interface MysqlConnection extends Runs {
  beginTransaction: unknown;
}

/** A pool of `mysql2/promise`. */
export interface MysqlPool {
  getConnection(): PromiseLike<Runs & { release(): void }>;
}

/** What `mysql` takes besides. */
export interface MysqlOptions {
  /**
   * States that no acknowledged write is ever lost: `innodb_flush_log_at_trx_commit = 1`, and no asynchronous replica that could take over.
   * A start then waits for no quarantine. False if left out.
   */
  readonly durable?: boolean | undefined;
  /** The table, if need be with its schema before a dot; `graupel_lease` if left out. */
  readonly table?: string | undefined;
}

/** A store of leases in MySQL or MariaDB. */
export interface MysqlStore extends LeaseStore {
  /** Makes the table unless it is there: for a user who may. Else run `tableSql()` where you change your schema. */
  createTable(this: void): Promise<void>;
}

/** Runs a statement of a transaction. Resolves to its rows; of one that writes, to how many rows it has changed or found. */
type Run = (
  sql: string,
  ...values: (string | number)[]
) => Promise<readonly Row[] & { readonly affectedRows: number }>;

/** The store's time; `SYSDATE` would be local time. It stands for the length of a statement. */
const NOW = "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000";

/** When to come again, in milliseconds, if others are just taking what is free. */
const PAUSE_MS = 50;
/** How often to look again before that. */
const TRIES = 4;

/** Errors of the server: a transaction is open already; a deadlock, of which this transaction is the victim. */
const OPEN = 1568;
const DEADLOCK = 1213;

/** A mask with which a request is for one number alone. */
const ONE = 0x7fff_ffff;

const recordOf = (row: Row): NumberRecord => {
  const { from, mark, label } = heldOf(row);
  return { token: row.token, from, mark, label };
};

/**
 * The statement that makes the table, for your own migrations. A namespace itself is a row of the number -1: its `label` is the layout, its
 * `mark` when it was made.
 */
export const tableSql = (table: string = TABLE): string =>
  `CREATE TABLE IF NOT EXISTS ${tableOf(table)} (
  namespace VARCHAR(128), number BIGINT, token VARCHAR(255), began BIGINT, mark BIGINT, label VARCHAR(255), PRIMARY KEY (namespace, number)
) ENGINE=InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`;

/** The record of a namespace, from its own row. */
const spaceOf = ({ label, mark }: Row): NamespaceRecord => ({ layout: label, born: integer(mark) });

const runOn =
  (connection: Runs): Run =>
  async (sql, ...values) =>
    ((await connection.execute(sql, values.map(String))) as [never])[0];

/** How a client lends one connection for some statements. What one connection does, comes one after the other. */
function lenderOf(client: unknown): <T>(work: (connection: Runs) => Promise<T>) => Promise<T> {
  const { promise } = Object(client) as { readonly promise?: unknown };
  // A client of `mysql2` itself has one with promises.
  const it = Object(typeof promise === "function" ? promise.call(client) : client) as MysqlPool &
    MysqlConnection;
  if (typeof it.getConnection === "function") {
    return async (work) => {
      const connection = await it.getConnection();
      try {
        return await work(connection);
      } finally {
        connection.release();
      }
    };
  }
  if (typeof it.execute !== "function" || typeof it.beginTransaction !== "function") {
    wrong("client", client, "a pool or connection of mysql2/promise");
  }
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(() => work(it));
    last = next.catch(() => {});
    return next;
  };
}

/**
 * A store of leases in MariaDB 10.6 or later, or MySQL 8 or later. Each call is a transaction on one connection, and holds
 * a lock on one row for its length. A replica that takes over
 * may lack the last writes, but repeats no ID: a number is used a quarantine after its acquisition, which is 20 seconds by default.
 *
 * Errors: `TYPE`, `UNKNOWN_OPTION`; its calls reject with `CONFLICT` if a transaction is open on the connection, because a rollback would
 * give away a number that is in use.
 *
 * @param client A pool of `mysql2/promise`, or a connection of it that nothing else uses. Closing it stays the caller's.
 *
 * @example
 * ```ts
 * import { createPool } from "mysql2/promise";
 * import { twitter } from "graupel";
 * import { lease } from "graupel/lease";
 * import { mysql } from "graupel/lease/mysql";
 * const store = mysql(createPool({ host: "127.0.0.1", user: "app", database: "app" }));
 * await store.createTable();
 * const worker = await lease(store, { format: twitter, namespace: "orders" });
 * const ids = twitter.generator({ lease: worker });
 * ```
 */
export function mysql(client: MysqlPool | MysqlConnection, options: MysqlOptions = {}): MysqlStore {
  const lend = lenderOf(client);
  const { durable = false, table = TABLE } = checkOptions(options, { durable: "boolean", table: "string" });
  const makeTable = tableSql(table);

  /** Does something in a transaction of its own, again if the server chooses it to end a deadlock. It is committed before this resolves. */
  const transaction = <T>(work: (run: Run) => Promise<T>): Promise<T> =>
    lend(async (connection) => {
      for (let tries = 5; ; tries--) {
        try {
          // Fails in a transaction, which START would commit.
          await connection.query("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
          await connection.query("START TRANSACTION");
          const answer = await work(runOn(connection));
          await connection.query("COMMIT");
          return answer;
        } catch (error) {
          const { errno } = Object(error) as { readonly errno?: unknown };
          if (errno === OPEN) {
            refused("CONFLICT", "client", errno, "client: it is in a transaction; take a pool");
          }
          await Promise.resolve(connection.query("ROLLBACK")).catch(() => {});
          if (errno !== DEADLOCK || tries === 0) {
            throw error;
          }
        }
      }
    });

  /** The rows of a namespace; its own is the first. */
  const all = (run: Run, namespace: string) =>
    run(`SELECT *, ${NOW} AS now FROM ${table} WHERE namespace = ? ORDER BY number`, namespace);

  /**
   * Locks the row of a number, decides, and writes what it is to be. Resolves to undefined if it stays as it is. `how`: what to do if
   * somebody else has locked it. `time`: when it is decided, if not then.
   */
  async function change(
    run: Run,
    { namespace, number }: { readonly namespace: string; readonly number: number },
    decide: (record: NumberRecord, now: number) => NumberRecord | undefined,
    how = "",
    time?: number,
  ): Promise<Grant | undefined> {
    const [row] = await run(
      `SELECT *, ${NOW} AS now FROM ${table} WHERE namespace = ? AND number = ? FOR UPDATE ${how}`,
      ...[namespace, number],
    );
    if (row) {
      const now = time ?? integer(row.now);
      const before = recordOf(row);
      const after = decide(before, now);
      if (after) {
        const { token, from, mark, label } = after;
        const { affectedRows } = await run(
          `UPDATE ${table} SET token = ?, began = ?, mark = ?, label = ? WHERE namespace = ? AND number = ? AND token = ? AND mark = ?`,
          ...[token, from, mark, label, namespace, number, before.token, before.mark],
        );
        return affectedRows === 1
          ? { number, from, until: mark, now }
          : refused("LEASE_STORE", "client", number, "client: something else has ended its transaction");
      }
    }
    return undefined;
  }

  /** Takes a number, if it still may be taken. Without a `space` there is no namespace yet: this makes it. */
  const take = (request: AcquireRequest, number: number, isFresh: boolean, space?: NamespaceRecord) =>
    transaction(async (run) => {
      const { namespace, layout, quarantineMs } = request;
      let time: number | undefined;
      let own = space;
      if (!own) {
        const { affectedRows } = await run(
          `INSERT IGNORE INTO ${table} SELECT ?, -1, '', now, now, ? FROM (SELECT ${NOW} AS now) AS clock`,
          ...[namespace, layout],
        );
        const [row] = await all(run, namespace);
        own = spaceOf(row as Row);
        // A namespace is as old as its first grant.
        time = affectedRows === 1 ? own.born : undefined;
      }
      const { born } = own;
      if (isFresh) {
        const mark = durable ? born + quarantineMs : born;
        await run(`INSERT IGNORE INTO ${table} VALUES (?, ?, '', ?, ?, '')`, namespace, number, mark, mark);
      }
      const alone = { ...request, mask: ONE, bits: number };
      return change(
        run,
        { namespace, number },
        (record, now) =>
          acquire({ layout, born }, new Map([[number, record]]), alone, now, durable).write?.record,
        "SKIP LOCKED",
        time,
      );
    });

  /** Reads, chooses, and takes a number. Others may be quicker: then again, and among more numbers the more often they were. */
  async function takeAny(request: AcquireRequest): Promise<Grant | Refused | Foreign> {
    for (let lost = 0; lost < TRIES; lost++) {
      const [head, ...rows] = await lend((connection) => all(runOn(connection), request.namespace));
      const space = head && spaceOf(head);
      const records = new Map(rows.map((row) => [integer(row.number), recordOf(row)]));
      const rest = new Map(records);
      const choices: number[] = [];
      while (space && choices.length < 4 ** lost) {
        const { write, answer } = acquire(space, rest, request, integer(head.now), durable);
        if (write) {
          choices.push(write.number);
          rest.set(write.number, { ...write.record, token: "-", mark: Number.POSITIVE_INFINITY });
        } else if (choices.length === 0) {
          return answer;
        } else {
          break;
        }
      }
      const number = choices[Math.floor(Math.random() * choices.length)] ?? request.bits;
      const grant = await take(request, number, !records.has(number), space);
      if (grant) {
        return grant;
      }
    }
    return { retryInMs: PAUSE_MS };
  }

  return {
    durable,
    acquire: takeAny,
    renew: (request) =>
      transaction(
        async (run) =>
          (await change(run, request, (record, now) => renew(record, request, now, durable))) ?? null,
      ),
    release: (request) =>
      transaction(async (run) => void (await change(run, request, (record) => release(record, request)))),
    list: (namespace) => transaction(async (run) => (await all(run, namespace)).slice(1).map(heldOf)),
    createTable: () => lend(async (connection) => void (await connection.query(makeTable))),
  };
}
