/**
 * A plugin for Kysely: IDs are made, checked and read as their format says.
 *
 * @module graupel/kysely
 */
import type { AnyFormat } from "../any-format.js";
import { fail, typeError } from "../errors.js";
import { columnOf, type GeneratedIds, givenIds, type IdSource } from "./column.js";
import { checkQuery } from "./kysely-query.js";
import type { Column, Node, Output, Outputs } from "./kysely-scope.js";
import { parseJson } from "./parse-json.js";

export { type GeneratedIds, type IdSource, parseJson };

/** The columns of IDs: by table and by column, as in Kysely's interface of the database, their format, or what makes them. */
export type IdTables<Database> = {
  readonly [Table in keyof Database]?: {
    readonly [Name in keyof Database[Table]]?: AnyFormat | GeneratedIds;
  };
};

/** A plugin of Kysely, as far as it is called. */
export interface InnerPlugin {
  /** Changes a query. */
  transformQuery(args: never): unknown;
  /** Changes its result. */
  transformResult(args: never): Promise<unknown>;
}

/** A plugin of Kysely. */
export interface IdPlugin {
  /** Makes and checks the IDs of a query. */
  transformQuery<QueryNode>(args: { readonly node: QueryNode; readonly queryId: object }): QueryNode;
  /** Reads the IDs of its result. */
  transformResult<Result>(args: { readonly result: Result; readonly queryId: object }): Promise<Result>;
}

const REMEDY = "give the driver the setting of the guide to Kysely; in D1, use Snowflake-SI or sno";

/** An object as it was given, checked. */
const given = (name: string, value: unknown): object =>
  Object(value) === value ? (value as object) : typeError(name, value, "an object with columns of IDs");

/** A column as it was given, checked. */
function givenColumn(name: string, value: unknown): Column {
  const { format, generator } = givenIds(name, value);
  const { read, write } = columnOf(format, REMEDY);
  return { read, write, make: generator && (() => generator.next()) };
}

/** A value of a result, or rows inside of it. */
function readValue(value: unknown, output: Output): unknown {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map((item) => readValue(item, output));
  if ("read" in output) return output.read(value);
  // SQLite has no type for JSON.
  return typeof value === "string" ? readValue(parseJson(value), output) : readRow(value, output);
}

/** A row with its IDs read. */
function readRow(row: unknown, outputs: Outputs): unknown {
  if (Object(row) !== row) return row;
  const read: Record<string, unknown> = { ...(row as object) };
  for (const [name, output] of outputs) {
    if (!Object.hasOwn(read, name)) {
      fail(
        "TYPE",
        name,
        undefined,
        `${name}: expected it in the row; if a plugin renames columns, give it to idPlugin`,
      );
    }
    read[name] = readValue(read[name], output);
  }
  return read;
}

/**
 * A plugin that makes and checks the IDs of a database, and reads them as bigints, or whatever type their format has.
 *
 * - An insert without an ID gets one for each row, where the column has a generator.
 * - IDs, or their canonical texts, are checked in inserts, updates and comparisons, also in tuples, arrays, `case`, and functions that give one
 *   of their arguments, such as `coalesce`. Other functions and `sql` are not looked into.
 * - Columns of results are read under any alias, through these functions, joins, subqueries, unions and `with`, and in the rows inside of rows of
 *   `jsonArrayFrom`, `jsonObjectFrom` and `jsonBuildObject`. What a driver has rounded is refused.
 *
 * Each compilation makes new IDs, so a query that was compiled once inserts the same IDs each time that it runs.
 *
 * Errors: `TYPE`, `UNKNOWN_OPTION`; of queries `TYPE` and those of `parse`. IDs cannot be made by an insert of a select, or by `merge`.
 *
 * @param tables A table's name without a schema is for the table in all schemas that have no entry of their own.
 * @param inner Plugins that rename columns, such as `CamelCasePlugin`, which are not to be in Kysely's own list then.
 *
 * @example
 * ```js
 * import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely";
 * import { twitter } from "graupel";
 * import { idPlugin } from "graupel/kysely";
 *
 * const ids = twitter.generator({ datacenterId: 0, workerId: 7 });
 * const db = new Kysely({
 *   dialect: {
 *     createAdapter: () => new PostgresAdapter(),
 *     createDriver: () => new DummyDriver(),
 *     createIntrospector: (db) => new PostgresIntrospector(db),
 *     createQueryCompiler: () => new PostgresQueryCompiler(),
 *   },
 *   plugins: [idPlugin({ users: { id: { format: twitter, generator: ids }, invited_by: twitter } })],
 * });
 * const insert = db.insertInto("users").values([{ name: "Ada" }, { name: "Bob" }]).compile();
 * console.log(insert.sql);   // insert into "users" ("name", "id") values ($1, $2), ($3, $4)
 * console.log(typeof insert.parameters[1]);   // bigint
 * try {
 *   db.selectFrom("users").selectAll().where("invited_by", "=", -1n).compile();
 * } catch (error) {
 *   console.log(error.code);   // RANGE
 * }
 * ```
 */
export function idPlugin<Database = Record<string, Record<string, unknown>>>(
  tables: IdTables<Database>,
  inner: readonly InnerPlugin[] = [],
): IdPlugin {
  const known = new Map<string, Outputs>();
  /** All names that columns of IDs have in results. */
  const names = new Set<string>();
  for (const [table, columns] of Object.entries(given("tables", tables))) {
    const outputs = new Map<string, Output>();
    for (const [name, column] of Object.entries(given(table, columns))) {
      names.add(name);
      outputs.set(name, givenColumn(`${table}.${name}`, column));
    }
    known.set(table, outputs);
  }
  const find = (schema: string | undefined, table: string) =>
    known.get(`${schema}.${table}`) ?? known.get(table);
  const within = [...inner] as unknown as readonly IdPlugin[];
  const outputsOf = new WeakMap<object, Outputs>();
  return {
    transformQuery({ node, queryId }) {
      const { query, outputs } = checkQuery(node as unknown as Node, find);
      outputsOf.set(queryId, outputs);
      for (const name of outputs.keys()) names.add(name);
      let changed = query as unknown as typeof node;
      for (const plugin of within) changed = plugin.transformQuery({ node: changed, queryId });
      return changed;
    },
    async transformResult(args) {
      let { result } = args;
      for (const plugin of within) result = await plugin.transformResult({ ...args, result });
      const outputs = outputsOf.get(args.queryId);
      const { rows = [] } = result as { readonly rows?: readonly object[] };
      // Kysely before 0.28.4 does not say which compiled query a result is of.
      const name = !outputs && Object.keys(rows[0] ?? {}).find((one) => names.has(one));
      if (name) {
        fail(
          "TYPE",
          name,
          undefined,
          `${name}: expected a query of this Kysely; use execute(), or Kysely 0.28.4`,
        );
      }
      return outputs?.size ? { ...result, rows: rows.map((row) => readRow(row, outputs)) } : result;
    },
  };
}
