/**
 * A plugin for Kysely that generates, checks and reads IDs by their format.
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

/**
 * The ID columns: a format, or a format with a generator, for each table and column of Kysely's
 * database interface.
 */
export type IdTables<Database> = {
  readonly [Table in keyof Database]?: {
    readonly [Name in keyof Database[Table]]?: AnyFormat | GeneratedIds;
  };
};

/** The methods of a Kysely plugin that are called. */
export interface InnerPlugin {
  /** Changes a query. */
  transformQuery(args: never): unknown;
  /** Changes its result. */
  transformResult(args: never): Promise<unknown>;
}

/** A plugin of Kysely. */
export interface IdPlugin {
  /** Generates and checks the IDs of a query. */
  transformQuery<QueryNode>(args: { readonly node: QueryNode; readonly queryId: object }): QueryNode;
  /** Reads the IDs of a result. */
  transformResult<Result>(args: { readonly result: Result; readonly queryId: object }): Promise<Result>;
}

const REMEDY = "set up the driver as in the guide to Kysely; in D1, use Snowflake-SI or sno";

/** Checks an object. */
const given = (name: string, value: unknown): object =>
  Object(value) === value ? (value as object) : typeError(name, value, "an object with columns of IDs");

/** Checks a column. */
function givenColumn(name: string, value: unknown): Column {
  const { format, generator } = givenIds(name, value);
  const { read, write } = columnOf(format, REMEDY);
  return { read, write, make: generator && (() => generator.next()) };
}

/** Reads a value of a result, or the rows inside it. */
function readValue(value: unknown, output: Output): unknown {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map((item) => readValue(item, output));
  if ("read" in output) return output.read(value);
  // SQLite returns JSON as text.
  return typeof value === "string" ? readValue(parseJson(value), output) : readRow(value, output);
}

/** Reads the IDs of a row. */
function readRow(row: unknown, outputs: Outputs): unknown {
  if (Object(row) !== row) return row;
  const read: Record<string, unknown> = { ...(row as object) };
  for (const [name, output] of outputs) {
    if (!Object.hasOwn(read, name)) {
      fail(
        "TYPE",
        name,
        undefined,
        `${name}: missing in the row; pass plugins that rename columns to idPlugin`,
      );
    }
    read[name] = readValue(read[name], output);
  }
  return read;
}

/**
 * A plugin that generates and checks the IDs of a database, and reads them in the type of their
 * format.
 *
 * - In an insert, each row without an ID gets one, if the column has a generator.
 * - IDs and their canonical texts are checked in inserts, updates and comparisons, including
 *   tuples, arrays, `case`, and functions that return one of their arguments, such as `coalesce`.
 *   Other functions and `sql` are not checked.
 * - Columns of results are read under any alias, through these functions, joins, subqueries, unions
 *   and `with`, and in the nested rows of `jsonArrayFrom`, `jsonObjectFrom` and `jsonBuildObject`.
 *   A value that a driver has rounded is an error.
 *
 * Each compilation generates new IDs, so a query that you compile once inserts the same IDs each
 * time it runs.
 *
 * Errors: `TYPE`, `UNKNOWN_OPTION`; in queries, `TYPE` and those of `parse`. An insert from a
 * select, or `merge`, cannot generate IDs.
 *
 * @param tables The columns by table. A name without a schema applies to all schemas without their
 *   own entry.
 * @param inner Plugins that rename columns, such as `CamelCasePlugin`. Do not also pass them to
 *   Kysely.
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
  /** The names of all columns of IDs in results. */
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
      // Kysely before 0.28.4 does not tell which compiled query a result belongs to.
      const name = !outputs && Object.keys(rows[0] ?? {}).find((one) => names.has(one));
      if (name) {
        fail("TYPE", name, undefined, `${name}: from an unknown query; use execute(), or Kysely >=0.28.4`);
      }
      return outputs?.size ? { ...result, rows: rows.map((row) => readRow(row, outputs)) } : result;
    },
  };
}
