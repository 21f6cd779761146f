/**
 * Columns for TypeORM, and the subscriber that generates the IDs of new rows.
 *
 * @module graupel/typeorm
 */
import { DataSource, EventSubscriber, SelectQueryBuilder } from "typeorm";
import type { AnyFormat, IdOf } from "../any-format.js";
import { typeError } from "../errors.js";
import { checkBase, columnOf, givenSource, type IdSource } from "./column.js";

export type { IdSource };

/** Marks the transformers of IDs. The symbol is the same in every copy of the package. */
const IDS = Symbol.for("graupel.ids");

/**
 * Converts the values of a column for TypeORM. Leaves missing values unchanged and converts each
 * item of an array.
 */
export interface IdTransformer {
  /** Converts an ID for the driver. */
  to(value: unknown): unknown;
  /** Reads an ID from the driver's value. */
  from(value: unknown): unknown;
}

/** Options of a column, for TypeORM's decorators and for `EntitySchema`. */
export interface IdColumnOptions {
  /** `varchar` if IDs are texts in the database: the only text type that all databases have. */
  type: "bigint" | "varchar";
  /** The number of characters of a text; 0 for integers. */
  length?: number;
  /** True if IDs can be above 2^63 - 1. Only MySQL and MariaDB use it. */
  unsigned?: boolean;
  /** Reads and writes the IDs. */
  transformer: IdTransformer;
}

/** A transformer of IDs with their source. */
interface Ids extends IdTransformer {
  readonly type: string;
  readonly generator: IdSource<unknown> | undefined;
  [IDS]?: Ids;
}

/** The part of a column that is read. */
interface ReferringColumn {
  transformer?: unknown;
  readonly referencedColumn?: unknown;
}

/** A column of a table. */
interface TableColumn extends ReferringColumn {
  readonly relationMetadata?: { readonly isLazy: boolean; getEntityValue(row: unknown): unknown };
  getEntityValue(row: unknown, transform?: boolean): unknown;
}

/**
 * The transformer of a column of IDs, or of the column that it refers to, directly or indirectly.
 */
const idsOf = ({ transformer, referencedColumn }: ReferringColumn): Ids | undefined =>
  (transformer as Ids | undefined)?.[IDS] ?? (referencedColumn ? idsOf(referencedColumn) : undefined);

/**
 * Applies a function to a value, or to each item of an array, as in columns with `array: true`,
 * `Any` and `Raw`.
 */
const each = (map: (value: unknown) => unknown, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((one) => each(map, one));
  return value === null || value === undefined ? value : map(value);
};

/** Makes the SQL of a query. */
type Escape = (sql: string, parameters: Readonly<Record<string, unknown>>, native: unknown) => unknown;

/** The part of a `DataSource` of TypeORM 0.3 or 1 that is used. */
interface Source {
  buildMetadatas(): Promise<void>;
  readonly entityMetadatas: readonly {
    readonly columns: TableColumn[];
    readonly relations: readonly { readonly joinColumns: TableColumn[] }[];
    mapPropertyPathsToColumns(paths: string[]): (ReferringColumn & { readonly isPrimary: boolean })[];
  }[];
  /**
   * `IDS`: the original function, without checks. A DataSource that is initialized again keeps its
   * driver.
   */
  readonly driver: { escapeQueryWithParameters: Escape; [IDS]: Escape };
}

// TypeORM has no event for the moment when its metadata are complete. It reads and writes nothing
// before.
const prototype = DataSource.prototype as unknown as Source;
const { buildMetadatas } = prototype;
prototype.buildMetadatas = async function (this: Source) {
  await buildMetadatas.call(this);
  let found: Ids | undefined;
  for (const metadata of this.entityMetadatas) {
    // Join columns, and columns of junction and closure tables, have no transformer. A relation may
    // have copies of its columns.
    for (const column of metadata.columns.concat(
      ...metadata.relations.map(({ joinColumns }) => joinColumns),
    )) {
      const ids = idsOf(column);
      column.transformer ??= ids;
      found ??= ids;
      // TypeORM accepts an ID instead of a related row, but writes NULL if the column of the
      // reference is also declared.
      const { relationMetadata, getEntityValue } = column;
      if (ids && relationMetadata && !relationMetadata.isLazy)
        column.getEntityValue = (row, transform) => {
          const value = getEntityValue.call(column, row, transform);
          const given = value === undefined ? relationMetadata.getEntityValue(row) : null;
          return typeof given === "object" ? value : transform ? ids.to(given) : given;
        };
    }
    // Only `upsert` calls this. It overwrites all columns except these. After its first insert, an
    // object has that insert's ID.
    const { mapPropertyPathsToColumns } = metadata;
    metadata.mapPropertyPathsToColumns = (paths) => {
      const columns = mapPropertyPathsToColumns.call(metadata, paths);
      columns.includes = (column) =>
        columns.indexOf(column) >= 0 || ((column.isPrimary && idsOf(column)) as boolean);
      return columns;
    };
  }
  if (!found) return;
  // A condition in text does not tell the column of a parameter. Parameters with such a name are
  // values of columns.
  const { driver } = this;
  driver[IDS] ??= driver.escapeQueryWithParameters;
  driver.escapeQueryWithParameters = (sql, parameters, native) => {
    for (const name in parameters) if (!/^orm_/.test(name)) each(failIfRounded, parameters[name]);
    return driver[IDS](sql, parameters, native);
  };
};

/** The conditions of a query, by property. */
type Conditions = Readonly<Record<string, { transformValue?(ids: Ids): void; readonly type?: string }>>;

/** The metadata of a table whose conditions are built. */
interface ConditionsTable {
  findRelationWithPropertyPath(
    path: string,
  ): { readonly isWithJoinColumn: boolean; readonly joinColumns: readonly TableColumn[] } | undefined;
}

/** Builds the SQL of conditions. */
type BuildWhere = (where: Conditions, metadata: ConditionsTable, alias: string, path?: string) => string;

// Only operators on a relation, such as `{ author: Equal(id) }`, are not passed to a transformer.
const queries = SelectQueryBuilder.prototype as unknown as { buildWhere: BuildWhere };
const { buildWhere } = queries;
queries.buildWhere = function (where, metadata, alias, path) {
  for (const key in where) {
    const relation = metadata.findRelationWithPropertyPath(path ? `${path}.${key}` : key);
    const ids = relation?.isWithJoinColumn && idsOf(relation.joinColumns[0] as TableColumn);
    const operator = where[key];
    if (ids && operator?.type !== "raw") operator?.transformValue?.(ids);
  }
  return buildWhere.call(this, where, metadata, alias, path);
};

/** Throws for a number that may have been rounded. */
const failIfRounded = (value: unknown) =>
  typeof value === "number" && value >= 2 ** 53 && typeError("id", value, "a bigint");

/**
 * Options of a column of IDs: `bigint`, in MySQL and MariaDB `bigint unsigned` if IDs can be above
 * 2^63 - 1 (Discord), or `varchar(n)` if they are texts (sno, Ulid-Flake). Operators such as `In`
 * and `Between` also accept IDs. Columns that TypeORM creates for references to this column (join
 * columns, and those of junction and closure tables) read, write and check IDs in the same way, in
 * every `DataSource`. Rounded values throw: the guide has the setting for better-sqlite3 and lists
 * the values that the adapter cannot check.
 *
 * Use `format.text`, whose IDs are texts, for a table with relations: TypeORM writes keys as JSON
 * when it saves them, and JSON has no BigInt. Do not use Nanoflake's `text`, because TypeORM mixes
 * base 36 with decimal texts of the database. In PostgreSQL and SQLite, IDs above 2^63 - 1
 * (Discord, from 2084 on) do not fit, so pass both ends to `range`.
 *
 * Errors: `TYPE`; in queries, those of `parse`.
 *
 * @param generator Generates the ID of a row without one, if {@link IdSubscriber} is among the
 *   subscribers.
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
  checkBase(format);
  if (generator !== undefined) givenSource(generator);
  const transformer: Ids = {
    to: (value) =>
      each((one) => {
        // Before TypeORM 1, operators inside `And` and `Or` arrive here.
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

/** The part of a new row that {@link IdSubscriber} reads. */
export interface InsertedRow {
  /** The row; undefined for a row of a junction table. */
  readonly entity?: unknown;
  /** Its table. */
  readonly metadata: {
    /** The columns of the table. */
    readonly columns: readonly InsertedColumn[];
  };
}

/** The part of a column that {@link IdSubscriber} reads. */
export interface InsertedColumn {
  /** The `transformer` of the column. */
  readonly transformer?: unknown;
  /** Whether it is part of the primary key. */
  readonly isPrimary: boolean;
  /** Whether each value is an array. */
  readonly isArray: boolean;
  /** The column of another table that it refers to. */
  readonly referencedColumn?: unknown;
  /** Returns its value in a row. */
  // biome-ignore lint/suspicious/noExplicitAny: as in TypeORM's ColumnMetadata
  getEntityValue(entity: any): unknown;
  /** Sets its value in a row. */
  // biome-ignore lint/suspicious/noExplicitAny: as in TypeORM's ColumnMetadata
  setEntityValue(entity: any, value: unknown): void;
}

/**
 * The subscriber that generates IDs, for the option `subscribers` of a `DataSource`. A row gets its
 * IDs before it is inserted by `save`, `insert`, `upsert`, a query builder or a cascade, and after
 * its `@BeforeInsert`. It finds the columns by their {@link idColumn}, so one subscriber is enough
 * for all tables. With `listeners: false`, TypeORM does not call it.
 *
 * Errors: in queries, `TYPE` if a row's ID does not have the format's type, and those of the
 * generator.
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
      // A reference is never generated, but copied from the row that it refers to.
      if (!ids || column.isArray || column.referencedColumn) continue;
      const id = column.getEntityValue(entity);
      if (id === undefined || id === null) {
        if (ids.generator && (id === undefined || column.isPrimary))
          column.setEntityValue(entity, ids.generator.next());
      } else if (typeof id !== "function" && typeof id !== ids.type) {
        // `save` compares keys with `===`, so the same ID in another type would be another row. A
        // function is SQL.
        typeError("id", id, `a ${ids.type}`);
      }
    }
  }
}

// TypeORM accepts only registered classes.
EventSubscriber()(IdSubscriber);
