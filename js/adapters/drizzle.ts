/**
 * Columns for Drizzle: PostgreSQL, MySQL and SQLite.
 *
 * @module graupel/drizzle
 */
import { customType as mysqlType } from "drizzle-orm/mysql-core";
import { customType as pgType } from "drizzle-orm/pg-core";
import { customType as sqliteType } from "drizzle-orm/sqlite-core";
import type { AnyFormat } from "../any-format.js";
import { givenFormat, type IdOf } from "../given-format.js";
import { columnOf, givenSource, type IdSource, SQLITE_REMEDY } from "./column.js";
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

// The types of a column differ between the versions of Drizzle, so each is what the installed `customType` gives.

/** A column of IDs in PostgreSQL, used as Drizzle's `bigint` is: with the column's name, or without. */
export type PgIdColumn<F extends AnyFormat, HasDefault extends boolean> = ReturnType<
  typeof pgType<IdColumnValues<F, HasDefault>>
>;

/** A column of IDs in MySQL or MariaDB, used as Drizzle's `bigint` is: with the column's name, or without. */
export type MysqlIdColumn<F extends AnyFormat, HasDefault extends boolean> = ReturnType<
  typeof mysqlType<IdColumnValues<F, HasDefault>>
>;

/** A column of IDs in SQLite, used as Drizzle's `integer` is: with the column's name, or without. */
export type SqliteIdColumn<F extends AnyFormat, HasDefault extends boolean> = ReturnType<
  typeof sqliteType<IdColumnValues<F, HasDefault>>
>;

/** `customType` of one database, as far as it is the same in all. */
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
 * The function that makes the columns.
 *
 * @param generator Checked only if there is one.
 * @param remedy What keeps the driver from rounding.
 * @param send What the driver takes.
 * @param codec How Drizzle 1 reads integers: as text, also in rows that come as JSON.
 * @param integer The type of a column of integers; `text` that of one of texts, if it is not `char(n)`.
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
    // Drizzle itself skips NULL, but not in arrays and in values of placeholders; arrays that come as text have the word.
    toDriver: (id) => (id === null ? id : send(write(id))),
    fromDriver: (value) => (value === null || value === "NULL" ? null : read(value)),
  });
  if (generator !== undefined) givenSource(generator);
  return (...name: []) => {
    const column = make(...name);
    // For drizzle-zod and its like; Drizzle itself does not read it.
    column.config.dataType = format.valueType;
    return generator === undefined ? column : column.$defaultFn(() => generator.next());
  };
}

/**
 * A column for PostgreSQL: `bigint`, or `char(n)` where IDs are texts (sno, Ulid-Flake). It reads what any driver gives, and refuses what
 * was rounded: before Drizzle 1, rows of `with: …` in relational queries come as JSON, so give the driver {@link parseJson}.
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
  return columnsOf(
    pgType,
    format,
    generator,
    "let parseJson parse the types 114 and 3802",
    // Not every driver of PostgreSQL takes a bigint.
    String,
  );
}

/**
 * A column for MySQL and MariaDB: `bigint`, `bigint unsigned` where IDs can be above 2^63 - 1 (Discord), or `char(n)` where they are texts
 * (sno, Ulid-Flake). What was rounded is refused: before Drizzle 1, give mysql2 `supportBigNumbers: true`, and instead of `with: …` in relational
 * queries, whose rows come as JSON, join the tables with `select`.
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
 * A column for SQLite: `integer`, or `text` where IDs are texts (sno, Ulid-Flake). What was rounded is refused: before Drizzle 1, read exact
 * integers, as the guide to SQLite does, and instead of `with: …` in relational queries, whose rows come as JSON, join the tables with
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
  return columnsOf(sqliteType, format, generator, SQLITE_REMEDY, undefined, "numeric", "integer", "text");
}
