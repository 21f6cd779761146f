/** The tree of a query of Kysely with its IDs checked and made. */
import { fail } from "../errors.js";
import {
  type Column,
  columnName,
  countedOf,
  type FindTable,
  isNode,
  merged,
  NONE,
  NONES,
  type Node,
  type Output,
  type Outputs,
  outputsOf,
  type Places,
  placesOf,
  QUERIES,
  type Scope,
  sameAs,
  scopeOf,
  selectionsOf,
} from "./kysely-scope.js";

/** Operators whose other side is an ID, too, or a list of them. */
const COMPARISONS = /^([<>!=]?=|<=?>|[<>]|@>|<@|&&|(not )?in|is.*|between.*)$/;

const isColumn = (output: Output | undefined): output is Column =>
  (output as Column | undefined)?.read !== undefined;

/** A node with its children changed. Values are the user's, not nodes. */
function withChildren(node: Node, change: (child: Node) => Node): Node {
  if (/^(Value|PrimitiveValueList)Node$/.test(node.kind)) return node;
  const changed: Record<string, unknown> & Node = { ...node };
  // Few calls for each level, because conditions can be nested deeply.
  for (const [key, value] of Object.entries(node)) {
    if (isNode(value)) changed[key] = change(value);
    else if (Array.isArray(value)) changed[key] = value.map((item) => (isNode(item) ? change(item) : item));
  }
  return changed;
}

/** An ID, or a list of IDs, as the driver takes it. */
const written = (column: Column, value: unknown): unknown =>
  value === null
    ? value
    : Array.isArray(value)
      ? value.map((item) => written(column, item))
      : column.write(value);

/** A value that a column of IDs shall hold from now on: no list where one ID is made. */
const updated = (column: Column, value: unknown): unknown =>
  column.make && value !== null ? column.write(value) : written(column, value);

/** A value of a new row: null, which the user has written, is none. */
const stored = (column: Column, value: unknown): unknown =>
  updated(column, value === undefined ? column.make?.() : value);

/** An expression with the values in it checked, where it is known what they have to be. */
function checked(node: Node, places: Places, scope: Scope, write = written): Node {
  const [column] = places;
  if (node.kind === "TupleNode") {
    return { ...node, values: (node.values as Node[]).map((item, i) => checked(item, [places[i]], scope)) };
  }
  if (isColumn(column)) {
    if (node.kind === "ValueNode") {
      const value = write(column, node.value);
      // A literal in the text of the query stays as it was.
      return node.immediate ? node : { ...node, value };
    }
    if (node.kind === "PrimitiveValueListNode") return { ...node, values: written(column, node.values) };
  }
  if (QUERIES.test(node.kind)) return visitQuery(node, scope, places);
  return places.some(Boolean) && sameAs(node).length > 0 ? below(node, places, scope) : visit(node, scope);
}

/** An expression with what is below it checked. */
function below(node: Node, places: Places, scope: Scope): Node {
  const { kind, value, when = [] } = node;
  let expression = node;
  if (kind === "CaseNode" && value) {
    const conditions = when.map(({ condition }) => condition as Node);
    const compared = merged([value as Node, ...conditions].map((item) => placesOf(item, scope)));
    expression = {
      ...node,
      value: checked(value as Node, compared, scope),
      when: when.map((item) => ({ ...item, condition: checked(item.condition as Node, compared, scope) })),
    };
  }
  const same = sameAs(expression);
  return withChildren(expression, (item) =>
    same.includes(item) ? checked(item, places, scope) : visit(item, scope),
  );
}

/** One row without values. */
const DEFAULT: Node = { kind: "ValuesNode", values: [{ kind: "PrimitiveValueListNode", values: [] }] };

/** An insert with an ID for each row that has none; another query as it is. */
function withIds(insert: Node, scope: Scope): Node {
  const made = [...scope.target].filter((entry): entry is [string, Column] => !!(entry[1] as Column).make);
  const isDefault = insert.defaultValues && made.length > 0;
  const columns = isDefault ? [] : insert.columns;
  if (columns === undefined) return insert;
  const values = isDefault ? DEFAULT : (insert.values as Node);
  const names = columns.map(columnName);
  const missing = made.filter(([name]) => !names.includes(name));
  const isValues = values.kind === "ValuesNode";
  // In `merge`, too, one text of values is for many rows.
  if (missing[0] && !(isValues && insert.into)) {
    const [name] = missing[0];
    fail("TYPE", name, undefined, `${name}: expected an ID for each row that the database selects`);
  }
  if (!isValues) return insert;
  const given = names.map((name) => scope.target.get(name as string));
  const rows = (values.values as readonly Node[]).map((row) => {
    const isPlain = row.kind === "PrimitiveValueListNode";
    const cell = (value: unknown): unknown => (isPlain ? value : { kind: "ValueNode", value });
    const cells = (row.values as unknown[]).map((item, i) => {
      const column = given[i];
      if (!isColumn(column)) return item;
      if (isPlain) return stored(column, item);
      // Kysely's word for `undefined`. Expressions are the database's.
      return (item as Node).kind === "DefaultInsertValueNode" && column.make
        ? cell(stored(column, undefined))
        : checked(item as Node, [column], scope, stored);
    });
    return { ...row, values: [...cells, ...missing.map(([, column]) => cell(stored(column, undefined)))] };
  });
  const more = missing.map(([name]) => ({ kind: "ColumnNode", column: { kind: "IdentifierNode", name } }));
  return {
    ...insert,
    defaultValues: false,
    columns: [...columns, ...more],
    values: { ...values, values: rows },
  };
}

/** A query with its IDs checked and made. `wanted`: what its result has to be. */
function visitQuery(node: Node, outer: Scope, wanted: Places): Node {
  const scope = scopeOf(node, outer);
  const query = withIds(node, scope);
  const counted = countedOf(node, scope);
  const places = counted.length > 0 ? merged([wanted, counted]) : counted;
  const targets = (query.columns ?? []).map((column) => scope.target.get(columnName(column) as string));
  return withChildren(query, (item) => {
    if (item.kind === "SetOperationNode") return withChildren(item, (other) => checked(other, places, scope));
    if (item.kind === "SelectionNode") {
      return checked(item, [places[selectionsOf(node).indexOf(item)]], scope);
    }
    // Of an insert of a select.
    return checked(item, item === query.values ? targets : [], scope);
  });
}

/** A node with IDs checked and made. */
function visit(node: Node, scope: Scope): Node {
  const { kind, leftOperand: left, rightOperand: right } = node;
  if (QUERIES.test(kind)) return visitQuery(node, scope, []);
  if (kind === "ColumnUpdateNode") {
    const column = node.column as Node;
    // Without a table, a column of the table that is written.
    const places = column.table ? placesOf(column, scope) : [scope.target.get(columnName(column) as string)];
    return { ...node, value: checked(node.value as Node, places, scope, updated) };
  }
  if (left && right && COMPARISONS.test((node.operator as Node).operator as string)) {
    const places = merged([placesOf(left, scope), placesOf(right, scope)]);
    return {
      ...node,
      leftOperand: checked(left, places, scope),
      rightOperand: checked(right, places, scope),
    };
  }
  return node.func || kind === "CaseNode"
    ? below(node, placesOf(node, scope), scope)
    : withChildren(node, (item) => visit(item, scope));
}

/** A query with IDs checked and made, and the columns of its result that hold IDs. */
export function checkQuery(
  query: Node,
  find: FindTable,
): { readonly query: Node; readonly outputs: Outputs } {
  const root: Scope = { tables: NONES, named: NONES, target: NONE, find };
  return { query: visit(query, root), outputs: query.explain ? NONE : outputsOf(query, root) };
}
