/**
 * Leases in PostgreSQL, with your own client.
 *
 * @module graupel/lease/postgres
 */

import { checkOptions } from "../../checks.js";
import { typeError } from "../../errors.js";
import type { Grant, LeaseStore } from "../types.js";
import { statementsOf } from "./postgres-statements.js";
import { heldOf, inTransaction, integer, mended, noRows, type SqlRow, TABLE, tableOf } from "./sql.js";

/**
 * Runs a statement with the values of `$1`, `$2` and so on, as its own transaction, and resolves to
 * the rows.
 */
export type PostgresQuery = (sql: string, values: (string | number)[]) => PromiseLike<readonly unknown[]>;

/** A pool or a client of `pg`, or an object with the same method. */
export interface PgClient {
  /** Runs a statement. */
  query(sql: string, values: (string | number)[]): PromiseLike<PgResult>;
}

/** The result of a query of `pg`. */
export interface PgResult {
  /** The rows. */
  readonly rows: readonly unknown[];
}

/** A client of the package `postgres`. */
export interface PostgresJsClient {
  /** Runs a statement. */
  unsafe(sql: string, values: (string | number)[]): PromiseLike<readonly unknown[]>;
}

/** Options of `postgres`. */
export interface PostgresOptions {
  /**
   * Confirms that no acknowledged write is ever lost: no asynchronous standby that could take over,
   * and `fsync` on. A new process then does not wait for a quarantine. False by default.
   */
  readonly durable?: boolean | undefined;
  /** The table, optionally as `schema.table`; `graupel_lease` by default. */
  readonly table?: string | undefined;
}

/** A store of leases in PostgreSQL. */
export interface PostgresStore extends LeaseStore {
  /**
   * Creates the table if it does not exist. Without that privilege, run `tableSql()` in your
   * migrations.
   */
  createTable(this: void): Promise<void>;
}

/** A row of a statement. */
type Answer = SqlRow & {
  readonly layout: string | null;
  readonly xid: string;
  readonly open?: unknown;
  readonly wait: unknown;
};

/**
 * Errors that a retry cannot fix: passwords, names, permissions, a read-only server, closed
 * clients. The groups are for `mended`.
 */
const HOPELESS = /^(?:28|3[DF]|(42P01)|42|25006)|CERT|password must|connect\(|(queryable|calling end|_ENDED)/;

/**
 * Returns the function with which a client runs a statement, and whether each statement is its own
 * transaction. A single connection may have an open transaction of the user.
 */
function queryOf(client: unknown): readonly [query: PostgresQuery, isOwn: boolean] {
  const it = Object(client) as PgClient & PostgresJsClient & Readonly<Record<string, unknown>>;
  if (typeof it.unsafe === "function") {
    // The client of a transaction or of a reserved connection has these methods.
    return [(sql, values) => it.unsafe(sql, values), !("savepoint" in it || "release" in it)];
  }
  if (typeof it === "function") {
    return [it as unknown as PostgresQuery, false];
  }
  if (typeof it.query !== "function") {
    typeError("client", client, "pg, postgres, or (sql, values) => rows");
  }
  const query: PostgresQuery = async (sql, values) => {
    // A single client of `pg` would wait for ever.
    if (it._connected === false && (!it._connecting || it._connectionError)) {
      throw Error("await client.connect() first");
    }
    return Object(await it.query(sql, values)).rows;
  };
  return [query, "totalCount" in it];
}

/** Checks the rows of a statement. Throws if a transaction of the user is open. */
function answersOf(rows: unknown): Answer[] {
  const [row]: Answer[] = Array.isArray(rows) ? rows : noRows();
  // A row of any statement has one of these columns.
  if (row && !("open" in row || "now" in row)) noRows();
  // Without a parser of booleans, it is text.
  return /^t/.test(`${row?.open}`) ? inTransaction() : (rows as Answer[]);
}

/** Returns the statement that creates the table, for your migrations. */
export const tableSql = (table: string = TABLE): string => statementsOf(tableOf(table), false).create;

/**
 * A store of leases in PostgreSQL 13 or later. Each call is one statement without session state, so
 * it works behind a transaction-pooling proxy. After a failover to a standby that lacks the last
 * writes, no ID repeats, because a number is first used one quarantine (20 seconds by default)
 * after its acquisition.
 *
 * Errors: `TYPE`, `UNKNOWN_OPTION`; its calls reject with `CONFLICT` if a transaction is open on
 * the connection, because a rollback would free a number that is in use.
 *
 * @param client A pool of `pg`, a client of `postgres`, or a function that runs a statement as its
 *   own transaction. You close it. If `durable` is set, or if it is a single client of `pg` or a
 *   function, a grant takes a second statement, which checks that the first is committed.
 *
 * @example
 * ```ts
 * import { Pool } from "pg";
 * import { twitter } from "graupel";
 * import { lease } from "graupel/lease";
 * import { postgres } from "graupel/lease/postgres";
 * const store = postgres(new Pool().on("error", console.error));
 * await store.createTable();
 * const worker = await lease(store, { format: twitter, namespace: "orders" });
 * const ids = twitter.generator({ lease: worker });
 * ```
 */
export function postgres(
  client: PgClient | PostgresJsClient | PostgresQuery,
  options: PostgresOptions = {},
): PostgresStore {
  const [query, isOwn] = queryOf(client);
  const { durable = false, table = TABLE } = checkOptions(options, { durable: "boolean", table: "string" });
  const sql = statementsOf(tableOf(table), durable);
  /**
   * Tokens whose acquisition got no answer. Their first choice may be locked, so they choose at
   * random.
   */
  const unanswered = new Set<string>();

  async function run(text: string, ...values: (string | number)[]): Promise<Answer[]> {
    let rows: unknown;
    try {
      rows = await query(text, values);
    } catch (error) {
      throw mended(error, HOPELESS);
    }
    return answersOf(rows);
  }

  /** Returns the grant if it is committed, and throws if it can still be rolled back. */
  async function grantOf(row: Answer, isRisky: boolean): Promise<Grant> {
    if (isRisky) {
      await run("SELECT pg_xact_status($1::text::xid8) <> 'committed' AS open", row.xid);
    }
    const { number, from, mark, now } = heldOf(row);
    return { number, from, until: mark, now };
  }

  return {
    ...{ table },
    durable,
    async acquire({ namespace, layout, last, mask, bits, ttlMs, quarantineMs, token, label }) {
      let wait = 0;
      // This leaves the setting in an open transaction, so the write is not the first statement
      // there.
      await run(sql.look, token);
      let tries = Number(unanswered.has(token));
      unanswered.add(token);
      // Numbers that others lock or take at this moment may be free soon.
      for (; tries < 8 && wait <= 0; tries++) {
        const [row] = (await run(
          sql.acquire,
          ...[namespace, layout, last, mask, bits, token, label],
          ...[durable ? quarantineMs : 0, durable ? ttlMs : quarantineMs, tries ** 3],
        )) as [Answer];
        unanswered.delete(token);
        if (row.layout !== null) {
          if (row.layout !== layout) {
            return { layout: row.layout };
          }
          if (row.number !== null) {
            return grantOf(row, true);
          }
          wait = integer(row.wait);
        }
      }
      return { retryInMs: Math.max(1, wait) };
    },
    async renew({ namespace, number, token, nextToken, ttlMs }) {
      const [row] = await run(
        sql.renew,
        ...[namespace, number, JSON.stringify([token, nextToken]), nextToken, ttlMs],
      );
      // A pool may contain a connection with an open transaction. In a forgetful store, a rollback
      // there has the same effect as a failover.
      return row?.number != null ? grantOf(row, durable || !isOwn) : null;
    },
    async release({ namespace, number, tokens, nextFree }) {
      await run(sql.release, namespace, number, JSON.stringify(tokens), "", nextFree);
    },
    list: async (namespace) => (await run(sql.list, namespace)).map(heldOf),
    async createTable() {
      // If two callers create it at the same time, one of them fails. On the second attempt it
      // exists.
      await run(sql.create).catch(() => run(sql.create));
    },
  };
}
