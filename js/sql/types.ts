/** The results of `sql`, by database. */
import type { Time } from "../types.js";
import type { SqlName } from "./names.js";
import type { FixedFields } from "./places.js";
import type { SqlTime } from "./scale.js";

/** Expressions for any database. Column names are quoted; SQL expressions for times are not. */
export interface Sql {
  /**
   * The time of an ID, equal to that of `inspect`: in PostgreSQL a `timestamptz`; in MySQL a
   * `DATETIME(3)` in UTC, or NULL outside the years 1 to 9999; in SQLite a text in UTC, in the
   * format of `datetime` with milliseconds. Errors: `TYPE`.
   */
  timeOf(this: void, column: SqlName): string;
  /** The time of an ID in Unix milliseconds, as an integer. Errors: `TYPE`. */
  unixMsOf(this: void, column: SqlName): string;
  /**
   * The smallest ID of the tick that contains a time, equal to `range(time).min`, for `id >= min`.
   * Before the epoch it is 0. After the last tick, an expression is NULL, so no row matches.
   * Errors: `TYPE`; for a Date or a number, those of `range`.
   */
  min(this: void, time: SqlTime): string;
  /**
   * The largest ID of the last tick that starts before a time, equal to `range(undefined,
   * time).max`, for `id <= max`. The time itself is excluded. After the last tick it is the largest
   * ID; before the epoch it is NULL. Errors: those of `min`.
   */
  max(this: void, time: SqlTime): string;
  /**
   * The condition for all IDs from a time to before another time. It can use the index of the
   * column. Errors: those of `min`.
   */
  between(this: void, column: SqlName, from: SqlTime, to: SqlTime): string;
}

/** Options for partitions by month. */
export interface SqlPartitions {
  /** The table. */
  readonly table: SqlName;
  /** A time in the first month. */
  readonly from: Time;
  /**
   * The end, exclusive. Its month also gets a partition, unless this is the first moment of the
   * month.
   */
  readonly to: Time;
}

/** Options for a column default. */
export interface SqlDefault {
  /** The table. */
  readonly table: SqlName;
  /** The column. */
  readonly column: string;
  /**
   * The values of the fixed fields. Give the database its own worker ID, which no generator and
   * no other database uses.
   */
  readonly fields?: FixedFields | undefined;
  /**
   * The name of the counter and of its function or trigger; by default, table and column. Tables
   * with the same name share a counter.
   */
  readonly name?: string | undefined;
}

/** Options for a column default with a limit. */
export interface SqlCounterDefault extends SqlDefault {
  /**
   * How far the counter may run ahead of the clock, in milliseconds: 0 to 2147483647, by default
   * 10,000. Beyond this, an insert fails.
   */
  readonly maxAheadMs?: number | undefined;
}

/** SQL for PostgreSQL 14 or later. */
export interface PostgresSql extends Sql {
  /**
   * Statements that create the functions `name_time(id)` and `name_unix_ms(id)`, and, for a
   * `timestamptz`, `name_min(time)` and `name_max(time)`. They are immutable, so you can use them
   * in indexes and generated columns. Errors: `TYPE`.
   */
  functions(this: void, name: SqlName): string[];
  /**
   * One statement for each month, which creates its partition, such as `table_2025_01`, of a table
   * with `PARTITION BY RANGE (id)`. A month starts with its first tick, in UTC. Errors: `TYPE`,
   * `UNKNOWN_OPTION`, `RANGE`, and those of `range`.
   */
  partitions(this: void, options: SqlPartitions): string[];
  /**
   * Statements that create a sequence and a function, and make the function the default of the
   * column. The sequence follows the clock and never goes back, so no ID repeats, whatever the
   * clock does. If a tick is full, the ID uses the next tick, and the insert waits for it. The
   * function releases its lock at once, not at the end of the transaction. A role that inserts
   * needs USAGE and UPDATE on the sequence. Errors: `TYPE`, `UNKNOWN_OPTION`, `UNKNOWN_FIELD`,
   * `RANGE`.
   */
  defaults(this: void, options: SqlCounterDefault): string[];
}

/** SQL for MariaDB and MySQL. */
export interface MysqlSql extends Sql {
  /** The same functions as in PostgreSQL, with times as `DATETIME(6)` in UTC. Errors: `TYPE`. */
  functions(this: void, name: SqlName): string[];
  /**
   * One statement. With `column`, it partitions a table, and the first partition also holds all
   * older rows. Without it, it adds months to a partitioned table. Inserts of IDs after the last
   * month fail. Errors: as in PostgreSQL.
   */
  partitions(this: void, options: SqlPartitions & { readonly column?: string | undefined }): string[];
  /**
   * MariaDB only: statements that create a sequence, and compute the default of the column from the
   * clock and the sequence. Inserts never wait. The column must be a primary key or unique: an ID
   * could repeat if the clock goes back or a tick overflows, and then the insert fails. Errors: as
   * in PostgreSQL.
   */
  defaults(this: void, options: SqlDefault): string[];
  /**
   * Statements that create a table with one row, and a trigger that counts in it, for inserts
   * without an ID or with 0. No ID repeats, whatever the clock does, except IDs of a rolled-back
   * transaction. Transactions that insert wait for each other until they end. If a tick is full,
   * the ID uses the next tick without waiting. Errors: as in PostgreSQL.
   */
  trigger(this: void, options: SqlCounterDefault): string[];
}

/** SQL for SQLite. */
export type SqliteSql = Sql;
