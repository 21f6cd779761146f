/**
 * Columns for Drizzle: PostgreSQL, MySQL and SQLite.
 *
 * @module graupel/drizzle
 */
import { customType as mysqlType } from "drizzle-orm/mysql-core";
import { customType as pgType } from "drizzle-orm/pg-core";
import { customType as sqliteType } from "drizzle-orm/sqlite-core";
import { type AnyFormat, givenFormat, type IdOf } from "../any-format.js";
import { columnOf, givenSource, type IdSource, SQLITE_REMEDY } from "./column.js";
import { parseJson } from "./parse-json.js";

export { type IdSource, parseJson };

/** The type information of a column for Drizzle. */
export interface IdColumnValues<F extends AnyFormat, HasDefault extends boolean> {
  /** The type of the IDs. */
  data: IdOf<F>;
  /** The driver's type. */
  driverData: bigint | number | string;
  /** Whether an insert may omit the column. */
  default: HasDefault;
}

// The types of a column differ between Drizzle's versions, so they come from the installed
// `customType`.

/**
 * A column of IDs in PostgreSQL. Call it like Drizzle's `bigint`, with or without the column's
 * name.
 */
export type PgIdColumn<F extends AnyFormat, HasDefault extends boolean> = ReturnType<
  typeof pgType<IdColumnValues<F, HasDefault>>
>;

/**
 * A column of IDs in MySQL or MariaDB. Call it like Drizzle's `bigint`, with or without the
 * column's name.
 */
export type MysqlIdColumn<F extends AnyFormat, HasDefault extends boolean> = ReturnType<
  typeof mysqlType<IdColumnValues<F, HasDefault>>
>;

/**
 * A column of IDs in SQLite. Call it like Drizzle's `integer`, with or without the column's name.
 */
export type SqliteIdColumn<F extends AnyFormat, HasDefault extends boolean> = ReturnType<
  typeof sqliteType<IdColumnValues<F, HasDefault>>
>;

/** The part of `customType` that is the same for all databases. */
type CustomType = (parameters: {
  dataType(): string;
  codec: string | undefined;
  toDriver(id: unknown): unknown;
  fromDriver(value: unknown): unknown;
}) => (...name: []) => {
  readonly config: { dataType: string };
  $defaultFn(make: () => unknown): unknown;
};

/**
 * Returns the function that makes the columns.
 *
 * @param generator The source of IDs, if there is one.
 * @param remedy The advice for drivers that round.
 * @param send Converts a value for the driver.
 * @param codec The name of the codec with which Drizzle 1 reads integers as text, even in JSON
 *   rows.
 * @param integer The SQL type of an integer column; `text`: the SQL type of a text column, by
 *   default `char(n)`.
 */
function columnsOf(
  customType: unknown,
  format: AnyFormat,
  generator: IdSource<unknown> | undefined,
  remedy: string,
  send: (id: unknown) => unknown = (id) => id,
  codec = "bigint:string",
  integer = "bigint",
  text?: string,
) {
  const { width, read, write } = columnOf(format, `${remedy}; for \`with\`, take Drizzle 1`);
  const sqlType = width > 0 ? (text ?? `char(${width})`) : integer;
  const make = (customType as CustomType)({
    dataType: () => sqlType,
    codec: width > 0 ? undefined : codec,
    // Drizzle skips NULL, except in arrays and in values of placeholders. Arrays that arrive as
    // text contain the word.
    toDriver: (id) => (id === null ? id : send(write(id))),
    fromDriver: (value) => (value === null || value === "NULL" ? null : read(value)),
  });
  if (generator !== undefined) givenSource(generator);
  return (...name: []) => {
    const column = make(...name);
    // For drizzle-zod and similar libraries. Drizzle itself does not read it.
    column.config.dataType = format.valueType;
    return generator === undefined ? column : column.$defaultFn(() => generator.next());
  };
}

/**
 * A column for PostgreSQL: `bigint`, or `char(n)` if IDs are texts (sno, Ulid-Flake). It reads the
 * values of any driver and throws for rounded ones. Before Drizzle 1, rows of `with: …` in
 * relational queries arrive as JSON, so pass {@link parseJson} to the driver.
 *
 * IDs above 2^63 - 1 (Discord, from 2084 on) do not fit, so pass both ends to `range`.
 *
 * Errors: `TYPE`; in queries, those of `parse`.
 *
 * @param generator Generates the ID of a row without one.
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
  return columnsOf(
    pgType,
    format,
    generator,
    "let parseJson parse the types 114 and 3802",
    // Not every PostgreSQL driver accepts a bigint.
    String,
  );
}

/**
 * A column for MySQL and MariaDB: `bigint`, `bigint unsigned` if IDs can be above 2^63 - 1
 * (Discord), or `char(n)` if they are texts (sno, Ulid-Flake). It throws for rounded values. Before
 * Drizzle 1, pass `supportBigNumbers: true` to mysql2, and join tables with `select` instead of
 * `with: …` in relational queries, whose rows arrive as JSON.
 *
 * Errors: `TYPE`; in queries, those of `parse`.
 *
 * @param generator Generates the ID of a row without one.
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
  return columnsOf(
    mysqlType,
    format,
    generator,
    "give mysql2 `supportBigNumbers: true`",
    undefined,
    undefined,
    givenFormat(format).layout.isUnsigned ? "bigint unsigned" : undefined,
  );
}

/**
 * A column for SQLite: `integer`, or `text` if IDs are texts (sno, Ulid-Flake). It throws for
 * rounded values. Before Drizzle 1, read exact integers, as the guide to SQLite shows, and join
 * tables with `select` instead of `with: …` in relational queries, whose rows arrive as JSON. IDs
 * above 2^63 - 1 (Discord, from 2084 on) do not fit, so pass both ends to `range`.
 *
 * Errors: `TYPE`; in queries, those of `parse`.
 *
 * @param generator Generates the ID of a row without one.
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
  return columnsOf(sqliteType, format, generator, SQLITE_REMEDY, undefined, "numeric", "integer", "text");
}
