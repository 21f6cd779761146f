/** What `sql` gives, by database. */
import type { Time } from "../types.js";
import type { SqlName } from "./names.js";
import type { FixedFields } from "./places.js";
import type { SqlTime } from "./scale.js";

/** Expressions for any database. A column is a name, which is quoted; a time may be an SQL expression, which is not. */
export interface Sql {
  /**
   * The time of an ID, as `inspect` has it: in PostgreSQL a `timestamptz`; in MySQL a `DATETIME(3)` in UTC, and NULL outside the years 1 to
   * 9999; in SQLite a text in UTC, as `datetime` writes it, with milliseconds. Errors: `TYPE`.
   */
  timeOf(this: void, column: SqlName): string;
  /** The same in Unix milliseconds, as an integer. Errors: `TYPE`. */
  unixMsOf(this: void, column: SqlName): string;
  /**
   * The smallest ID of the tick that contains a time, as `range(time).min`: for `id >= min`. Before the epoch that is 0. After the last tick no ID
   * is that late: an expression gives NULL, so that no row is found. Errors: `TYPE`; of a Date or a number, those of `range`.
   */
  min(this: void, time: SqlTime): string;
  /**
   * The largest ID of the last tick that starts before a time, as `range(undefined, time).max`: for `id <= max`, so the time is exclusive. After the
   * last tick that is the largest ID; before the epoch NULL. Errors: as of `min`.
   */
  max(this: void, time: SqlTime): string;
  /** The condition for all IDs from a time up to, not including, another one, by the column's index. Errors: as of `min`. */
  between(this: void, column: SqlName, from: SqlTime, to: SqlTime): string;
}

/** Months that get a partition. */
export interface SqlPartitions {
  /** The table. */
  readonly table: SqlName;
  /** A time in the first month. */
  readonly from: Time;
  /** The end, exclusive: the month that it is in gets a partition, unless it is the month's first moment. */
  readonly to: Time;
}

/** A column that gets its IDs from the database. */
export interface SqlDefault {
  /** The table. */
  readonly table: SqlName;
  /** The column. */
  readonly column: string;
  /** The fixed fields. Nobody else may have the same, no generator either: give the database a worker number of its own. */
  readonly fields?: FixedFields | undefined;
  /** What the counter and its function or trigger are called; table and column if left out. With the same one, tables share a counter. */
  readonly name?: string | undefined;
}

/** The same, with a limit. */
export interface SqlCounterDefault extends SqlDefault {
  /** The most that the counter may be ahead of the clock, in milliseconds; 10,000 if left out. Beyond, an insert fails. */
  readonly maxAheadMs?: number | undefined;
}

/** Texts for PostgreSQL 14 or later. */
export interface PostgresSql extends Sql {
  /**
   * Statements that make functions: `name_time(id)`, `name_unix_ms(id)`, and, of a `timestamptz`, `name_min(time)` and `name_max(time)`. They are
   * immutable, so an index or a generated column may have them. Errors: `TYPE`.
   */
  functions(this: void, name: SqlName): string[];
  /**
   * A statement for each month, which makes its partition, `table_2025_01`, of a table that is `PARTITION BY RANGE (id)`. A month begins
   * with the first tick that starts in it, in UTC. Errors: `TYPE`, `UNKNOWN_OPTION`, `RANGE`, and those of `range`.
   */
  partitions(this: void, options: SqlPartitions): string[];
  /**
   * Statements that make a sequence and a function, and set the column's default to it. The sequence counts on from the clock: it is never set
   * back, so no ID is made twice, whatever the clock does. If a tick is full, the ID has the next tick, and the insert waits for it.
   * The function's lock is given back at once, not when the transaction ends. Whoever inserts needs USAGE and UPDATE of the sequence.
   * Errors: `TYPE`, `UNKNOWN_OPTION`, `UNKNOWN_FIELD`, `RANGE`.
   */
  defaults(this: void, options: SqlCounterDefault): string[];
}

/** Texts for MariaDB and MySQL. */
export interface MysqlSql extends Sql {
  /** As in PostgreSQL; times are `DATETIME(6)` in UTC. Errors: `TYPE`. */
  functions(this: void, name: SqlName): string[];
  /**
   * One statement. With `column`, it makes a table partitioned, and its first partition takes all that is older; without, it adds the
   * months to a partitioned table. Nothing can be inserted that is later than the last month. Errors: as in PostgreSQL.
   */
  partitions(this: void, options: SqlPartitions & { readonly column?: string | undefined }): string[];
  /**
   * MariaDB alone: statements that make a sequence, and set the column's default to the clock and the sequence. Nothing waits. The column has to
   * be a primary key or unique: an ID could repeat if the clock goes back, or if more are made in a tick than it holds, and then the insert fails.
   * Errors: as in PostgreSQL.
   */
  defaults(this: void, options: SqlDefault): string[];
  /**
   * Statements that make a table of one row, and a trigger that counts in it, for inserts without an ID, or with 0. No ID is made twice, whatever
   * the clock does, except those of a transaction that is rolled back; but transactions that insert wait for each other until they end. If a
   * tick is full, the ID has the next one: nothing waits for the clock. Errors: as in PostgreSQL.
   */
  trigger(this: void, options: SqlCounterDefault): string[];
}

/** Texts for SQLite. */
export type SqliteSql = Sql;
