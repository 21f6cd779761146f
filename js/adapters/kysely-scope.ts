/**
 * What the names and expressions of a query of Kysely mean: which of them give IDs. Nodes are plain frozen objects, so nothing is
 * imported, and one file serves every version of Kysely.
 */

/** A node, as far as these files read it. What differs by kind is unknown. */
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
  /** An ID from what a driver gives. */
  read(this: void, value: unknown): unknown;
  /** What a driver takes for an ID. */
  write(this: void, id: unknown): unknown;
  /** The ID of a row that has none. */
  readonly make: ((this: void) => unknown) | undefined;
}

/** What a column of a result holds: an ID, or rows inside of a row. */
export type Output = Column | Outputs;
/** The columns of a result, or of a table, that hold IDs, by name. */
export type Outputs = ReadonlyMap<string, Output>;
/** The columns of a result by their places: undefined where there is no ID. */
export type Places = readonly (Output | undefined)[];
/** A column of a result, and its name. */
type Named = readonly [string | undefined, Output | undefined];

/** The columns of a table by its name, which may have a schema. */
export type FindTable = (schema: string | undefined, table: string) => Outputs | undefined;

/** What the names in a query mean. */
export interface Scope {
  /** What the query reads from, by name or alias, in order. */
  readonly tables: ReadonlyMap<string, Outputs>;
  /** Queries of `with`, also those of outer queries. */
  readonly named: ReadonlyMap<string, Outputs>;
  /** The table that is written. */
  readonly target: Outputs;
  readonly outer?: Scope;
  readonly find: FindTable;
}

export const NONE: Outputs = new Map();
export const NONES: ReadonlyMap<string, Outputs> = new Map();
export const QUERIES = /QueryNode$/;

/** Functions that give one of their arguments, or a list of it. The second argument of the last ones is a number of rows. */
const KEEPING =
  /^(min|max|any(_value)?|all|coalesce|ifnull|nullif|greatest|least|(first|last)_value|array_agg|(to_)?jsonb?(_agg)?|(lag|lead|nth_value))$/i;
/** Where nodes have what gives what they give. `left` and `right` are the ends of `between`. */
const SAME = /^(node|selection|left|right|when|result|else|values|arguments|aggregated|parameters)$/;

export const isNode = (value: unknown): value is Node => typeof Object(value).kind === "string";
/** What an identifier says; an alias may also be `sql`, which says nothing. */
export const nameOf = (identifier: unknown) => (identifier as Node | undefined)?.name as string | undefined;
/** The name of a column, or of a reference to one. */
export const columnName = ({ column }: Node) => nameOf(column) ?? nameOf(column?.column);
/** The name of a table, in a reference to it. */
const tableOf = (node: Node) => nameOf(node.table?.table?.identifier);

/** The columns of a query's result, as they are written. */
export const selectionsOf = (query: Node) => query.selections ?? query.returning?.selections ?? [];

/** Whether a selection is `*`, of all tables or of one. */
const isAll = ({ selection }: Node) => (selection?.column ?? selection)?.kind === "SelectAllNode";

/** At each place the first that is known. */
export const merged = (lists: readonly Places[]): Places =>
  lists.reduce(
    (known, list) => list.map((output, i) => known[i] ?? output).concat(known.slice(list.length)),
    [],
  );

/** The nodes below an expression that give what it gives. `sql.ref` and `sql.val` have no text of their own. */
export function sameAs(node: Node): readonly Node[] {
  const [func, ...groups] = KEEPING.exec(node.func ?? "min") ?? [];
  if (!func || node.sqlFragments?.join("") || /^(Primitive.*|Values)Node$/.test(node.kind)) return [];
  return Object.entries(node)
    .flatMap(([key, value]) => (SAME.test(key) ? value : []))
    .filter((value, i) => isNode(value) && !(i === 1 && groups.at(-1)));
}

/** What a query reads from, that which it writes first. */
const sourcesOf = ({ into, table, from, joins = [], using }: Node): Node[] =>
  [
    into,
    table,
    ...(from?.froms ?? []),
    ...joins.map((join) => join.table),
    ...(using?.tables ?? [using?.table]),
  ].flatMap((source) => source?.items ?? source ?? []);

/** The columns that helpers like `jsonArrayFrom` make rows inside of a row of; and those of `jsonBuildObject`. */
function insideOf({ sqlFragments = [], parameters = [] }: Node, scope: Scope): Outputs | undefined {
  if (/ as (agg|obj)\)$/.test(sqlFragments.at(-1) as string)) {
    const query = parameters.find(({ kind }) => kind === "SelectQueryNode");
    return query && outputsOf(query, scope);
  }
  if (!/^json_(build_)?object\($/.test(sqlFragments[0] as string)) return undefined;
  // Names and values in turn, with commas between them.
  const parts = (parameters[0]?.parameters ?? []).filter((_, i) => i % 2 === 0);
  return byName(
    parts.flatMap((part, i) =>
      i % 2 === 0 ? [[part.parameters?.[0]?.value as string, placesOf(parts[i + 1] as Node, scope)[0]]] : [],
    ),
  );
}

/** The columns of what has this name here, or in a query around this one. */
const tableNamed = (name: string | undefined, scope: Scope | undefined): Outputs | undefined =>
  scope && (scope.tables.get(name as string) ?? tableNamed(name, scope.outer));

/** What an expression gives: one place, or those of a tuple or a query. */
export function placesOf(node: Node, scope: Scope): Places {
  // `toJson` and `jsonAgg` take the name of a column for one of a table, and that of its table for a schema.
  const name = columnName(node) ?? nameOf(node.table?.identifier);
  if (name !== undefined) {
    const table = tableOf(node) ?? nameOf(node.table?.schema);
    const columns =
      table === undefined
        ? // Not in outer queries: a table of this one may have such a column, too.
          [...scope.tables.values()].find((one) => one.has(name))
        : tableNamed(table, scope);
    return [columns?.get(name) ?? tableNamed(node.column ? undefined : name, scope)];
  }
  if (node.kind === "TupleNode") {
    return (node.values as readonly Node[]).map((item) => placesOf(item, scope)[0]);
  }
  if (QUERIES.test(node.kind)) return countedOf(node, scopeOf(node, scope));
  const inside = insideOf(node, scope);
  return inside ? [inside] : merged(sameAs(node).map((item) => placesOf(item, scope)));
}

/** The columns of a query's result by their places, if no `*` hides these. */
export const countedOf = (query: Node, scope: Scope): Places =>
  selectionsOf(query).some(isAll) ? [] : columnsOf(query, scope).map(([, output]) => output);

/** The columns of a query's result. What one query of a union says of a place is so for all. */
function columnsOf(query: Node, scope: Scope): readonly Named[] {
  const selections = selectionsOf(query);
  const others = selections.some(isAll)
    ? []
    : merged((query.setOperations ?? []).map(({ expression }) => placesOf(expression as Node, scope)));
  return selections.flatMap((item, i): readonly Named[] => {
    const selection = item.selection as Node;
    if (!isAll(item)) {
      const name = selection.alias ? nameOf(selection.alias) : columnName(selection);
      return [[name, placesOf(selection, scope)[0] ?? others[i]]];
    }
    const tables = selection.table ? [scope.tables.get(tableOf(selection) as string)] : scope.tables.values();
    return [...tables].flatMap((columns) => [...(columns ?? [])]);
  });
}

/** Columns by their names. The later of two of one name is in the row. */
function byName(columns: readonly Named[]): Outputs {
  const outputs = new Map<string, Output>();
  for (const [name, output] of columns) {
    if (name === undefined) continue;
    outputs.delete(name);
    if (output) outputs.set(name, output);
  }
  return outputs;
}

/** The columns of a query's result that hold IDs. `outer`: what its names may mean. */
export const outputsOf = (query: Node, outer: Scope): Outputs =>
  byName(columnsOf(query, scopeOf(query, outer)));

/** What the names in a query mean, and in it those of the queries around it. */
export function scopeOf(query: Node, outer: Scope): Scope {
  const tables = new Map<string, Outputs>();
  const named = new Map(outer.named);
  const scope = { ...outer, tables, named, outer };
  for (const { name, expression } of query.with?.expressions ?? []) {
    const { columns } = name as Node;
    const places = columns && placesOf(expression as Node, scope);
    named.set(
      tableOf(name as Node) as string,
      places
        ? byName((columns as readonly Node[]).map((column, i) => [columnName(column), places[i]]))
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
