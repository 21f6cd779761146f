/** Checks and generates the IDs in the tree of a Kysely query. */
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
  type Positions,
  positionsOf,
  QUERIES,
  type Scope,
  sameAs,
  scopeOf,
  selectionsOf,
} from "./kysely-scope.js";

/** Operators whose other side is also an ID, or a list of IDs. */
const COMPARISONS = /^([<>!=]?=|<=?>|[<>]|@>|<@|&&|(not )?in|is.*|between.*)$/;

const isColumn = (output: Output | undefined): output is Column =>
  (output as Column | undefined)?.read !== undefined;

/** Returns a node with changed children. Values are the user's and are not nodes. */
function withChildren(node: Node, change: (child: Node) => Node): Node {
  if (/^(Value|PrimitiveValueList)Node$/.test(node.kind)) return node;
  const changed: Record<string, unknown> & Node = { ...node };
  // Use few calls per level, because conditions can be nested deeply.
  for (const [key, value] of Object.entries(node)) {
    if (isNode(value)) changed[key] = change(value);
    else if (Array.isArray(value)) changed[key] = value.map((item) => (isNode(item) ? change(item) : item));
  }
  return changed;
}

/** Converts an ID, or a list of IDs, for the driver. */
const written = (column: Column, value: unknown): unknown =>
  value === null
    ? value
    : Array.isArray(value)
      ? value.map((item) => written(column, item))
      : column.write(value);

/** Converts the new value of a column. A column with a generator takes no list. */
const updated = (column: Column, value: unknown): unknown =>
  column.make && value !== null ? column.write(value) : written(column, value);

/** Converts a value of a new row. Null counts as a missing ID. */
const stored = (column: Column, value: unknown): unknown =>
  updated(column, value === undefined ? column.make?.() : value);

/** Returns an expression with checked values, if the columns that they belong to are known. */
function checked(node: Node, positions: Positions, scope: Scope, write = written): Node {
  const [column] = positions;
  if (node.kind === "TupleNode") {
    return {
      ...node,
      values: (node.values as Node[]).map((item, i) => checked(item, [positions[i]], scope)),
    };
  }
  if (isColumn(column)) {
    if (node.kind === "ValueNode") {
      const value = write(column, node.value);
      // Keep a literal in the text of the query unchanged.
      return node.immediate ? node : { ...node, value };
    }
    if (node.kind === "PrimitiveValueListNode") return { ...node, values: written(column, node.values) };
  }
  if (QUERIES.test(node.kind)) return visitQuery(node, scope, positions);
  return positions.some(Boolean) && sameAs(node).length > 0
    ? below(node, positions, scope)
    : visit(node, scope);
}

/** Returns an expression with checked children. */
function below(node: Node, positions: Positions, scope: Scope): Node {
  const { kind, value, when = [] } = node;
  let expression = node;
  if (kind === "CaseNode" && value) {
    const conditions = when.map(({ condition }) => condition as Node);
    const compared = merged([value as Node, ...conditions].map((item) => positionsOf(item, scope)));
    expression = {
      ...node,
      value: checked(value as Node, compared, scope),
      when: when.map((item) => ({ ...item, condition: checked(item.condition as Node, compared, scope) })),
    };
  }
  const same = sameAs(expression);
  return withChildren(expression, (item) =>
    same.includes(item) ? checked(item, positions, scope) : visit(item, scope),
  );
}

/** One row without values. */
const DEFAULT: Node = { kind: "ValuesNode", values: [{ kind: "PrimitiveValueListNode", values: [] }] };

/** Returns an insert with an ID for each row without one, or any other query unchanged. */
function withIds(insert: Node, scope: Scope): Node {
  const made = [...scope.target].filter((entry): entry is [string, Column] => !!(entry[1] as Column).make);
  const isDefault = insert.defaultValues && made.length > 0;
  const columns = isDefault ? [] : insert.columns;
  if (columns === undefined) return insert;
  const values = isDefault ? DEFAULT : (insert.values as Node);
  const names = columns.map(columnName);
  const missing = made.filter(([name]) => !names.includes(name));
  const isValues = values.kind === "ValuesNode";
  // In `merge`, one list of values is also for many rows.
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
      // Kysely's node for `undefined`. The database evaluates expressions.
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

/**
 * Returns a query with checked and generated IDs. `wanted`: the columns that its result must have.
 */
function visitQuery(node: Node, outer: Scope, wanted: Positions): Node {
  const scope = scopeOf(node, outer);
  const query = withIds(node, scope);
  const counted = countedOf(node, scope);
  const positions = counted.length > 0 ? merged([wanted, counted]) : counted;
  const targets = (query.columns ?? []).map((column) => scope.target.get(columnName(column) as string));
  return withChildren(query, (item) => {
    if (item.kind === "SetOperationNode")
      return withChildren(item, (other) => checked(other, positions, scope));
    if (item.kind === "SelectionNode") {
      return checked(item, [positions[selectionsOf(node).indexOf(item)]], scope);
    }
    // The items of an insert from a select.
    return checked(item, item === query.values ? targets : [], scope);
  });
}

/** Returns a node with checked and generated IDs. */
function visit(node: Node, scope: Scope): Node {
  const { kind, leftOperand: left, rightOperand: right } = node;
  if (QUERIES.test(kind)) return visitQuery(node, scope, []);
  if (kind === "ColumnUpdateNode") {
    const column = node.column as Node;
    // Without a table, it is a column of the written table.
    const positions = column.table
      ? positionsOf(column, scope)
      : [scope.target.get(columnName(column) as string)];
    return { ...node, value: checked(node.value as Node, positions, scope, updated) };
  }
  if (left && right && COMPARISONS.test((node.operator as Node).operator as string)) {
    const positions = merged([positionsOf(left, scope), positionsOf(right, scope)]);
    return {
      ...node,
      leftOperand: checked(left, positions, scope),
      rightOperand: checked(right, positions, scope),
    };
  }
  return node.func || kind === "CaseNode"
    ? below(node, positionsOf(node, scope), scope)
    : withChildren(node, (item) => visit(item, scope));
}

/**
 * Returns a query with checked and generated IDs, and the columns of its result that contain IDs.
 */
export function checkQuery(
  query: Node,
  find: FindTable,
): { readonly query: Node; readonly outputs: Outputs } {
  const root: Scope = { tables: NONES, named: NONES, target: NONE, find };
  return { query: visit(query, root), outputs: query.explain ? NONE : outputsOf(query, root) };
}
