/**
 * What a query of Kysely reads and writes: its tree with IDs checked and made, and which of its outputs are IDs. Nodes are plain frozen
 * objects, so nothing is imported, and one file serves every version of Kysely.
 */
import { refused } from "../refusals.js";

/** A node, as far as this file reads it. What differs by kind is unknown. */
export interface Node {
  readonly kind: string;
  readonly alias?: Node;
  readonly column?: Node;
  readonly columns?: readonly Node[];
  readonly identifier?: Node;
  readonly name?: unknown;
  readonly node?: Node;
  readonly operator?: unknown;
  readonly schema?: Node;
  readonly selection?: Node;
  readonly selections?: readonly Node[];
  readonly table?: Node;
  readonly value?: unknown;
  readonly values?: unknown;
}

/** A column of IDs. */
export interface Column {
  /** An ID from what a driver gives. */
  read(this: void, value: unknown): unknown;
  /** What a driver takes for an ID. */
  write(this: void, id: unknown): unknown;
  /** The ID of a row that has none. */
  make?(this: void): unknown;
}

/** What a column of a result holds: an ID, or rows inside of a row. */
export type Output = Column | Outputs;
/** The columns of a result, or of a table, that hold IDs, by name. */
export type Outputs = ReadonlyMap<string, Output>;

/** The columns of a table by its name, which may have a schema. */
export type FindTable = (schema: string | undefined, table: string) => Outputs | undefined;

/** What the names in a query mean. */
interface Scope {
  /** What the query reads from, by name or alias, in order. */
  readonly tables: Map<string, Outputs>;
  /** Queries of `with`, also those of outer queries. */
  readonly named: Map<string, Outputs>;
  /** The table that is written. */
  readonly target: Outputs;
  readonly outer: Scope | undefined;
  readonly find: FindTable;
}

const NONE: Outputs = new Map();
const QUERIES = /^(Select|Insert|Update|Delete|Merge)QueryNode$/;
/** Operators whose other side is an ID, too. */
const COMPARISONS = /^(=|==|!=|<>|<|<=|>|>=|<=>|(not )?in|is( not)?( distinct from)?|between( symmetric)?)$/;

/** Functions that give their argument's IDs, or lists of them. */
const KEEPING = /^(min|max|array_agg|jsonb?_agg|to_jsonb?)$/;

const child = (node: Node | undefined, name: string) =>
  (node as unknown as Record<string, Node | undefined> | undefined)?.[name];
const children = (node: Node | undefined, name: string) =>
  (child(node, name) as unknown as readonly Node[] | undefined) ?? [];

const isNode = (value: unknown): value is Node => typeof Object(value).kind === "string";
const nameOf = (identifier: Node | undefined) =>
  identifier?.kind === "IdentifierNode" ? (identifier.name as string) : undefined;
const isColumn = (output: Output | undefined): output is Column =>
  output !== undefined && !(output instanceof Map);

/** A node with its children changed; the same node if none is. Values are the user's, not nodes. */
function withChildren(node: Node, change: (child: Node) => Node): Node {
  if (node.kind === "ValueNode" || node.kind === "PrimitiveValueListNode") return node;
  let changed = node;
  // Few calls for each level, because conditions can be nested deeply.
  for (const [key, value] of Object.entries(node)) {
    let now: unknown = value;
    if (isNode(value)) {
      now = change(value);
    } else if (Array.isArray(value)) {
      const items = value.map((item) => (isNode(item) ? change(item) : item));
      if (items.some((item, i) => item !== value[i])) now = items;
    }
    if (now !== value) changed = { ...changed, [key]: now };
  }
  return changed;
}

/** The name of a selection in the result. */
const outputName = (selection: Node) =>
  selection.kind === "AliasNode"
    ? nameOf(selection.alias)
    : nameOf((selection.kind === "ReferenceNode" ? selection.column : selection)?.column);

/** What a query reads from, that which it writes first. */
function sourcesOf(query: Node): Node[] {
  const using = child(query, "using");
  return [
    child(query, "into"),
    query.table,
    ...children(child(query, "from"), "froms"),
    ...children(query, "joins").map(({ table }) => table),
    ...(using?.kind === "JoinNode" ? [using.table] : children(using, "tables")),
  ].flatMap((source) => (source?.kind === "ListNode" ? children(source, "items") : (source ?? [])));
}

/** The columns that helpers like `jsonArrayFrom` make rows inside of a row of; and those of `jsonBuildObject`. */
function insideOf(raw: Node, scope: Scope): Outputs | undefined {
  const text = children(raw, "sqlFragments") as unknown as readonly string[];
  const parameters = children(raw, "parameters");
  if (/ as (agg|obj)\)$/.test(text.at(-1) as string)) {
    const query = parameters.find(({ kind }) => kind === "SelectQueryNode");
    return query && outputsOf(query, scope);
  }
  if (!/^json_(build_)?object\($/.test(text[0] as string)) return undefined;
  const outputs = new Map<string, Output>();
  // Names and values in turn, with commas between them.
  const parts = children(parameters[0], "parameters").filter((_, i) => i % 2 === 0);
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const name = children(parts[i], "parameters")[0]?.value;
    const output = outputAt(parts[i + 1] as Node, scope);
    if (typeof name === "string" && output) outputs.set(name, output);
  }
  return outputs;
}

/** The columns of what has this name here, or in a query around this one. */
function tableNamed(name: string, scope: Scope | undefined): Outputs | undefined {
  return scope && (scope.tables.get(name) ?? tableNamed(name, scope.outer));
}

/** What an expression gives, if that holds IDs. */
function outputAt(node: Node, scope: Scope): Output | undefined {
  switch (node.kind) {
    case "AliasNode":
    case "ParensNode":
      return node.node && outputAt(node.node, scope);
    case "ReferenceNode": {
      const table = nameOf(node.table?.table?.identifier);
      if (table === undefined) return node.column && outputAt(node.column, scope);
      return tableNamed(table, scope)?.get(nameOf(node.column?.column) as string);
    }
    case "ColumnNode": {
      // Not in outer queries: a table of this one may have such a column, too.
      const name = nameOf(node.column) as string;
      return [...scope.tables.values()].find((columns) => columns.has(name))?.get(name);
    }
    // Of `to_json` and `json_agg`.
    case "TableNode":
      return tableNamed(nameOf(node.table?.identifier) as string, scope);
    case "FunctionNode":
    case "AggregateFunctionNode": {
      const [first] = [...children(node, "arguments"), ...children(node, "aggregated")];
      return first && KEEPING.test(child(node, "func") as unknown as string)
        ? outputAt(first, scope)
        : undefined;
    }
    case "SelectQueryNode": {
      const [first, second] = node.selections ?? [];
      const name = first?.selection && !second ? outputName(first.selection) : undefined;
      return name === undefined ? undefined : outputsOf(node, scope).get(name);
    }
    case "RawNode":
      return insideOf(node, scope);
    default:
      return undefined;
  }
}

/** The columns of a query's result that hold IDs. `find`, `outer`: what its names may mean. */
function outputsOf(query: Node, outer: Scope): Outputs {
  const scope = scopeOf(query, outer);
  const outputs = new Map<string, Output>();
  const add = (columns: Outputs | undefined) => {
    for (const [name, output] of columns ?? NONE) outputs.set(name, output);
  };
  for (const { selection } of query.selections ?? children(child(query, "returning"), "selections")) {
    if (selection?.kind === "SelectAllNode") {
      scope.tables.forEach(add);
    } else if (selection?.column?.kind === "SelectAllNode") {
      add(scope.tables.get(nameOf(selection.table?.table?.identifier) as string));
    } else if (selection) {
      const name = outputName(selection);
      const output = outputAt(selection, scope);
      if (name === undefined) continue;
      // The later of two columns of one name is in the row.
      outputs.delete(name);
      if (output) outputs.set(name, output);
    }
  }
  return outputs;
}

/** The columns of a query of `with`, which may have names of its own. */
function namedOutputs(
  { name, expression }: { readonly name: Node; readonly expression: Node },
  outer: Scope,
): Outputs {
  const outputs = QUERIES.test(expression.kind) ? outputsOf(expression, outer) : NONE;
  if (name.columns === undefined) return outputs;
  const selections = expression.selections ?? children(child(expression, "returning"), "selections");
  const names = selections.map(({ selection }) => selection && outputName(selection));
  // A place counts only if the columns before it can be counted.
  const isCountable = names.every((one) => one !== undefined);
  const renamed = new Map<string, Output>();
  name.columns.forEach(({ column }, i) => {
    const output = isCountable && outputs.get(names[i] as string);
    if (output) renamed.set(nameOf(column) as string, output);
  });
  return renamed;
}

/** What the names in a query mean, and in it those of the queries around it. */
function scopeOf(query: Node, outer: Scope): Scope {
  const { find } = outer;
  const tables = new Map<string, Outputs>();
  const named = new Map(outer.named);
  const scope = { tables, named, outer, find, target: outer.target };
  for (const expression of children(child(query, "with"), "expressions")) {
    const { name } = expression as { readonly name: Node };
    named.set(
      nameOf(name.table?.table?.identifier) as string,
      namedOutputs(expression as unknown as Parameters<typeof namedOutputs>[0], scope),
    );
  }
  sourcesOf(query).forEach((source, i) => {
    const isTarget = i === 0 && query.kind !== "SelectQueryNode";
    const item = source.kind === "AliasNode" ? source.node : source;
    const table = item?.kind === "TableNode" ? item.table : undefined;
    const own = nameOf(table?.identifier);
    const columns =
      own === undefined
        ? item?.kind === "SelectQueryNode" && outputsOf(item, scope)
        : ((table?.schema || isTarget ? undefined : named.get(own)) ?? find(nameOf(table?.schema), own));
    const name = source.kind === "AliasNode" ? nameOf(source.alias) : own;
    if (name !== undefined) tables.set(name, columns || NONE);
    if (isTarget) scope.target = columns || NONE;
  });
  // The row that could not be inserted.
  if (query.kind === "InsertQueryNode") tables.set("excluded", scope.target);
  return scope;
}

/** A value for a column of IDs, as the driver takes it. */
function written(column: Column, value: unknown): unknown {
  if (column.make && (value === undefined || value === null)) {
    return value === undefined
      ? column.write(column.make())
      : refused("TYPE", "id", value, "id: expected an ID, or no value, for which one is made; got null");
  }
  return value === null ? null : column.write(value);
}

/** An operand with the values in it checked; anything else as it is. */
function checked(node: Node, column: Column, visitOther: (node: Node) => Node): Node {
  switch (node.kind) {
    case "ValueNode": {
      const value = node.value === null ? null : column.write(node.value);
      // A literal in the text of the query stays as it was.
      return child(node, "immediate") ? node : { ...node, value };
    }
    case "PrimitiveValueListNode":
      return {
        ...node,
        values: (node.values as unknown[]).map((value) => (value === null ? null : column.write(value))),
      };
    case "ValueListNode":
    case "AndNode":
    case "ParensNode":
      return withChildren(node, (inner) => checked(inner, column, visitOther));
    default:
      return visitOther(node);
  }
}

/** An insert with an ID for each row that has none. */
function withIds(insert: Node, columns: Outputs): Node {
  const made = [...columns].filter(
    (entry): entry is [string, Column] => isColumn(entry[1]) && !!entry[1].make,
  );
  if (child(insert, "defaultValues") && made.length > 0) {
    const rows = { kind: "ValuesNode", values: [{ kind: "PrimitiveValueListNode", values: [] }] };
    return withIds({ ...insert, defaultValues: undefined, columns: [], values: rows } as Node, columns);
  }
  if (insert.columns === undefined) return insert;
  const given = insert.columns.map(({ column }) => columns.get(nameOf(column) as string));
  const names = insert.columns.map(({ column }) => nameOf(column));
  const missing = made.filter(([name]) => !names.includes(name));
  const values = insert.values as Node | undefined;
  // In `merge`, too, one text of values is for many rows.
  if (missing.length > 0 && (values?.kind !== "ValuesNode" || child(insert, "into") === undefined)) {
    const name = missing[0]?.[0] as string;
    refused(
      "TYPE",
      name,
      undefined,
      `${name}: no ID can be made for each row that the database selects; give one`,
    );
  }
  if (values?.kind !== "ValuesNode" || !(missing.length > 0 || given.some(isColumn))) return insert;
  const rows = (values.values as readonly Node[]).map((row) => {
    const isPlain = row.kind === "PrimitiveValueListNode";
    const cells = (row.values as unknown[]).map((cell, i) => {
      const column = given[i];
      if (!isColumn(column)) return cell;
      if (isPlain) return written(column, cell);
      const { kind, value } = cell as Node;
      // Kysely's word for `undefined`. Expressions are the database's.
      if (kind === "DefaultInsertValueNode") {
        return column.make ? { kind: "ValueNode", value: written(column, undefined) } : cell;
      }
      return kind === "ValueNode" ? { ...(cell as Node), value: written(column, value) } : cell;
    });
    const rest = missing.map(([, column]) => written(column, undefined));
    return {
      ...row,
      values: [...cells, ...(isPlain ? rest : rest.map((value) => ({ kind: "ValueNode", value })))],
    };
  });
  const columnNodes = missing.map(([name]) => ({
    kind: "ColumnNode",
    column: { kind: "IdentifierNode", name },
  }));
  return { ...insert, columns: [...insert.columns, ...columnNodes], values: { ...values, values: rows } };
}

/** A node with IDs checked and made. */
function visit(node: Node, scope: Scope): Node {
  if (QUERIES.test(node.kind)) {
    const inner = scopeOf(node, scope);
    const query = node.kind === "InsertQueryNode" ? withIds(node, inner.target) : node;
    return withChildren(query, (item) => visit(item, inner));
  }
  const go = (item: Node) => visit(item, scope);
  if (node.kind === "ColumnUpdateNode") {
    const { column } = node;
    const name = nameOf((column?.kind === "ReferenceNode" && !column.table ? column.column : column)?.column);
    const output =
      column?.kind === "ReferenceNode" && column.table
        ? outputAt(column, scope)
        : scope.target.get(name as string);
    const value = node.value as Node;
    return isColumn(output) && value.kind === "ValueNode"
      ? { ...node, value: { ...value, value: written(output, value.value) } }
      : withChildren(node, go);
  }
  if (node.kind === "BinaryOperationNode" && COMPARISONS.test(child(node, "operator")?.operator as string)) {
    const left = child(node, "leftOperand") as Node;
    const right = child(node, "rightOperand") as Node;
    const column = [left, right].map((side) => outputAt(side, scope)).find(isColumn);
    const side = column ? (item: Node) => checked(item, column, go) : go;
    return { ...node, leftOperand: side(left), rightOperand: side(right) } as Node;
  }
  return withChildren(node, go);
}

/** A query with IDs checked and made, and the columns of its result that hold IDs. */
export function checkQuery(
  query: Node,
  find: FindTable,
): { readonly query: Node; readonly outputs: Outputs } {
  const root: Scope = { tables: new Map(), named: new Map(), target: NONE, outer: undefined, find };
  const isRead = QUERIES.test(query.kind) && child(query, "explain") === undefined;
  return { query: visit(query, root), outputs: isRead ? outputsOf(query, root) : NONE };
}
