/**
 * Columns for TypeORM, and the subscriber that gives new rows their IDs.
 *
 * @module graupel/typeorm
 */
import { EventSubscriber } from "typeorm";
import type { AnyFormat } from "../any-format.js";
import type { IdOf } from "../given-format.js";
import { wrong } from "../refusals.js";
import { columnOf, givenSource, type IdSource, isUnsigned, SQLITE_REMEDY } from "./column.js";

export type { IdSource };

/** Where a transformer keeps what the subscriber calls. The symbol is the same in every copy of the package. */
const FILL = Symbol.for("graupel.typeorm");

/** Gives the ID to insert: the one that is there, checked, or a new one. */
type Fill = (id: unknown, isPrimary: boolean) => unknown;

/** What TypeORM calls with the values of a column. Where there is no ID, it changes nothing; of an array, it takes each place. */
export interface IdTransformer {
  /** What the driver takes for an ID. */
  to(value: unknown): unknown;
  /** An ID, from what the driver gives. */
  from(value: unknown): unknown;
}

/** Options of a column, for TypeORM's decorators and for `EntitySchema`. */
export interface IdColumnOptions {
  /** `varchar` where IDs are texts in the database: the one type of characters that all databases have. */
  type: "bigint" | "varchar";
  /** Characters of a text. */
  length?: number;
  /** True where IDs can be above 2^63 - 1. It has a meaning only in MySQL and MariaDB. */
  unsigned?: boolean;
  /** Reads and writes the IDs. */
  transformer: IdTransformer;
}

/** Applies a function to a value, or to each value of an array: columns with `array: true`, `Any` and `Raw` have arrays. */
function each(map: (value: unknown) => unknown, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => each(map, one));
  return value === null || value === undefined ? value : map(value);
}

/**
 * Options of a column of IDs: `bigint`, in MySQL and MariaDB `bigint unsigned` where IDs can be above 2^63 - 1 (Discord), or `varchar(n)`
 * where they are texts (sno, Ulid-Flake). Operators such as `In` and `Between` take IDs, too. What was rounded is refused: give
 * better-sqlite3 `prepareDatabase: (database) => database.defaultSafeIntegers()`.
 *
 * Take `format.text`, whose IDs are texts, for a table with relations: TypeORM writes keys as JSON when it saves them, and JSON has no
 * BigInt. In PostgreSQL and SQLite, IDs above 2^63 - 1 (Discord, from 2084 on) do not fit, so give `range` both of its ends.
 *
 * Errors: `TYPE`; of queries those of `parse`.
 *
 * @param generator Makes the ID of a row that has none, if {@link IdSubscriber} is among the subscribers.
 *
 * @example
 * ```js
 * import { twitter } from "graupel";
 * import { idColumn } from "graupel/typeorm";
 * import { EntitySchema } from "typeorm";
 * const ids = twitter.text.generator({ datacenterId: 0, workerId: 7 });
 * const users = new EntitySchema({ name: "users", columns: { id: { primary: true, ...idColumn(twitter.text, ids) }, name: { type: "text" } } });
 * console.log(users.options.columns.id.transformer.from("1585841080431321088"));   // 1585841080431321088
 * ```
 */
export function idColumn<F extends AnyFormat>(format: F, generator?: IdSource<IdOf<F>>): IdColumnOptions {
  const { width, read, write } = columnOf(
    format,
    `leave supportBigNumbers of mysql2 on; in prepareDatabase, ${SQLITE_REMEDY}`,
  );
  if (generator !== undefined) givenSource(generator);
  const type = format.valueType;
  const fill: Fill = (id, isPrimary) => {
    if (id === undefined || (id === null && isPrimary))
      return generator === undefined ? id : generator.next();
    // `save` compares keys by `===` with those that it reads, so the same ID as another type would be a row of its own. A function is SQL.
    return id === null || typeof id === "function" || typeof id === type
      ? id
      : wrong("id", id, `a ${type}, as a row has it that TypeORM reads`);
  };
  const transformer = {
    to: (value: unknown) => each(write, value),
    from: (value: unknown) => each(read, value),
    [FILL]: fill,
  };
  return width > 0
    ? { type: "varchar", length: width, transformer }
    : { type: "bigint", ...(isUnsigned(format) && { unsigned: true }), transformer };
}

/** What {@link IdSubscriber} reads of a row that is about to be inserted. */
export interface InsertedRow {
  /** The row; undefined for one that only joins two others. */
  readonly entity?: unknown;
  /** Its table. */
  readonly metadata: {
    /** The columns of the table. */
    readonly columns: readonly InsertedColumn[];
  };
}

/** What {@link IdSubscriber} reads of a column. */
export interface InsertedColumn {
  /** What was given as `transformer`. */
  readonly transformer?: unknown;
  /** Whether it belongs to the key of its table. */
  readonly isPrimary: boolean;
  /** Whether each value is an array. */
  readonly isArray: boolean;
  /** The column of another table that it refers to. */
  readonly referencedColumn?: unknown;
  /** Its value in a row. */
  // biome-ignore lint/suspicious/noExplicitAny: TypeORM declares it so
  getEntityValue(entity: any): unknown;
  /** Sets its value in a row. */
  // biome-ignore lint/suspicious/noExplicitAny: TypeORM declares it so
  setEntityValue(entity: any, value: unknown): void;
}

/**
 * The subscriber that makes IDs, for the option `subscribers` of a `DataSource`: a row gets them before it is inserted, by `save`, `insert`,
 * `upsert`, a query builder or a cascade. It knows the columns by their {@link idColumn}, so one is enough for all tables. With
 * `listeners: false`, TypeORM does not call it.
 *
 * Errors: of queries `TYPE`, if a row has its ID as another type than the format's, and those of the generator.
 *
 * @example
 * ```js
 * import { twitter } from "graupel";
 * import { idColumn, IdSubscriber } from "graupel/typeorm";
 * import { EntitySchema } from "typeorm";
 * const ids = twitter.text.generator({ datacenterId: 0, workerId: 7 });
 * const users = new EntitySchema({ name: "users", columns: { id: { primary: true, ...idColumn(twitter.text, ids) } } });
 * const options = { type: "postgres", entities: [users], subscribers: [IdSubscriber] };   // for new DataSource(options)
 * console.log(options.subscribers.length);   // 1
 * ```
 */
export class IdSubscriber {
  /** Called by TypeORM before a row is inserted. */
  beforeInsert({ entity, metadata }: InsertedRow): void {
    if (entity === undefined) return;
    for (const column of metadata.columns) {
      const fill = (Object(column.transformer) as { readonly [FILL]?: Fill })[FILL];
      // A reference is never made up, but copied from the row that it refers to.
      if (fill === undefined || column.isArray || column.referencedColumn !== undefined) continue;
      const given = column.getEntityValue(entity);
      const id = fill(given, column.isPrimary);
      if (id !== given) column.setEntityValue(entity, id);
    }
  }
}

// TypeORM takes only classes that are in its list.
EventSubscriber()(IdSubscriber);
