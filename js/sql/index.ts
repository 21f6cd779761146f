/**
 * SQL for the time of an ID, the bounds of a time, partitions and column defaults.
 *
 * @module graupel/sql
 */
import { type AnyFormat, givenFormat } from "../any-format.js";
import { typeError } from "../errors.js";
import { expressions } from "./expressions.js";
import { mysql } from "./mysql.js";
import { postgres } from "./postgres.js";
import { sqlite } from "./sqlite.js";
import type { MysqlSql, PostgresSql, SqliteSql } from "./types.js";

export type { AnyFormat } from "../any-format.js";
export type { Time } from "../types.js";
export type { SqlName } from "./names.js";
export type { FixedFields } from "./places.js";
export type { SqlTime, SqlUnixMs } from "./scale.js";
export type * from "./types.js";

/** The SQL for each database. */
export interface SqlDialects {
  /** PostgreSQL 14 or later. */
  readonly postgres: PostgresSql;
  /** MariaDB and MySQL. */
  readonly mysql: MysqlSql;
  /** SQLite. */
  readonly sqlite: SqliteSql;
}

/**
 * Returns SQL for a format: expressions, conditions and statements. They agree with `inspect` and
 * `range` for every ID of the format. The results for other integers are undefined.
 *
 * IDs are in an integer column, including those of `format.text`. Discord's IDs are unsigned: in
 * MySQL, use `BIGINT UNSIGNED`. In PostgreSQL and SQLite they fit a column until
 * 2084-09-06T15:47:35.551Z. Bounds end there; PostgreSQL rejects later IDs, and SQLite rounds them.
 * sno and Ulid-Flake IDs are texts: for them, there are only the bounds of a Date or of Unix
 * milliseconds, for a column that compares bytes (in PostgreSQL `COLLATE "C"`, in MySQL
 * `ascii_bin`).
 *
 * Errors: `TYPE`.
 *
 * @param format The format.
 * @param dialect The database: `"postgres"`, `"mysql"` (also MariaDB) or `"sqlite"`.
 *
 * @example
 * ```js
 * import { twitter } from "graupel/snowflake";
 * import { sql } from "graupel/sql";
 * const { timeOf, between } = sql(twitter, "sqlite");
 * console.log(between("id", Date.UTC(2025, 0, 1), Date.UTC(2025, 1, 1)));   // `id` BETWEEN 1874244142494646272 AND 1885478166328246271
 * console.log(timeOf("id"));   // strftime('%Y-%m-%d %H:%M:%f', ((`id` >> 22) + 1288834974657) / 1000.0, 'unixepoch')
 * ```
 */
export function sql<Name extends keyof SqlDialects>(format: AnyFormat, dialect: Name): SqlDialects[Name] {
  givenFormat(format);
  const make: Record<string, (format: AnyFormat) => SqlDialects[keyof SqlDialects]> = {
    __proto__: null as never,
    postgres,
    mysql,
    sqlite: (format) => expressions(sqlite, format),
  };
  const known = typeof dialect === "string" ? make[dialect] : undefined;
  return (known ?? typeError("dialect", dialect, '"postgres", "mysql" or "sqlite"'))(
    format,
  ) as SqlDialects[Name];
}
