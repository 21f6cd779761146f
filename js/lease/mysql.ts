/**
 * Leases in MySQL or MariaDB, by the user's own client.
 *
 * @module graupel/lease/mysql
 */
import { checkOptions, refused, wrong } from "../refusals.js";
import { acquire, grantOf } from "./rules.js";
import { heldOf, integer, type Row, recordOf, TABLE, tableOf } from "./sql.js";
import type { AcquireRequest, Foreign, Grant, LeaseStore, Refused } from "./types.js";

/** A pool or a connection of `mysql2/promise`. */
export interface MysqlClient {
  /** Runs a prepared statement with these values. */
  execute(sql: string, values: string[]): PromiseLike<unknown>;
}

/** A pool or a connection of `mysql2`, which works with callbacks. */
export interface MysqlCallbackClient {
  /** The same client, with promises. */
  promise(): MysqlClient;
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

/** The rows of a statement; of one that writes, the state of the connection, and the number that it has set aside. */
type Answer = readonly Row[] & { readonly serverStatus?: number; readonly insertId: unknown };

/** The bit of a state that says: a transaction is open. */
const OPEN = 1;

/** The error that says: the row is there already. */
const DUPLICATE = 1062;

/** The store's time, the same for the length of a statement; `SYSDATE` would be local time. */
const NOW = "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000";
/** The same, set aside for the answer if a row is written. */
const NOTED = `LAST_INSERT_ID(${NOW})`;

/** A mask with which a request is for one number alone. */
const ONE = 0x7fff_ffff;

/** How often to look for a number, if others are quicker, and when to come again, in milliseconds. */
const TRIES = 3;
const PAUSE_MS = 200;

/**
 * The statement that makes the table, for your own migrations. A namespace itself is a row of the number -1: its `label` is the layout, its
 * `mark` when it was made.
 */
export const tableSql = (table: string = TABLE): string =>
  `CREATE TABLE IF NOT EXISTS ${tableOf(table)} (
  namespace VARCHAR(128), number BIGINT, token VARCHAR(255), began BIGINT, mark BIGINT, label VARCHAR(255), PRIMARY KEY (namespace, number)
) ENGINE=InnoDB COLLATE utf8mb4_bin`;

/**
 * A store of leases in MySQL or MariaDB. Each statement is a transaction of its own, so a process that stands still locks nothing. A
 * replica that takes over may lack the last writes, but repeats no ID: a number is used a quarantine after its acquisition, which is 20
 * seconds by default. An acquisition reads all records of its namespace.
 *
 * Errors: `TYPE`, `UNKNOWN_OPTION`; its calls reject with `CONFLICT` if a transaction is open on the connection, because a rollback would
 * give away a number that is in use.
 *
 * @param client A pool of `mysql2`, or a connection of it that nothing else uses. Closing it stays the caller's.
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
export function mysql(client: MysqlClient | MysqlCallbackClient, options: MysqlOptions = {}): MysqlStore {
  const { promise } = Object(client) as MysqlCallbackClient;
  const it = Object(typeof promise === "function" ? promise.call(client) : client) as MysqlClient;
  if (typeof it.execute !== "function") {
    wrong("client", client, "a pool of mysql2");
  }
  const { durable = false, table = TABLE } = checkOptions(options, { durable: "boolean", table: "string" });
  const makeTable = tableSql(table);

  async function run(sql: string, ...values: (string | number)[]): Promise<Answer> {
    const [answer] = (await it.execute(sql, values.map(String))) as [Answer];
    return (answer.serverStatus ?? 0) & OPEN
      ? refused("CONFLICT", "client", undefined, "client: a transaction is open; end it, or take a pool")
      : answer;
  }

  /** Rows of a namespace; `which`: the rest of the statement. */
  const read = (which: string, ...values: (string | number)[]) =>
    run(`SELECT *, ${NOW} AS now FROM ${table} WHERE namespace = ? ${which}`, ...values);
  /** All of them: the namespace's own comes first. */
  const readAll = (namespace: string) => read("ORDER BY number", namespace);

  /** Makes a namespace, together with its first grant; does nothing if it is there. Resolves to whether it has made it. */
  async function make(request: AcquireRequest): Promise<boolean> {
    const { namespace, layout, bits, token, label, quarantineMs } = request;
    try {
      await run(
        `INSERT INTO ${table} SELECT ?, -1, '', ${NOW}, ${NOW}, ? UNION ALL SELECT ?, ?, ?, ${NOW} + ?, ${NOW} + ?, ?`,
        ...[namespace, layout, namespace, bits, token, quarantineMs, quarantineMs, label],
      );
      return true;
    } catch (error) {
      if ((Object(error) as { readonly errno?: unknown }).errno !== DUPLICATE) {
        throw error;
      }
      return false;
    }
  }

  /** Reads, chooses, and takes a number if nobody has changed it since. Whoever loses chooses again, among more and more of the next. */
  async function take(request: AcquireRequest): Promise<Grant | Refused | Foreign> {
    const { namespace, ttlMs, quarantineMs, token, label } = request;
    let made = false;
    for (let lost = 0; lost < TRIES; lost++) {
      const [head, ...rows] = await readAll(namespace);
      if (!head) {
        made = await make(request);
        continue;
      }
      const space = { layout: head.label, born: integer(head.mark) };
      const records = new Map(rows.map((row) => [integer(row.number), recordOf(row)]));
      const rest = new Map(records);
      const choices: number[] = [];
      while (choices.length < 8 ** lost) {
        const { write, answer } = acquire(space, rest, request, integer(head.now), durable);
        if (write) {
          const [number, record] = write;
          choices.push(number);
          rest.set(number, { ...record, token: "-", mark: Infinity });
        } else if (choices.length > 0) {
          break;
        } else if ("number" in answer) {
          // It has one, perhaps in a transaction; what reads does not say so.
          await run("DO 0");
          // A namespace is as old as its first grant.
          return made ? { ...answer, now: space.born } : answer;
        } else {
          return answer;
        }
      }
      const number = choices[Math.floor(Math.random() * choices.length)] as number;
      let before = records.get(number);
      if (!before) {
        const mark = durable ? space.born + quarantineMs : space.born;
        before = { token: "", from: mark, mark, label: "" };
        await run(`INSERT IGNORE INTO ${table} VALUES (?, ?, '', ?, ?, '')`, namespace, number, mark, mark);
      }
      const { insertId } = await run(
        `UPDATE ${table} SET token = ?, label = ?, ${
          durable ? "began = mark" : `began = GREATEST(mark, ${NOW} + ?)`
        }, mark = GREATEST(mark, ${NOTED} + ?) WHERE namespace = ? AND number = ? AND token = ? AND mark = ?`,
        ...[token, label, ...(durable ? [ttlMs] : [quarantineMs, quarantineMs])],
        ...[namespace, number, before.token, before.mark],
      );
      const now = integer(insertId);
      if (now > 0) {
        const alone = { ...request, mask: ONE, bits: number };
        return acquire(space, new Map([[number, before]]), alone, now, durable).answer;
      }
    }
    return { retryInMs: PAUSE_MS };
  }

  return {
    durable,
    acquire: take,
    async renew({ namespace, number, token, nextToken, ttlMs }) {
      const { insertId } = await run(
        `UPDATE ${table} SET token = ?, mark = GREATEST(mark, ${NOTED} + ?) WHERE namespace = ? AND number = ? AND token IN (?, ?)${
          durable ? "" : ` AND ${NOW} < mark`
        }`,
        ...[nextToken, ttlMs, namespace, number, token, nextToken],
      );
      const [row] = await read("AND number = ?", namespace, number);
      const now = integer(insertId);
      // Somebody else may have it by now.
      if (now === 0 || row?.token !== nextToken) {
        return null;
      }
      return grantOf(number, heldOf(row), now);
    },
    async release({ namespace, number, tokens, nextFree }) {
      await run(
        `UPDATE ${table} SET mark = LEAST(mark, GREATEST(began, ? + 0)), token = '' WHERE namespace = ? AND number = ? AND token IN (${tokens.map(() => "?")})`,
        ...[nextFree, namespace, number, ...tokens],
      );
    },
    list: async (namespace) => (await readAll(namespace)).slice(1).map(heldOf),
    createTable: async () => void (await run(makeTable)),
  };
}
