/**
 * Leases in MySQL or MariaDB, with your own client.
 *
 * @module graupel/lease/mysql
 */
import { checkOptions } from "../../checks.js";
import { typeError } from "../../errors.js";
import type { AcquireRequest, Foreign, Grant, LeaseStore, Refused, RenewRequest } from "../types.js";
import { heldOf, inTransaction, integer, mended, noRows, type SqlRow, TABLE, tableOf } from "./sql.js";

/** A pool or a connection of `mysql2/promise`. */
export interface MysqlClient {
  /** Runs a prepared statement. */
  execute(statement: { sql: string; typeCast: true }, values: string[]): PromiseLike<unknown>;
}

/** A pool or a connection of `mysql2`, which works with callbacks. */
export interface MysqlCallbackClient {
  /** Returns the same client with promises. */
  promise(): MysqlClient;
}

/** Options of `mysql`. */
export interface MysqlOptions {
  /**
   * Confirms that no acknowledged write is ever lost: `innodb_flush_log_at_trx_commit = 1`, and no
   * asynchronous replica that could take over. A new process then does not wait for a quarantine.
   * False by default.
   */
  readonly durable?: boolean | undefined;
  /** The table, optionally as `schema.table`; `graupel_lease` by default. */
  readonly table?: string | undefined;
}

/** A store of leases in MySQL or MariaDB. */
export interface MysqlStore extends LeaseStore {
  /**
   * Creates the table if it does not exist. Without that privilege, run `tableSql()` in your
   * migrations.
   */
  createTable(this: void): Promise<void>;
}

/**
 * The rows of a statement. After a write: the state of the connection, and the value of
 * `LAST_INSERT_ID`.
 */
type Answer = readonly SqlRow[] & {
  readonly serverStatus?: number;
  readonly insertId?: unknown;
};

/** The store's time, constant within a statement. `SYSDATE` would be local time. */
const NOW = "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000";
/** The same time; a write also returns it as `insertId`. */
const NOTED = `LAST_INSERT_ID(${NOW})`;

/** Whether an error means that the row exists already or is locked. */
const isTaken = (error: unknown) => /DUP_|LOCK_/.test((Object(error) as { readonly code: string }).code);
/** Errors that a retry cannot fix, with the groups for `mended`. */
const HOPELESS = /_(?:DENIED|BAD_|(NO_SUCH_TABLE)|NO_|OPTION|READ_ONLY|HOST_|PARSE)|(i[sn] closed)/;

/**
 * A prefix for statements, with which MariaDB does not wait for locks. MySQL treats it as a comment
 * and waits for up to `innodb_lock_wait_timeout`.
 */
const QUICK = "/*M! SET STATEMENT innodb_lock_wait_timeout=0, lock_wait_timeout=1 FOR */ ";

/**
 * True if no transaction is open, as far as a statement can tell. MySQL reveals it only in its
 * answer.
 */
const ALONE = "@@autocommit /*M! > @@in_transaction */";

/** The later of a time, and now plus a duration. */
const LATER = `GREATEST(? + 0, ${NOTED} + ?)`;

/**
 * Matches the record of the namespace that was read, which may have been deleted or created again.
 */
const SAME = `(head.namespace, head.number, head.mark, head.label) = (?, -1, ?, ?) AND ${ALONE}`;

/** The rank of numbers that are not free yet. */
const WAITS = 2e15;

/** The answer if other callers were faster each time. */
const AGAIN = { retryInMs: 200 };

/**
 * Returns the statement that creates the table, for your migrations. The row with number -1 is the
 * namespace itself: its `label` is the layout, its `mark` the time of creation.
 */
export const tableSql = (table: string = TABLE): string =>
  `CREATE TABLE IF NOT EXISTS ${tableOf(table)} (
  namespace VARCHAR(128), number BIGINT, token VARCHAR(255), began BIGINT, mark BIGINT, label VARCHAR(255), PRIMARY KEY (namespace, number)
) ENGINE=InnoDB COLLATE utf8mb4_bin`;

/**
 * Returns the candidate with the lowest rank. The order: the caller's own number, free numbers,
 * expired numbers (both by mark), and numbers that are not free yet. A number without a record is
 * free. A call that lost to another call chooses at random.
 */
function choose(
  rows: readonly SqlRow[],
  request: AcquireRequest,
  head: SqlRow,
  isLate: boolean,
  durable: boolean,
) {
  const { mask, bits, last, token, quarantineMs } = request;
  /** The rank of held numbers that have expired. */
  const HELD = 1e15;
  const now = integer(head.now);
  let best = { number: 0, mark: 0, token: undefined as string | undefined, rank: Infinity };
  const offer = (number: number, mark: number, holder?: string) => {
    const rank =
      holder === token
        ? -1
        : mark > now && (holder || !durable)
          ? WAITS + mark
          : isLate
            ? Math.random()
            : mark + (holder ? HELD : 0);
    if (rank < best.rank && number <= last && (number & mask) === bits) {
      best = { number, mark, token: holder, rank };
    }
  };
  const seen = new Set<number>();
  for (const row of rows) {
    const { number, mark } = heldOf(row);
    seen.add(number);
    offer(number, mark, row.token);
  }
  // The number after each of these is in the list, or has no record.
  for (const before of [-1, isLate ? Math.random() * last : -1, ...seen]) {
    const number = (((before - bits + mask + 1) & ~mask) + bits) >>> 0;
    if (!seen.has(number)) {
      offer(number, integer(head.mark) + (durable ? quarantineMs : 0));
    }
  }
  return best;
}

type Chosen = ReturnType<typeof choose>;

/** The table of leases. */
class Table {
  readonly #client: MysqlClient;
  readonly #table: string;
  readonly #durable: boolean;
  /**
   * Tokens whose acquisition got no answer. Their first choice may be locked, so they choose at
   * random.
   */
  readonly #unanswered = new Set<string>();

  constructor(client: MysqlClient, table: string, durable: boolean) {
    this.#client = client;
    this.#table = table;
    this.#durable = durable;
  }

  async run(sql: string, ...values: unknown[]): Promise<Answer> {
    let answers: unknown;
    try {
      // Conversions of the user may be only for `query`, which has another protocol.
      answers = await this.#client.execute({ sql: QUICK + sql, typeCast: true }, values.map(String));
    } catch (error) {
      throw mended(error, HOPELESS);
    }
    const answer: Answer = Array.isArray(answers) ? Object(answers[0]) : noRows();
    // This bit is set if a transaction is open.
    return (answer.serverStatus ?? (Array.isArray(answer) ? 0 : noRows())) & 1 ? inTransaction() : answer;
  }

  /**
   * Runs a statement, and retries it if its row is locked, because statements do not wait for
   * locks.
   */
  async again(sql: string, ...values: unknown[]): Promise<Answer> {
    for (let tries = 9; ; tries--) {
      try {
        return await this.run(sql, ...values);
      } catch (error) {
        if (!tries || !isTaken(error)) {
          throw error;
        }
        await this.run("DO SLEEP(0.03)");
      }
    }
  }

  /** Reads rows of a namespace. `which`: the rest of the statement, after the number. */
  read(which: string, namespace: string, number: number) {
    return this.again(
      `(SELECT *, ${NOW} AS now FROM ${this.#table} WHERE namespace = ? AND number ${which})`,
      namespace,
      number,
    );
  }

  /** Reads the record of the namespace first. */
  readFrom(namespace: string, first: number) {
    return this.read(">= ? ORDER BY number", namespace, first);
  }

  async renew(request: RenewRequest, isFirst = true): Promise<Grant | null> {
    const { namespace, number, token, nextToken, ttlMs } = request;
    const { insertId } = await this.again(
      `UPDATE ${this.#table} SET token = ?, mark = GREATEST(mark, ${NOTED} + ?) WHERE namespace = ? AND number = ? AND token IN (?, ?) AND ${ALONE}${
        this.#durable ? "" : ` AND ${NOW} < mark`
      }`,
      ...[nextToken, ttlMs, namespace, number, token, nextToken],
    );
    const now = integer(insertId);
    if (!now) {
      return null;
    }
    // Proxies that send reads to replicas send a locking read to the primary.
    const [row] = await this.read(`= ? AND ${ALONE} FOR UPDATE`, namespace, number);
    if (!row || ![token, nextToken].includes(row.token)) {
      if (isFirst) {
        // It was released in the meantime, or another call renewed it.
        return this.renew(request, false);
      }
      throw new Error("read from the primary");
    }
    const { from, mark } = heldOf(row);
    return { number, from, until: Math.max(mark, now + ttlMs), now };
  }

  /** Takes a number if its record has not changed since it was read. */
  async #claim(request: AcquireRequest, head: SqlRow, chosen: Chosen): Promise<Grant | undefined> {
    const { layout, ttlMs, quarantineMs, token, label } = request;
    const { number, mark: from, token: before } = chosen;
    const durable = this.#durable;
    const lasts = durable ? ttlMs : quarantineMs;
    // In a durable store, a tenure begins at the previous mark, however late it is.
    const times = [from, durable ? -from : lasts, from, lasts, label];
    const same = [request.namespace, head.mark, layout];
    const { insertId } = await (before !== undefined
      ? this.run(
          `UPDATE ${this.#table} AS head, ${this.#table} AS it SET it.token = ?, it.began = ${LATER}, it.mark = ${LATER}, it.label = ? WHERE it.namespace = head.namespace AND (it.number, it.token, it.mark) = (?, ?, ?) AND ${SAME}`,
          ...[token, ...times, number, before, from, ...same],
        )
      : this.run(
          `INSERT INTO ${this.#table} SELECT namespace, ?, ?, ${LATER}, ${LATER}, ? FROM ${this.#table} AS head WHERE ${SAME} LOCK IN SHARE MODE`,
          ...[number, token, ...times, ...same],
        ));
    const now = integer(insertId);
    const until = Math.max(from, now + lasts);
    return now ? { number, from: durable ? from : until, until, now } : undefined;
  }

  /**
   * Reads, chooses, and takes a number if its record has not changed in the meantime. A caller that
   * loses chooses again at random.
   */
  async #take(request: AcquireRequest): Promise<Grant | Refused | Foreign> {
    const { namespace, layout, token } = request;
    /** How many attempts to make if other callers are faster. */
    const TRIES = 3;
    let isLate = this.#unanswered.has(token);
    this.#unanswered.add(token);
    // The answer to a read does not tell whether a transaction is open.
    await this.run("DO 0");
    for (let tries = TRIES; tries > 0; tries--) {
      try {
        const [head, ...rows] = await this.readFrom(namespace, -1);
        // If the first row is a number, the row of the namespace was deleted alone.
        if (!head || integer(head.number) >= 0) {
          await this.run(
            `INSERT IGNORE INTO ${this.#table} SELECT ?, -1, '', ${NOW}, ${NOW}, ? FROM DUAL WHERE ${ALONE}`,
            ...[namespace, layout],
          );
          continue;
        }
        if (head.label !== layout) {
          return { layout: head.label };
        }
        const chosen = choose(rows, request, head, isLate, this.#durable);
        const { number, mark: from, token: before, rank } = chosen;
        if (before === token) {
          // The read may be in an open transaction. A renewal that extends nothing detects it.
          const grant = await this.renew({ namespace, number, ttlMs: -from, token, nextToken: token });
          const now = integer(head.now);
          // Also return an expired interval: the caller drops it and acquires with another token.
          return grant ?? (from <= now ? { number, from, until: from, now } : AGAIN);
        }
        if (rank >= WAITS) {
          return { retryInMs: from - integer(head.now) };
        }
        isLate = true;
        const grant = await this.#claim(request, head, chosen);
        if (grant) {
          return grant;
        }
      } catch (error) {
        if (!isTaken(error)) {
          throw error;
        }
      }
    }
    return AGAIN;
  }

  async acquire(request: AcquireRequest): Promise<Grant | Refused | Foreign> {
    const answer = await this.#take(request);
    this.#unanswered.delete(request.token);
    return answer;
  }
}

/**
 * A store of leases in MySQL or MariaDB. Each statement is its own transaction, so a stalled
 * process holds no lock. After a failover to a replica that lacks the last writes, no ID repeats,
 * because a number is first used one quarantine (20 seconds by default) after its acquisition. An
 * acquisition reads all records of its namespace.
 *
 * Errors: `TYPE`, `UNKNOWN_OPTION`; its calls reject with `CONFLICT` if a transaction is open on
 * the connection, because a rollback would free a number that is in use.
 *
 * @param client A pool of `mysql2`, or a connection that nothing else uses. You close it.
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
  const given = Object(client) as MysqlCallbackClient;
  const it = Object(typeof given.promise === "function" ? given.promise() : client) as MysqlClient;
  if (typeof it.execute !== "function") {
    typeError("client", client, "a pool of mysql2");
  }
  const { durable = false, table = TABLE } = checkOptions(options, { durable: "boolean", table: "string" });
  const makeTable = tableSql(table);
  const rows = new Table(it, table, durable);

  return {
    ...{ table },
    durable,
    acquire: (request) => rows.acquire(request),
    renew: (request) => rows.renew(request),
    async release({ namespace, number, tokens, nextFree }) {
      await rows.again(
        `UPDATE ${table} SET mark = LEAST(mark, GREATEST(began, ? + 0)), token = '' WHERE namespace = ? AND number = ? AND token IN (${tokens.map(() => "?")}) AND ${ALONE}`,
        ...[nextFree, namespace, number, ...tokens],
      );
    },
    list: async (namespace) => (await rows.readFrom(namespace, 0)).map(heldOf),
    createTable: async () => void (await rows.run(makeTable)),
  };
}
