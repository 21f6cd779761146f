/**
 * Finds the names and expressions of a Kysely query that are IDs. Nodes are plain frozen objects,
 * so nothing is imported, and one file serves every version of Kysely.
 */

/** The part of a node that these files read. Properties that differ by kind are unknown. */
export interface Node {
  readonly kind: string;
  readonly aggregated?: readonly Node[];
  readonly alias?: Node;
  readonly arguments?: readonly Node[];
  readonly column?: Node;
  readonly columns?: readonly Node[];
  readonly condition?: Node;
  readonly defaultValues?: boolean;
  readonly explain?: unknown;
  readonly expression?: Node;
  readonly expressions?: readonly Node[];
  readonly from?: Node;
  readonly froms?: readonly Node[];
  readonly func?: string;
  readonly identifier?: Node;
  readonly immediate?: boolean;
  readonly into?: Node;
  readonly items?: readonly Node[];
  readonly joins?: readonly Node[];
  readonly leftOperand?: Node;
  readonly name?: unknown;
  readonly node?: Node;
  readonly operator?: unknown;
  readonly parameters?: readonly Node[];
  readonly returning?: Node;
  readonly rightOperand?: Node;
  readonly schema?: Node;
  readonly selection?: Node;
  readonly selections?: readonly Node[];
  readonly setOperations?: readonly Node[];
  readonly sqlFragments?: readonly string[];
  readonly table?: Node;
  readonly tables?: readonly Node[];
  readonly using?: Node;
  readonly value?: unknown;
  readonly values?: unknown;
  readonly when?: readonly Node[];
  readonly with?: Node;
}

/** A column of IDs. */
export interface Column {
  /** Reads an ID from a driver's value. */
  read(this: void, value: unknown): unknown;
  /** Converts an ID for a driver. */
  write(this: void, id: unknown): unknown;
  /** Generates the ID of a row without one. */
  readonly make: ((this: void) => unknown) | undefined;
}

/** The contents of a result's column: an ID, or rows inside a row. */
export type Output = Column | Outputs;
/** The columns of a result or a table that contain IDs, by name. */
export type Outputs = ReadonlyMap<string, Output>;
/** The columns of a result by position; undefined for a column without IDs. */
export type Positions = readonly (Output | undefined)[];
/** The name of a result's column, and its contents. */
type Named = readonly [string | undefined, Output | undefined];

/** Returns the columns of a table by its name, with or without a schema. */
export type FindTable = (schema: string | undefined, table: string) => Outputs | undefined;

/** The meaning of the names in a query. */
export interface Scope {
  /** The tables and subqueries that the query reads, by name or alias, in order. */
  readonly tables: ReadonlyMap<string, Outputs>;
  /** The queries of `with`, including those of outer queries. */
  readonly named: ReadonlyMap<string, Outputs>;
  /** The written table. */
  readonly target: Outputs;
  readonly outer?: Scope;
  readonly find: FindTable;
}

export const NONE: Outputs = new Map();
export const NONES: ReadonlyMap<string, Outputs> = new Map();
export const QUERIES = /QueryNode$/;

/**
 * Functions that return one of their arguments, or a list of it. In the last ones, the second
 * argument is a number of rows.
 */
const KEEPING =
  /^(min|max|any(_value)?|all|coalesce|ifnull|nullif|greatest|least|(first|last)_value|array_agg|(to_)?jsonb?(_agg)?|(lag|lead|nth_value))$/i;
/**
 * The properties that contain the nodes with the same value as their parent. `left` and `right` are
 * the ends of `between`.
 */
const SAME = /^(node|selection|left|right|when|result|else|values|arguments|aggregated|parameters)$/;

export const isNode = (value: unknown): value is Node => typeof Object(value).kind === "string";
/** The name of an identifier. An alias may also be `sql`, which has no name. */
const nameOf = (identifier: unknown) => (identifier as Node | undefined)?.name as string | undefined;
/** The name of a column, or of a reference to one. */
export const columnName = ({ column }: Node) => nameOf(column) ?? nameOf(column?.column);
/** The name of a table, in a reference to it. */
const tableOf = (node: Node) => nameOf(node.table?.table?.identifier);

/** The selections of a query. */
export const selectionsOf = (query: Node) => query.selections ?? query.returning?.selections ?? [];

/** Whether a selection is `*`, for all tables or for one. */
const isAll = ({ selection }: Node) => (selection?.column ?? selection)?.kind === "SelectAllNode";

/** Merges lists: the first known column at each position. */
export const merged = (lists: readonly Positions[]): Positions =>
  lists.reduce(
    (known, list) => list.map((output, i) => known[i] ?? output).concat(known.slice(list.length)),
    [],
  );

/** The nodes below an expression that have the same value. `sql.ref` and `sql.val` add no text. */
export function sameAs(node: Node): readonly Node[] {
  const [func, ...groups] = KEEPING.exec(node.func ?? "min") ?? [];
  if (!func || node.sqlFragments?.join("") || /^(Primitive.*|Values)Node$/.test(node.kind)) return [];
  return Object.entries(node)
    .flatMap(([key, value]) => (SAME.test(key) ? value : []))
    .filter((value, i) => isNode(value) && !(i === 1 && groups.at(-1)));
}

/** The sources of a query, with the written table first. */
const sourcesOf = ({ into, table, from, joins = [], using }: Node): Node[] =>
  [
    into,
    table,
    ...(from?.froms ?? []),
    ...joins.map((join) => join.table),
    ...(using?.tables ?? [using?.table]),
  ].flatMap((source) => source?.items ?? source ?? []);

/**
 * The columns of rows inside a row, from helpers like `jsonArrayFrom`, and those of
 * `jsonBuildObject`.
 */
function insideOf({ sqlFragments = [], parameters = [] }: Node, scope: Scope): Outputs | undefined {
  if (/ as (agg|obj)\)$/.test(sqlFragments.at(-1) as string)) {
    const query = parameters.find(({ kind }) => kind === "SelectQueryNode");
    return query && outputsOf(query, scope);
  }
  if (!/^json_(build_)?object\($/.test(sqlFragments[0] as string)) return undefined;
  // Names and values alternate, with commas between them.
  const parts = (parameters[0]?.parameters ?? []).filter((_, i) => i % 2 === 0);
  return byName(
    parts.flatMap((part, i) =>
      i % 2 === 0
        ? [[part.parameters?.[0]?.value as string, positionsOf(parts[i + 1] as Node, scope)[0]]]
        : [],
    ),
  );
}

/** The columns of the table with this name, here or in an outer query. */
const tableNamed = (name: string | undefined, scope: Scope | undefined): Outputs | undefined =>
  scope && (scope.tables.get(name as string) ?? tableNamed(name, scope.outer));

/** The columns of an expression: one, or those of a tuple or a query. */
export function positionsOf(node: Node, scope: Scope): Positions {
  // `toJson` and `jsonAgg` write the name of a column as a table, and its table as a schema.
  const name = columnName(node) ?? nameOf(node.table?.identifier);
  if (name !== undefined) {
    const table = tableOf(node) ?? nameOf(node.table?.schema);
    const columns =
      table === undefined
        ? // Do not search outer queries: a table of this query may also have such a column.
          [...scope.tables.values()].find((one) => one.has(name))
        : tableNamed(table, scope);
    return [columns?.get(name) ?? tableNamed(node.column ? undefined : name, scope)];
  }
  if (node.kind === "TupleNode") {
    return (node.values as readonly Node[]).map((item) => positionsOf(item, scope)[0]);
  }
  if (QUERIES.test(node.kind)) return countedOf(node, scopeOf(node, scope));
  const inside = insideOf(node, scope);
  return inside ? [inside] : merged(sameAs(node).map((item) => positionsOf(item, scope)));
}

/** The columns of a query's result by position, if no `*` hides the positions. */
export const countedOf = (query: Node, scope: Scope): Positions =>
  selectionsOf(query).some(isAll) ? [] : columnsOf(query, scope).map(([, output]) => output);

/** The columns of a query's result. In a union, a known column of one query applies to all. */
function columnsOf(query: Node, scope: Scope): readonly Named[] {
  const selections = selectionsOf(query);
  const others = selections.some(isAll)
    ? []
    : merged((query.setOperations ?? []).map(({ expression }) => positionsOf(expression as Node, scope)));
  return selections.flatMap((item, i): readonly Named[] => {
    const selection = item.selection as Node;
    if (!isAll(item)) {
      const name = selection.alias ? nameOf(selection.alias) : columnName(selection);
      return [[name, positionsOf(selection, scope)[0] ?? others[i]]];
    }
    const tables = selection.table ? [scope.tables.get(tableOf(selection) as string)] : scope.tables.values();
    return [...tables].flatMap((columns) => [...(columns ?? [])]);
  });
}

/** Columns by name. Of two columns with the same name, the row has the later one. */
function byName(columns: readonly Named[]): Outputs {
  const outputs = new Map<string, Output>();
  for (const [name, output] of columns) {
    if (name === undefined) continue;
    outputs.delete(name);
    if (output) outputs.set(name, output);
  }
  return outputs;
}

/** The columns of a query's result that contain IDs. `outer`: the scope around it. */
export const outputsOf = (query: Node, outer: Scope): Outputs =>
  byName(columnsOf(query, scopeOf(query, outer)));

/** The scope of a query, including those of the queries around it. */
export function scopeOf(query: Node, outer: Scope): Scope {
  const tables = new Map<string, Outputs>();
  const named = new Map(outer.named);
  const scope = { ...outer, tables, named, outer };
  for (const { name, expression } of query.with?.expressions ?? []) {
    const { columns } = name as Node;
    const positions = columns && positionsOf(expression as Node, scope);
    named.set(
      tableOf(name as Node) as string,
      positions
        ? byName((columns as readonly Node[]).map((column, i) => [columnName(column), positions[i]]))
        : outputsOf(expression as Node, scope),
    );
  }
  sourcesOf(query).forEach((source, i) => {
    const isTarget = i === 0 && query.kind !== "SelectQueryNode";
    const item = source.alias ? (source.node as Node) : source;
    const { table } = item;
    const own = nameOf(table?.identifier);
    const schema = nameOf(table?.schema);
    const columns =
      own === undefined
        ? outputsOf(item, scope)
        : ((schema !== undefined || isTarget ? undefined : named.get(own)) ??
          scope.find(schema, own) ??
          NONE);
    const name = source.alias ? nameOf(source.alias) : own;
    if (name !== undefined) tables.set(name, columns);
    if (isTarget) scope.target = columns;
  });
  // The row that could not be inserted.
  if (query.kind === "InsertQueryNode") tables.set("excluded", scope.target);
  return scope;
}
