/**
 * Handles the arguments and the results of Prisma's queries, at any depth: rows without an ID get
 * one, every ID is checked, and results have IDs in the type of their format. Unknown arguments are
 * left to Prisma, which rejects them. Arguments and results are copied, never changed.
 */
import { typeError } from "../errors.js";

/** A field of IDs. */
export interface IdField {
  /** The model and the field. */
  readonly name: string;
  /** Converts an ID for Prisma. Throws for any other value. */
  check(value: unknown): unknown;
  /** Converts an ID in a row. Absent if rows have the IDs as Prisma returns them. */
  read?(value: unknown): unknown;
  /** Generates the ID of a row without one. Absent if such a row stays unchanged. */
  readonly next?: ((this: void) => unknown) | undefined;
  /** True for integers without a format, with which Prisma may calculate. */
  readonly isLoose?: boolean;
}

/** A model of the schema. */
export interface Model {
  /** Its fields of IDs. */
  readonly ids: ReadonlyMap<string, IdField>;
  /** Whether it has a field with this name. */
  hasField(this: void, key: string): boolean;
  /** The other model of a relation; `undefined` for other fields. */
  relation(this: void, key: string): Model | undefined;
}

/** An object of arguments. */
export type Arguments = Readonly<Record<string, unknown>>;

/**
 * Changes an object, or each object of an array. Other values stay, such as `true` in `disconnect:
 * true`.
 */
function each(value: unknown, change: (object: Arguments) => unknown): unknown {
  if (Array.isArray(value)) {
    return value.map((one) => each(one, change));
  }
  return isPlain(value) ? change(value) : value;
}

/** A copy of an object with changed values. */
const mapped = (object: Arguments, change: (key: string, value: unknown) => unknown): Arguments =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(key, value)]));

/**
 * Whether a value is a plain object. Prisma passes copies to extensions, so instances of the user's
 * classes are also plain.
 */
function isPlain(value: unknown): value is Arguments {
  if (typeof value !== "object" || value === null) {
    return false;
  }
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Whether a value is `undefined` or `Prisma.skip`. Prisma treats both like a missing key. */
const isAbsent = (value: unknown) => value === undefined || typeof Object(value).ifUndefined === "function";

/** Whether a value is a reference to another column, such as `prisma.post.fields.id`. */
const isReference = (value: unknown) => typeof Object(value).modelName === "string" && !isPlain(value);

/** Operators of filters that compare with an ID, and aggregates of `having` that are IDs. */
const COMPARISONS = new Set("equals not in notIn lt lte gt gte has hasEvery hasSome _min _max".split(" "));

/** The filter of a field of IDs. */
function filter(field: IdField, value: unknown): unknown {
  if (value === null || isAbsent(value) || isReference(value)) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((one) => filter(field, one));
  }
  return isPlain(value)
    ? mapped(value, (operator, one) => (COMPARISONS.has(operator) ? filter(field, one) : one))
    : field.check(value);
}

/** The conditions of a `where`, `cursor` or `having`. */
const where = (model: Model, value: unknown): unknown =>
  each(value, (conditions) =>
    mapped(conditions, (key, one) => {
      const field = model.ids.get(key);
      if (field !== undefined) {
        return filter(field, one);
      }
      // Any other key is an operator (AND, some, is) or a compound key, and contains fields of the
      // same model.
      const inner = model.relation(key) ?? (model.hasField(key) ? undefined : model);
      return inner === undefined ? one : where(inner, one);
    }),
  );

/** The value of a field of IDs in data. */
function written(field: IdField, value: unknown): unknown {
  if (value === null || isAbsent(value)) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((one) => written(field, one));
  }
  if (!isPlain(value)) {
    return field.check(value);
  }
  return mapped(value, (operator, one) =>
    operator === "set" || operator === "push" || field.isLoose
      ? written(field, one)
      : typeError(field.name, value, `an ID or { set }, not { ${operator} }`),
  );
}

/** An object of data, including writes into relations. */
const data = (model: Model, row: Arguments): Arguments =>
  mapped(row, (key, value) => {
    const field = model.ids.get(key);
    if (field !== undefined) {
      return written(field, value);
    }
    const inner = model.relation(key);
    return inner === undefined ? value : each(value, (writes) => nested(inner, writes));
  });

/** One or several rows of data, with the missing IDs. */
const created = (model: Model, value: unknown): unknown =>
  each(value, (row) => {
    const ids: Record<string, unknown> = {};
    // Generate its ID before those of nested rows, which must be later.
    for (const [key, { next }] of model.ids) if (next && isAbsent(row[key])) ids[key] = next();
    return data(model, { ...row, ...ids });
  });

/** The data of an update. */
const updated = (model: Model, value: unknown): unknown => each(value, (row) => data(model, row));

/** The nested writes of a relation's field, by name. */
const nested = (model: Model, writes: Arguments): Arguments =>
  mapped(writes, (write, value) => {
    if (write === "create") return created(model, value);
    // createMany, connectOrCreate, update, updateMany, upsert; not connect, disconnect, set,
    // delete, deleteMany
    if (!/^(cr|up|.*Or)/.test(write)) return where(model, value);
    const change = write === "createMany" ? created : updated;
    return each(value, (args) =>
      write === "update" && !isWrapped(model, args)
        ? updated(model, args)
        : queryArguments(model, args, change),
    );
  });

/**
 * Whether the data of a nested `update` is `{ where, data }`. For a relation to one row, it may be
 * the data itself. As in Prisma, it is the data itself if a field is called `data` and its value
 * does not contain fields.
 */
const isWrapped = (model: Model, args: Arguments) =>
  isPlain(args.data) &&
  Object.keys(args).every((key) => key === "data" || key === "where") &&
  Object.keys(args.data).every(model.hasField);

/** The selected relations. */
const selected = (model: Model, value: unknown): unknown =>
  each(value, (selection) =>
    mapped(selection, (key, one) => {
      const inner = key === "_count" ? model : model.relation(key);
      return inner === undefined ? one : each(one, (args) => queryArguments(inner, args));
    }),
  );

/** The arguments of a query or a nested write. `change`: changes `data`. */
const queryArguments = (
  model: Model,
  args: Arguments,
  change?: (model: Model, value: unknown) => unknown,
): Arguments =>
  mapped(args, (key, value) => {
    if (key === "data") return change === undefined ? value : change(model, value);
    if (key === "create") return created(model, value);
    if (key === "update") return updated(model, value);
    if (/^(where|cursor|having)$/.test(key)) return where(model, value);
    return /^(select|include)$/.test(key) ? selected(model, value) : value;
  });

/** The arguments of one of Prisma's operations. */
export function operationArguments(model: Model, operation: string, args: Arguments): Arguments {
  return queryArguments(model, args, operation.startsWith("create") ? created : updated);
}

/** The IDs of a field in a row. */
const readIds = (field: IdField, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((one) => readIds(field, one));
  return value === null ? value : field.read?.(value);
};

/**
 * The rows of a result, also of `aggregate` and `groupBy`, whose `_min` and `_max` contain IDs.
 */
export const rows = (model: Model, value: unknown): unknown =>
  each(value, (row) =>
    mapped(row, (key, one) => {
      const field = model.ids.get(key);
      if (field !== undefined) return field.read ? readIds(field, one) : one;
      const inner = /^_m/.test(key) ? model : model.relation(key);
      return inner === undefined ? one : rows(inner, one);
    }),
  );
