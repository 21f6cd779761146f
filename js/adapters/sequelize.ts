/**
 * Attributes for Sequelize, whose values are IDs of a format.
 *
 * @module graupel/sequelize
 */
import Sequelize from "sequelize";
import type { AnyFormat, IdOf } from "../any-format.js";
import { typeError } from "../errors.js";
import { columnOf, givenSource, type IdSource, isDecimal } from "./column.js";

export type { IdSource };

/** The type of a column of IDs. In statements it accepts only an ID or its canonical text. */
export interface IdDataType {
  /** The type's name in Sequelize. */
  readonly key: string;
  /** Empty, because it is the same in every database. */
  readonly dialectTypes: string;
  /** The result of `stringify` is SQL and needs no escape. */
  readonly escape: false;
  /** The type of the column in SQL. */
  toSql(): string;
  /** The type of the column in SQL. */
  toString(): string;
  /** Converts an ID for the text of a statement. */
  stringify(id: unknown): string;
  /** Converts an ID for a parameter of a statement. */
  bindParam(
    id: unknown,
    options: { readonly bindParam: (value: bigint | number | string) => string },
  ): string;
}

/** The part of a row that an attribute uses. */
export interface IdRow {
  /** Returns the value from, or for, the driver. */
  // biome-ignore lint/suspicious/noExplicitAny: each model declares its own names and types
  getDataValue(name: any): unknown;
  /** Sets the value for the driver. */
  // biome-ignore lint/suspicious/noExplicitAny: each model declares its own names and types
  setDataValue(name: any, value: any): void;
}

/** An attribute, for `define`, `init` and the `foreignKey` of associations. */
export interface IdAttribute {
  /** The type of the column. */
  type: IdDataType;
  /** Reads the ID from the driver's value. */
  get(this: IdRow, name?: string): unknown;
  /** Sets an ID or its canonical text. */
  set(this: IdRow, id: unknown, name?: string): void;
  /** Generates the ID of a row without one. */
  defaultValue?: () => unknown;
}

/** The part of Sequelize's `QueryInterface` that is used. */
type Queries = Record<
  "increment" | "decrement",
  (this: Queries, model: object, ...more: unknown[]) => unknown
> & {
  queryGenerator: { whereQuery(where: unknown, options: object): string };
};

// Only these two do not pass the table of a condition, so its values would not be checked.
const queries = Sequelize.QueryInterface.prototype as unknown as Queries;
const checked = (change: Queries["increment"]): Queries["increment"] =>
  function (model, ...more) {
    const { queryGenerator } = this;
    const whereQuery = (where: unknown) => queryGenerator.whereQuery(where, { model });
    const own = { __proto__: this, queryGenerator: { __proto__: queryGenerator, whereQuery } };
    return change.call(own as unknown as Queries, model, ...more);
  };
queries.increment = checked(queries.increment);
queries.decrement = checked(queries.decrement);

/**
 * Whether a value is missing, or an expression such as `literal`, which Sequelize handles. The
 * column's type rejects other objects.
 */
const isNoId = (value: unknown): boolean => value === undefined || typeof value === "object";

/**
 * An attribute of IDs: `BIGINT`, or `CHAR(n)` if they are texts (sno, Ulid-Flake). Rows have IDs in
 * the format's type for any driver, and conditions accept only IDs. Rounded values throw. `raw:
 * true` and `query` return the driver's values.
 *
 * Use `format.text`, whose IDs are texts, for rows that become JSON, and for associations, whose
 * keys Sequelize compares with raw values. IDs above 2^63 - 1 (Discord, from 2084 on) do not fit,
 * so pass both ends to `range`.
 *
 * Errors: `TYPE`; in rows and queries, those of `parse`.
 *
 * @param generator Generates the ID of a row without one.
 *
 * @example
 * ```js
 * import { twitter } from "graupel";
 * import { idAttribute } from "graupel/sequelize";
 * import { DataTypes, Sequelize } from "sequelize";
 * const ids = twitter.text.generator({ datacenterId: 0, workerId: 7 });
 * const sequelize = new Sequelize({ dialect: "postgres", dialectModule: {} });
 * const User = sequelize.define("user", { id: { ...idAttribute(twitter.text, ids), primaryKey: true }, name: DataTypes.TEXT });
 * console.log(twitter.isValid(User.build({ name: "Ada" }).id));   // true
 * ```
 */
export function idAttribute<F extends AnyFormat>(format: F, generator?: IdSource<IdOf<F>>): IdAttribute {
  const { width, read, write } = columnOf(format, "leave `supportBigNumbers` on");
  const isNumber = format.columnType === "number";
  // Sequelize compares raw values of new rows with those of drivers: text, and safe numbers for
  // MySQL.
  const raw = (id: unknown) => (isNumber ? write(id) : `${write(id)}`);
  const sqlType = width === 0 ? "BIGINT" : `CHAR(${width})`;
  // Conditions of a row from the database have the driver's value: decimal digits, unlike
  // Nanoflake's texts.
  const sent = (id: unknown) => {
    const isOwn = !isNumber && (width > 0 || typeof id === "number");
    if (isOwn || !isDecimal(id)) return write(id);
    const integer = write(read(id));
    if (format.isValid(id) && write(id) !== integer) typeError("id", id, "a bigint");
    return integer;
  };
  const literal = (id: unknown): string =>
    id === null ? "NULL" : width === 0 ? `${sent(id)}` : `'${sent(id)}'`;
  const attribute: IdAttribute = {
    type: {
      // With "BIGINT", Sequelize would use its own type.
      key: "ID",
      dialectTypes: "",
      escape: false,
      toSql: () => sqlType,
      toString: () => sqlType,
      // Only PostgreSQL has arrays, for `Op.any`.
      stringify: (id) => (Array.isArray(id) ? `ARRAY[${id.map(literal)}]::${sqlType}[]` : literal(id)),
      bindParam: (id, { bindParam }) => bindParam(sent(id)),
    },
    get(name) {
      const value = this.getDataValue(name);
      return isNoId(value) ? value : read(value);
    },
    set(id, name) {
      this.setDataValue(name, isNoId(id) ? id : raw(id));
    },
  };
  if (generator !== undefined) {
    givenSource(generator);
    // Sequelize writes a default into the row without the setter.
    attribute.defaultValue = () => raw(generator.next());
  }
  return attribute;
}
