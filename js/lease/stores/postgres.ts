/**
 * Leases in PostgreSQL, by the user's own client.
 *
 * @module graupel/lease/postgres
 */

import { checkOptions } from "../../checks.js";
import { typeError } from "../../errors.js";
import type { Grant, LeaseStore } from "../types.js";
import { statementsOf } from "./postgres-statements.js";
import { heldOf, inTransaction, integer, mended, type Row, TABLE, tableOf } from "./sql.js";

/** Runs a statement with these values for `$1`, `$2` and so on, as a transaction of its own, and resolves to its rows. */
export type PostgresQuery = (sql: string, values: (string | number)[]) => PromiseLike<readonly unknown[]>;

/** A pool or a client of `pg`, or what has the same method. */
export interface PgClient {
  /** Runs a statement with these values. */
  query(sql: string, values: (string | number)[]): PromiseLike<PgResult>;
}

/** What a query of `pg` resolves to. */
export interface PgResult {
  /** Its rows. */
  readonly rows: readonly unknown[];
}

/** What the package `postgres` makes. */
export interface PostgresJsClient {
  /** Runs a statement with these values. */
  unsafe(sql: string, values: (string | number)[]): PromiseLike<readonly unknown[]>;
}

/** What `postgres` takes besides. */
export interface PostgresOptions {
  /**
   * States that no acknowledged write is ever lost: no asynchronous standby that could take over, and `fsync` on. A start then waits
   * for no quarantine. False if left out.
   */
  readonly durable?: boolean | undefined;
  /** The table, if need be with its schema before a dot; `graupel_lease` if left out. */
  readonly table?: string | undefined;
}

/** A store of leases in PostgreSQL. */
export interface PostgresStore extends LeaseStore {
  /** Makes the table unless it is there: for a role that may. Else run `tableSql()` where you change your schema. */
  createTable(this: void): Promise<void>;
}

/** A row of a statement. */
type Answer = Row & {
  readonly layout: string | null;
  readonly xid: string;
  readonly open?: boolean;
  readonly wait: unknown;
};

/** What no waiting mends: passwords, names, permissions, a server that only reads, clients. Its groups are for `mended`. */
const HOPELESS = /^(?:28|3[DF]|(42P01)|42|25006)|CERT|password must|connect\(|(queryable|calling end|_ENDED)/;

/**
 * How a client runs a statement, and whether each of its statements should be a transaction of its own. On one connection it is not: a
 * transaction of the user may be open on it.
 */
function queryOf(client: unknown): readonly [query: PostgresQuery, isOwn: boolean] {
  const it = Object(client) as PgClient & PostgresJsClient & Readonly<Record<string, unknown>>;
  if (typeof it.unsafe === "function") {
    // What it makes for a transaction, or for one reserved connection, has these.
    return [(sql, values) => it.unsafe(sql, values), !("savepoint" in it || "release" in it)];
  }
  if (typeof it === "function") {
    return [it as unknown as PostgresQuery, false];
  }
  if (typeof it.query !== "function") {
    typeError("client", client, "pg, postgres, or (sql, values) => rows");
  }
  const query: PostgresQuery = async (sql, values) => {
    // One client of `pg` would wait for ever.
    if (it._connected === false && (!it._connecting || it._connectionError)) {
      throw Error("await client.connect() first");
    }
    return (await it.query(sql, values)).rows;
  };
  return [query, "totalCount" in it];
}

/** The statement that makes the table, for your own migrations. */
export const tableSql = (table: string = TABLE): string => statementsOf(tableOf(table), false).create;

/**
 * A store of leases in PostgreSQL 13 or later. Each call is one statement without any state of a session, so it works behind a proxy that
 * pools transactions. A standby that takes over may lack the last writes, but repeats no ID: a number is used a quarantine after its
 * acquisition, which is 20 seconds by default.
 *
 * Errors: `TYPE`, `UNKNOWN_OPTION`; its calls reject with `CONFLICT` if a transaction is open on the connection, because a rollback would
 * give away a number that is in use.
 *
 * @param client A pool of `pg`, what `postgres` makes, or a function that runs a statement as a transaction of its own. With `durable`, and
 *   through one client of `pg` or a function, a grant takes a second statement, which asks whether the first is committed. Closing it stays
 *   the caller's.
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
  /** Tokens that asked for a number, and got no answer: what they chose may be locked, so they choose another one. */
  const unanswered = new Set<string>();

  async function run(text: string, ...values: (string | number)[]): Promise<Answer[]> {
    let rows: Answer[];
    try {
      rows = (await query(text, values)) as Answer[];
    } catch (error) {
      throw mended(error, HOPELESS);
    }
    return rows[0]?.open ? inTransaction() : rows;
  }

  /** A grant counts only after its commit: one that can still be undone is refused. */
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
      // In a transaction that is open, this leaves its mark: what writes is not the first statement there.
      await run(sql.look, token);
      let tries = Number(unanswered.has(token));
      unanswered.add(token);
      // What others lock or take at this moment may be free at the next.
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
      // A pool may have got back a connection with a transaction open: a rollback there costs a forgetful store no more than a failover.
      return row?.number != null ? grantOf(row, durable || !isOwn) : null;
    },
    async release({ namespace, number, tokens, nextFree }) {
      await run(sql.release, namespace, number, JSON.stringify(tokens), "", nextFree);
    },
    list: async (namespace) => (await run(sql.list, namespace)).map(heldOf),
    async createTable() {
      // Two that make it at the same time meet; the second time it is there.
      await run(sql.create).catch(() => run(sql.create));
    },
  };
}
