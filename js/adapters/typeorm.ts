/**
 * Columns for TypeORM, and the subscriber that gives new rows their IDs.
 *
 * @module graupel/typeorm
 */
import { DataSource, EventSubscriber } from "typeorm";
import type { AnyFormat } from "../any-format.js";
import { typeError } from "../errors.js";
import type { IdOf } from "../given-format.js";
import { columnOf, givenSource, type IdSource } from "./column.js";

export type { IdSource };

/** Marks the transformers of IDs. The symbol is the same in every copy of the package. */
const IDS = Symbol.for("graupel.ids");

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
  /** Characters of a text; 0 where IDs are integers. */
  length?: number;
  /** True where IDs can be above 2^63 - 1. It has a meaning only in MySQL and MariaDB. */
  unsigned?: boolean;
  /** Reads and writes the IDs. */
  transformer: IdTransformer;
}

/** A transformer of IDs, with what makes them. */
interface Ids extends IdTransformer {
  readonly type: string;
  readonly generator: IdSource<unknown> | undefined;
  [IDS]?: Ids;
}

/** What is read of a column. */
interface ReferringColumn {
  transformer?: unknown;
  readonly referencedColumn?: unknown;
}

/** A column of a table. */
interface TableColumn extends ReferringColumn {
  readonly relationMetadata?: { readonly isLazy: boolean; getEntityValue(row: unknown): unknown };
  getEntityValue(row: unknown, transform?: boolean): unknown;
}

/** The transformer of a column of IDs, or of the column that it refers to, which may refer to another one. */
const idsOf = ({ transformer, referencedColumn }: ReferringColumn): Ids | undefined =>
  (transformer as Ids | undefined)?.[IDS] ?? (referencedColumn ? idsOf(referencedColumn) : undefined);

/** Applies a function to a value, or to each value of an array: columns with `array: true`, `Any` and `Raw` have arrays. */
const each = (map: (value: unknown) => unknown, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((one) => each(map, one));
  return value === null || value === undefined ? value : map(value);
};

/** Makes the statement of a query. */
type Escape = (sql: string, parameters: Readonly<Record<string, unknown>>, native: unknown) => unknown;

/** A `DataSource` of TypeORM 0.3 or 1, as far as it is used here. */
interface Source {
  buildMetadatas(): Promise<void>;
  readonly entityMetadatas: readonly {
    readonly columns: TableColumn[];
    readonly relations: readonly { readonly joinColumns: TableColumn[] }[];
    mapPropertyPathsToColumns(paths: string[]): (ReferringColumn & { readonly isPrimary: boolean })[];
  }[];
  /** `IDS`: what makes statements without a check. A DataSource that is initialized again has the same driver. */
  readonly driver: { escapeQueryWithParameters: Escape; [IDS]: Escape };
}

// TypeORM tells nobody when it has made its metadata. Nothing is read or written before.
const prototype = DataSource.prototype as unknown as Source;
const { buildMetadatas } = prototype;
prototype.buildMetadatas = async function (this: Source) {
  await buildMetadatas.call(this);
  let found: Ids | undefined;
  for (const metadata of this.entityMetadatas) {
    // Join columns, and columns of junction and closure tables, have no transformer. A relation may have copies of its columns.
    for (const column of metadata.columns.concat(
      ...metadata.relations.map(({ joinColumns }) => joinColumns),
    )) {
      const ids = idsOf(column);
      column.transformer ??= ids;
      found ??= ids;
      // TypeORM takes an ID in place of a related row, but where the column of the reference is declared, too, it would write NULL.
      const { relationMetadata, getEntityValue } = column;
      if (ids && relationMetadata && !relationMetadata.isLazy)
        column.getEntityValue = (row, transform) => {
          const value = getEntityValue.call(column, row, transform);
          const given = value === undefined ? relationMetadata.getEntityValue(row) : null;
          return typeof given === "object" ? value : transform ? ids.to(given) : given;
        };
    }
    // Only `upsert` calls this. It overwrites all that an object has, but for these columns, and an object has the ID of an insert after its first one.
    const { mapPropertyPathsToColumns } = metadata;
    metadata.mapPropertyPathsToColumns = (paths) => {
      const columns = mapPropertyPathsToColumns.call(metadata, paths);
      columns.includes = (column) =>
        columns.indexOf(column) >= 0 || ((column.isPrimary && idsOf(column)) as boolean);
      return columns;
    };
  }
  if (!found) return;
  // A condition that is text does not say which column a parameter is for. Parameters with such a name are values of columns.
  const { driver } = this;
  driver[IDS] ??= driver.escapeQueryWithParameters;
  driver.escapeQueryWithParameters = (sql, parameters, native) => {
    for (const name in parameters) if (!/^orm_/.test(name)) each(refuseRounded, parameters[name]);
    return driver[IDS](sql, parameters, native);
  };
};

/** Refuses a number that stands for several integers. */
const refuseRounded = (value: unknown) =>
  typeof value === "number" && value >= 2 ** 53 && typeError("id", value, "a bigint");

/**
 * Options of a column of IDs: `bigint`, in MySQL and MariaDB `bigint unsigned` where IDs can be above 2^63 - 1 (Discord), or `varchar(n)`
 * where they are texts (sno, Ulid-Flake). Operators such as `In` and `Between` take IDs, too. Columns that TypeORM makes for references to
 * such a column (join columns, and those of junction and closure tables) read, write and check IDs as it does, in every `DataSource`. What was
 * rounded is refused: the guide has the setting of better-sqlite3, and lists what TypeORM does not let the adapter see.
 *
 * Take `format.text`, whose IDs are texts, for a table with relations: TypeORM writes keys as JSON when it saves them, and JSON has no
 * BigInt; not that of Nanoflake, whose texts in base 36 TypeORM mixes with decimal ones of the database. In PostgreSQL and SQLite, IDs above
 * 2^63 - 1 (Discord, from 2084 on) do not fit, so give `range` both of its ends.
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
  const { width, read, write } = columnOf(format, "see graupel's guide");
  // TypeORM reads some keys twice, and a text in base 36 is no integer of a database, or another one.
  if (!width && format.valueType === "string" && format.layout.base !== 10) {
    typeError("format", format, `${format.name}, not its text`);
  }
  if (generator !== undefined) givenSource(generator);
  const transformer: Ids = {
    to: (value) =>
      each((one) => {
        // Before TypeORM 1, the operators in `And` and `Or` come here.
        const operator = one as { transformValue?(transformer: IdTransformer): void };
        if (!operator.transformValue) return write(one);
        operator.transformValue(transformer);
        return one;
      }, value),
    from: (value) => each(read, value),
    type: format.valueType,
    generator,
  };
  transformer[IDS] = transformer;
  return {
    type: width ? "varchar" : "bigint",
    length: width,
    unsigned: !width && format.layout.isUnsigned,
    transformer,
  };
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
 * `upsert`, a query builder or a cascade, after its `@BeforeInsert`. It knows the columns by their {@link idColumn}, so one is enough for all
 * tables. With `listeners: false`, TypeORM does not call it.
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
    for (const column of entity ? metadata.columns : []) {
      const ids = idsOf(column);
      // A reference is never made up, but copied from the row that it refers to.
      if (!ids || column.isArray || column.referencedColumn) continue;
      const id = column.getEntityValue(entity);
      if (id === undefined || id === null) {
        if (ids.generator && (id === undefined || column.isPrimary))
          column.setEntityValue(entity, ids.generator.next());
      } else if (typeof id !== "function" && typeof id !== ids.type) {
        // `save` compares keys by `===` with those that it reads, so the same ID as another type would be a row of its own. A function is SQL.
        typeError("id", id, `a ${ids.type}`);
      }
    }
  }
}

// TypeORM takes only classes that are in its list.
EventSubscriber()(IdSubscriber);
