/**
 * Attributes for Sequelize, whose values are IDs of a format.
 *
 * @module graupel/sequelize
 */
import Sequelize from "sequelize";
import type { AnyFormat } from "../any-format.js";
import { typeError } from "../errors.js";
import type { IdOf } from "../given-format.js";
import { columnOf, givenSource, type IdSource, isDecimal } from "./column.js";

export type { IdSource };

/** The type of a column of IDs. In statements it takes an ID or its canonical text, and nothing else. */
export interface IdDataType {
  /** Its name in Sequelize. */
  readonly key: string;
  /** Empty, because it is the same in every database. */
  readonly dialectTypes: string;
  /** What `stringify` gives stands in SQL as it is. */
  readonly escape: false;
  /** The type of the column in SQL. */
  toSql(): string;
  /** The type of the column in SQL. */
  toString(): string;
  /** An ID, for the text of a statement. */
  stringify(id: unknown): string;
  /** An ID, as a parameter of a statement. */
  bindParam(
    id: unknown,
    options: { readonly bindParam: (value: bigint | number | string) => string },
  ): string;
}

/** What an attribute needs of its row. */
export interface IdRow {
  /** The value that the driver gave, or that it will get. */
  // biome-ignore lint/suspicious/noExplicitAny: a model has names of its own
  getDataValue(name: any): unknown;
  /** Sets the value that the driver will get. */
  // biome-ignore lint/suspicious/noExplicitAny: a model has names of its own
  setDataValue(name: any, value: any): void;
}

/** An attribute, for `define`, `init` and the `foreignKey` of associations. */
export interface IdAttribute {
  /** The type of the column. */
  type: IdDataType;
  /** The ID, from whatever the driver gave. */
  get(this: IdRow, name?: string): unknown;
  /** Takes an ID, or its canonical text. */
  set(this: IdRow, id: unknown, name?: string): void;
  /** Makes the ID of a row that has none. */
  defaultValue?: () => unknown;
}

/** What is used of Sequelize's `QueryInterface`. */
type Queries = Record<
  "increment" | "decrement",
  (this: Queries, model: object, ...more: unknown[]) => unknown
> & {
  queryGenerator: { whereQuery(where: unknown, options: object): string };
};

// These two alone do not say of which table a condition is, so that its values would not be checked.
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

/** Whether there is no ID, or an expression such as `literal`, which is for Sequelize. The type of the column refuses other objects. */
const isNoId = (value: unknown): boolean => value === undefined || typeof value === "object";

/**
 * An attribute of IDs: `BIGINT`, or `CHAR(n)` where they are texts (sno, Ulid-Flake). Rows have IDs as the format has them, whatever the
 * driver gives, and conditions take nothing else. What was rounded is refused. `raw: true` and `query` give what the driver gives.
 *
 * Take `format.text`, whose IDs are texts, for rows that become JSON, and for associations, whose keys Sequelize compares
 * with raw ones. IDs above 2^63 - 1 (Discord, from 2084 on) do not fit, so give `range` both of its ends.
 *
 * Errors: `TYPE`; of rows and queries those of `parse`.
 *
 * @param generator Makes the ID of a row that has none.
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
  // Sequelize compares raw values of rows that were made with those that drivers give: text, and of MySQL safe numbers.
  const raw = (id: unknown) => (isNumber ? write(id) : `${write(id)}`);
  const sqlType = width === 0 ? "BIGINT" : `CHAR(${width})`;
  // Conditions of a row that was read have what the driver gave: decimal digits, which are not what Nanoflake's texts are.
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
      // Not "BIGINT": Sequelize would take its own type instead.
      key: "ID",
      dialectTypes: "",
      escape: false,
      toSql: () => sqlType,
      toString: () => sqlType,
      // PostgreSQL alone has arrays: of `Op.any`.
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
    // Sequelize puts a default into the row without the setter.
    attribute.defaultValue = () => raw(generator.next());
  }
  return attribute;
}
