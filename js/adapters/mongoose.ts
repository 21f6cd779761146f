/**
 * Schema paths for Mongoose: `_id` and references to documents.
 *
 * @module graupel/mongoose
 */
import type { AnyFormat, IdOf } from "../any-format.js";
import { fail } from "../errors.js";
import { checkBase, columnOf, givenSource, type IdSource } from "./column.js";

export type { IdSource };

/** The constructor from which Mongoose infers the type of a path. */
export type IdPathType<Id> = Id extends bigint
  ? BigIntConstructor
  : Id extends number
    ? NumberConstructor
    : StringConstructor;

/** A path of IDs in a Mongoose schema. Spread it to add options, such as `ref` and `required`. */
export interface IdPath<Id> {
  /** The type of the IDs. */
  type: IdPathType<Id>;
  /** Checks a value that a program writes or queries. */
  set(this: unknown, value: unknown): unknown;
  /** Converts a checked value, or a value from the database, to the value in a document. */
  cast(this: void, value: unknown): Id;
}

/** A path for which a generator makes the ID of a document without one. */
export interface IdPathWithDefault<Id> extends IdPath<Id> {
  /** Generates an ID. */
  default(this: void): Id;
  /** Null is an error. */
  required: true;
}

/** A Mongoose document, of a populated reference or in place of its ID. */
interface Document {
  readonly _doc: { readonly _id: unknown };
  readonly $__: { wasPopulated?: object };
}

/** The part of a schema's path that is used. */
interface SchemaPath {
  readonly path: string;
}

/** A document, or a part of one. */
interface DocumentPart {
  $populated(path: string): unknown;
  readonly schema: { path(path: string): unknown };
}

const isDocument = (value: unknown): value is Document =>
  Object(value).$__ !== undefined && Object(value)._doc !== undefined;

/** Whether a document has another document instead of an ID at a path. */
const isPopulated = (document: unknown, schemaType: SchemaPath | undefined): boolean =>
  schemaType !== undefined &&
  Boolean((document as Partial<DocumentPart> | undefined)?.$populated?.(schemaType.path));

/**
 * A document in place of its ID, with the ID that is stored. Mongoose does the same for references
 * of its own types. Mongoose 7 would store the result of a getter.
 */
function populated(document: Document): Document {
  document.$__.wasPopulated = { ...document.$__.wasPopulated, value: document._doc._id };
  return document;
}

/** Converts the driver's 64-bit integer, which it returns without `useBigInt64`, to a bigint. */
const integerOf = (value: unknown): unknown =>
  Object(value)._bsontype === "Long" ? (value as { toBigInt(): bigint }).toBigInt() : value;

/**
 * A path for `_id`, or for a reference to it. It is stored as a 64-bit integer, as text if IDs are
 * texts (sno, Ulid-Flake), and for Snowflake-SI as a number. Documents have IDs in the type of the
 * format, which can be a text of a stored integer (`format.text`, `graupel/text-format`). `find`,
 * `$in`, ranges and updates accept an ID or its canonical text. Other values throw, including
 * numbers for 64-bit IDs, and IDs above 2^63 - 1 (Discord, from 2084 on), which would come back
 * negative.
 *
 * Mongoose does not cast in `lean()`, `distinct()` and `aggregate()`: read
 * `format.fromBigInt(BigInt(document._id))`, and pass IDs, not texts.
 *
 * Errors: `TYPE`; in queries, those of `parse`, and `OVERFLOW`. For a document, Mongoose keeps them
 * in `errors` until you validate or save it; `reason` is the error.
 *
 * @param format Any format, except Nanoflake's `text`.
 * @param generator Generates the ID of a document without one, including one that `upsert` inserts.
 *
 * @example
 * ```js
 * import { twitter } from "graupel";
 * import { idPath } from "graupel/mongoose";
 * import { model, Schema } from "mongoose";
 * const ids = twitter.generator({ datacenterId: 0, workerId: 7 });
 * const User = model("User", new Schema({ _id: idPath(twitter, ids), invitedBy: { ...idPath(twitter), ref: "User" }, name: String }));
 * const ada = new User({ name: "Ada", invitedBy: "1585841080431321657" });
 * console.log(typeof ada._id, ada.invitedBy);   // bigint 1585841080431321657n
 * console.log(User.find().where("_id").gte("1585841080431321657").cast());   // { _id: { '$gte': 1585841080431321657n } }
 * ```
 */
export function idPath<F extends AnyFormat>(
  format: F,
  generator: IdSource<IdOf<F>>,
): IdPathWithDefault<IdOf<F>>;
export function idPath<F extends AnyFormat>(format: F): IdPath<IdOf<F>>;
export function idPath(format: AnyFormat, generator?: IdSource<unknown>): unknown {
  const { read, write } = columnOf(format, "store it as a bigint: a number is a double in MongoDB");
  checkBase(format);
  const isReadAsText = format.valueType === "string" && format.columnType !== "string";
  const storable = (id: unknown) => {
    const value = write(id);
    // The driver would write the last 64 bits, which are a different, negative integer.
    return typeof value === "bigint" && BigInt.asIntN(64, value) !== value
      ? fail("OVERFLOW", "id", id, `id: ${id} is above 2^63 - 1, MongoDB's largest integer`)
      : value;
  };
  /** The text of a stored value, unless it is a document. */
  const shown = (value: unknown) =>
    value === null || value === undefined || isDocument(value) ? value : read(value);
  const path = {
    type: { bigint: BigInt, number: Number, string: String }[format.columnType],
    ...(isReadAsText && {
      // Mongoose 7 would store the texts of an array, and later versions skip the getter in `map`.
      get(this: unknown, value: unknown, path?: SchemaPath) {
        const { schema } = Object(this) as Partial<DocumentPart>;
        return path && schema?.path(path.path) !== path ? value : shown(value);
      },
      transform: shown,
    }),
    // Mongoose calls setters for documents and queries, not for values from the database.
    set(this: unknown, value: unknown, _prior?: unknown, path?: SchemaPath) {
      if (value === null || value === undefined) return value;
      if (isDocument(value) && isPopulated(this, path)) return populated(value);
      return storable(integerOf(Object(value)._id ?? value));
    },
    cast(value: unknown) {
      if (isDocument(value)) return populated(value);
      const id = read(integerOf(value));
      return isReadAsText ? write(id) : id;
    },
  };
  if (generator === undefined) return path;
  givenSource(generator);
  // Mongoose passes the document to a default, which sno would read as a metabyte.
  return { ...path, required: true, default: () => generator.next() };
}
