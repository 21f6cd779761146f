/**
 * Leases in MySQL or MariaDB, by the user's own client.
 *
 * @module graupel/lease/mysql
 */
import { checkOptions } from "../../checks.js";
import { typeError } from "../../errors.js";
import type { AcquireRequest, Foreign, Grant, LeaseStore, Refused, RenewRequest } from "../types.js";
import { heldOf, inTransaction, integer, mended, type Row, TABLE, tableOf } from "./sql.js";

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
type Answer = readonly Row[] & {
  readonly serverStatus?: number;
  readonly insertId?: unknown;
};

/** The store's time, the same for the length of a statement; `SYSDATE` would be local time. */
const NOW = "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000";
/** The same, set aside for the answer if a row is written. */
const NOTED = `LAST_INSERT_ID(${NOW})`;

/** Whether an error says that the row is there already, or that somebody else has it. */
const isTaken = (error: unknown) => /DUP_|LOCK_/.test((Object(error) as { readonly code: string }).code);
/** What no waiting mends, with the groups that `mended` knows. */
const HOPELESS = /_(?:DENIED|BAD_|(NO_SUCH_TABLE)|NO_|OPTION|READ_ONLY|HOST_|PARSE)|(i[sn] closed)/;

/**
 * Before a statement: MariaDB waits for no lock. MySQL takes this for a comment, and waits as long as `innodb_lock_wait_timeout` says.
 */
const QUICK = "/*M! SET STATEMENT innodb_lock_wait_timeout=0, lock_wait_timeout=1 FOR */ ";

/** That no transaction is open, as far as the server tells a statement: MySQL does so only in its answer. */
const ALONE = "@@autocommit /*M! > @@in_transaction */";

/** A time, or one so long from now if that is later. */
const LATER = `GREATEST(? + 0, ${NOTED} + ?)`;

/** The namespace that was read: it may have been deleted, or made anew. */
const SAME = `(head.namespace, head.number, head.mark, head.label) = (?, -1, ?, ?) AND ${ALONE}`;

/** The rank of numbers to wait for. */
const WAITS = 2e15;

/** The answer if others were quicker each time. */
const AGAIN = { retryInMs: 200 };

/**
 * The statement that makes the table, for your own migrations. A namespace itself is a row of the number -1: its `label` is the layout, its
 * `mark` when it was made.
 */
export const tableSql = (table: string = TABLE): string =>
  `CREATE TABLE IF NOT EXISTS ${tableOf(table)} (
  namespace VARCHAR(128), number BIGINT, token VARCHAR(255), began BIGINT, mark BIGINT, label VARCHAR(255), PRIMARY KEY (namespace, number)
) ENGINE=InnoDB COLLATE utf8mb4_bin`;

/**
 * Returns the candidate of the lowest rank. In order: the caller's own number, free numbers, numbers whose mark is over (each by its mark),
 * and numbers to wait for. A number without a record is free. A call that lost to another call chooses at random.
 */
function choose(rows: readonly Row[], request: AcquireRequest, head: Row, isLate: boolean, durable: boolean) {
  const { mask, bits, last, token, quarantineMs } = request;
  /** The rank of held numbers whose mark is over. */
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
  // The next one of each is without a record, or is in the list.
  for (const before of [-1, isLate ? Math.random() * last : -1, ...seen]) {
    const number = (((before - bits + mask + 1) & ~mask) + bits) >>> 0;
    if (!seen.has(number)) {
      offer(number, integer(head.mark) + (durable ? quarantineMs : 0));
    }
  }
  return best;
}

type Chosen = ReturnType<typeof choose>;

/** The table of the leases. */
class Table {
  readonly #client: MysqlClient;
  readonly #table: string;
  readonly #durable: boolean;
  /** Tokens that asked for a number, and got no answer: what they chose may be locked, so they choose another one. */
  readonly #unanswered = new Set<string>();

  constructor(client: MysqlClient, table: string, durable: boolean) {
    this.#client = client;
    this.#table = table;
    this.#durable = durable;
  }

  async run(sql: string, ...values: unknown[]): Promise<Answer> {
    try {
      const [answer] = (await this.#client.execute(QUICK + sql, values.map(String))) as [Answer];
      // The bit that says: a transaction is open.
      return (answer.serverStatus as number) & 1 ? inTransaction() : answer;
    } catch (error) {
      throw mended(error, HOPELESS);
    }
  }

  /** Makes a statement again whose row another one is just writing, because no statement waits for a lock. */
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

  /** Rows of a namespace; `which`: the rest of the statement, after the number. */
  read(which: string, namespace: string, number: number) {
    return this.again(
      `(SELECT *, ${NOW} AS now FROM ${this.#table} WHERE namespace = ? AND number ${which})`,
      namespace,
      number,
    );
  }

  /** The namespace's own comes first. */
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
    // A proxy that sends reads to replicas sends this one to the primary. If not, the row of before says enough.
    const [row] = await this.read(`= ? AND ${ALONE} FOR UPDATE`, namespace, number);
    if (!row || ![token, nextToken].includes(row.token)) {
      if (isFirst) {
        // It was released meanwhile, or another call has renewed it.
        return this.renew(request, false);
      }
      throw new Error("reads are behind writes");
    }
    const { from, mark } = heldOf(row);
    return { number, from, until: Math.max(mark, now + ttlMs), now };
  }

  /** Takes a number if nobody has changed it since it was read. `isNew`: the namespace has had no grant. */
  async #claim(
    request: AcquireRequest,
    head: Row,
    chosen: Chosen,
    isNew: boolean,
  ): Promise<Grant | undefined> {
    const { layout, ttlMs, quarantineMs, token, label } = request;
    const { number, mark: from, token: before } = chosen;
    const durable = this.#durable;
    // A new namespace is as old as its first grant, whose quarantine is no shorter than its time to live.
    const lasts = isNew ? 0 : durable ? ttlMs : quarantineMs;
    // A tenure of a durable store begins at the mark of before, however late it is.
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
    return now
      ? { number, from: durable ? from : until, until, now: isNew ? integer(head.mark) : now }
      : undefined;
  }

  /** Reads, chooses, and takes a number if nobody has changed it since. Whoever loses chooses again, in a random part of the numbers. */
  async #take(request: AcquireRequest): Promise<Grant | Refused | Foreign> {
    const { namespace, layout, token } = request;
    /** How often to look for a number, if others are quicker. */
    const TRIES = 3;
    let isNew = false;
    let isLate = this.#unanswered.has(token);
    this.#unanswered.add(token);
    // What reads does not say whether a transaction is open.
    await this.run("DO 0");
    for (let tries = TRIES; tries > 0; tries--) {
      try {
        const [head, ...rows] = await this.readFrom(namespace, -1);
        // Numbers without their namespace are left of one that was deleted in parts.
        if (!head || integer(head.number) >= 0) {
          isNew = this.#durable;
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
          // Perhaps in a transaction that is open: a write tells, which extends nothing.
          const grant = await this.renew({ namespace, number, ttlMs: -from, token, nextToken: token });
          const now = integer(head.now);
          // An interval that is over is answered, too: the caller lets go of it, and asks by another token.
          return grant ?? (from <= now ? { number, from, until: from, now } : AGAIN);
        }
        if (rank >= WAITS) {
          return { retryInMs: from - integer(head.now) };
        }
        isLate = true;
        const grant = await this.#claim(request, head, chosen, isNew);
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
