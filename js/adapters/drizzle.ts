/**
 * Columns for Drizzle: PostgreSQL, MySQL and SQLite.
 *
 * @module graupel/drizzle
 */
import {
  type MySqlCustomColumnBuilder,
  type ConvertCustomConfig as MysqlConfig,
  customType as mysqlType,
} from "drizzle-orm/mysql-core";
import {
  type ConvertCustomConfig as PgConfig,
  type PgCustomColumnBuilder,
  customType as pgType,
} from "drizzle-orm/pg-core";
import {
  type SQLiteCustomColumnBuilder,
  type ConvertCustomConfig as SqliteConfig,
  customType as sqliteType,
} from "drizzle-orm/sqlite-core";
import type { AnyFormat } from "../any-format.js";
import type { IdOf } from "../given-format.js";
import { columnOf, givenSource, type IdSource, isUnsigned, SQLITE_REMEDY } from "./column.js";
import { parseJson } from "./parse-json.js";

export { type IdSource, parseJson };

/** What Drizzle is told of a column. */
export interface IdColumnValues<F extends AnyFormat, HasDefault extends boolean> {
  /** The type of the IDs. */
  data: IdOf<F>;
  /** What the driver takes. */
  driverData: bigint | number | string;
  /** An insert may leave the column out. */
  default: HasDefault;
}

/** A column of IDs in PostgreSQL, used as Drizzle's `bigint` is: with the column's name, or without. */
export interface PgIdColumn<F extends AnyFormat, HasDefault extends boolean> {
  (): PgCustomColumnBuilder<PgConfig<"", IdColumnValues<F, HasDefault>>>;
  <Name extends string>(name: Name): PgCustomColumnBuilder<PgConfig<Name, IdColumnValues<F, HasDefault>>>;
}

/** A column of IDs in MySQL or MariaDB, used as Drizzle's `bigint` is: with the column's name, or without. */
export interface MysqlIdColumn<F extends AnyFormat, HasDefault extends boolean> {
  (): MySqlCustomColumnBuilder<MysqlConfig<"", IdColumnValues<F, HasDefault>>>;
  <Name extends string>(
    name: Name,
  ): MySqlCustomColumnBuilder<MysqlConfig<Name, IdColumnValues<F, HasDefault>>>;
}

/** A column of IDs in SQLite, used as Drizzle's `integer` is: with the column's name, or without. */
export interface SqliteIdColumn<F extends AnyFormat, HasDefault extends boolean> {
  (): SQLiteCustomColumnBuilder<SqliteConfig<"", IdColumnValues<F, HasDefault>>>;
  <Name extends string>(
    name: Name,
  ): SQLiteCustomColumnBuilder<SqliteConfig<Name, IdColumnValues<F, HasDefault>>>;
}

/** `customType` of one database, as far as it is the same in all. */
type CustomType = (parameters: {
  dataType(): string;
  toDriver(id: unknown): bigint | number | string;
  fromDriver(value: unknown): unknown;
}) => (...name: []) => { $defaultFn(make: () => unknown): unknown };

/** The function that makes the columns. `generator`: checked only if there is one. */
function columnsOf(
  customType: unknown,
  { read, write }: { read(value: unknown): unknown; write(id: unknown): bigint | number | string },
  sqlType: string,
  generator: IdSource<unknown> | undefined,
) {
  const make = (customType as CustomType)({ dataType: () => sqlType, toDriver: write, fromDriver: read });
  if (generator === undefined) {
    return make;
  }
  givenSource(generator);
  return (...name: []) => make(...name).$defaultFn(() => generator.next());
}

/**
 * A column for PostgreSQL: `bigint`, or `char(n)` where IDs are texts (sno, Ulid-Flake). It reads what any driver gives, and refuses what
 * was rounded: rows of `with: …` in relational queries come as JSON, so give the driver {@link parseJson}.
 *
 * IDs above 2^63 - 1 (Discord, from 2084 on) do not fit, so give `range` both of its ends.
 *
 * Errors: `TYPE`; of queries those of `parse`.
 *
 * @param generator Makes the ID of a row that has none.
 *
 * @example
 * ```js
 * import { between } from "drizzle-orm";
 * import { pgTable, QueryBuilder, text } from "drizzle-orm/pg-core";
 * import { twitter } from "graupel";
 * import { pgId } from "graupel/drizzle";
 * const ids = twitter.generator({ datacenterId: 0, workerId: 7 });
 * const users = pgTable("users", { id: pgId(twitter, ids)().primaryKey(), invitedBy: pgId(twitter)("invited_by"), name: text() });
 * const { min, max } = twitter.range(Date.UTC(2025, 0, 1), Date.UTC(2025, 1, 1));
 * const query = new QueryBuilder().select({ id: users.id }).from(users).where(between(users.id, min, max));
 * console.log(query.toSQL().params);   // [ '1874244142494646272', '1885478166328246271' ]
 * ```
 */
export function pgId<F extends AnyFormat>(format: F, generator: IdSource<IdOf<F>>): PgIdColumn<F, true>;
export function pgId<F extends AnyFormat>(format: F): PgIdColumn<F, false>;
export function pgId(format: AnyFormat, generator?: IdSource<unknown>): unknown {
  const { width, read, write } = columnOf(
    format,
    "rows of `with` come as JSON: give the driver parseJson of graupel/drizzle as its parser of the types 114 and 3802",
  );
  // Text, because not every driver of PostgreSQL takes a bigint.
  return columnsOf(
    pgType,
    { read, write: (id) => `${write(id)}` },
    width === 0 ? "bigint" : `char(${width})`,
    generator,
  );
}

/**
 * A column for MySQL and MariaDB: `bigint`, `bigint unsigned` where IDs can be above 2^63 - 1 (Discord), or `char(n)` where they are texts
 * (sno, Ulid-Flake). What was rounded is refused: give mysql2 `supportBigNumbers: true`, and instead of `with: …` in relational queries, whose
 * rows come as JSON, join the tables with `select`.
 *
 * Errors: `TYPE`; of queries those of `parse`.
 *
 * @param generator Makes the ID of a row that has none.
 *
 * @example
 * ```js
 * import { mysqlTable } from "drizzle-orm/mysql-core";
 * import { discord } from "graupel";
 * import { mysqlId } from "graupel/drizzle";
 * const messages = mysqlTable("messages", { id: mysqlId(discord)().primaryKey() });
 * console.log(messages.id.getSQLType());   // bigint unsigned
 * ```
 */
export function mysqlId<F extends AnyFormat>(format: F, generator: IdSource<IdOf<F>>): MysqlIdColumn<F, true>;
export function mysqlId<F extends AnyFormat>(format: F): MysqlIdColumn<F, false>;
export function mysqlId(format: AnyFormat, generator?: IdSource<unknown>): unknown {
  const column = columnOf(
    format,
    "give mysql2 `supportBigNumbers: true`; rows of `with` come as JSON: join the tables with select() instead",
  );
  const integer = isUnsigned(format) ? "bigint unsigned" : "bigint";
  return columnsOf(mysqlType, column, column.width === 0 ? integer : `char(${column.width})`, generator);
}

/**
 * A column for SQLite: `integer`, or `text` where IDs are texts (sno, Ulid-Flake). What was rounded is refused: call
 * `defaultSafeIntegers()` of better-sqlite3, and instead of `with: …` in relational queries, whose rows come as JSON, join the tables with
 * `select`. IDs above 2^63 - 1 (Discord, from 2084 on) do not fit, so give `range` both of its ends.
 *
 * Errors: `TYPE`; of queries those of `parse`.
 *
 * @param generator Makes the ID of a row that has none.
 *
 * @example
 * ```js
 * import { sqliteTable } from "drizzle-orm/sqlite-core";
 * import { sno } from "graupel";
 * import { sqliteId } from "graupel/drizzle";
 * const notes = sqliteTable("notes", { id: sqliteId(sno, sno)().primaryKey() });
 * console.log(notes.id.getSQLType());   // text
 * ```
 */
export function sqliteId<F extends AnyFormat>(
  format: F,
  generator: IdSource<IdOf<F>>,
): SqliteIdColumn<F, true>;
export function sqliteId<F extends AnyFormat>(format: F): SqliteIdColumn<F, false>;
export function sqliteId(format: AnyFormat, generator?: IdSource<unknown>): unknown {
  const column = columnOf(
    format,
    `${SQLITE_REMEDY}; rows of \`with\` come as JSON: join the tables with select() instead`,
  );
  return columnsOf(sqliteType, column, column.width === 0 ? "integer" : "text", generator);
}
