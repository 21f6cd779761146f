/** A format: the verbs that every format has, and what is its own. */
import type { Schema } from "../core/schema.js";
import { standardOf } from "../errors.js";
import { fromBigInt, fromBytes, toBigInt, toBytes } from "./bytes.js";
import { changed, compose, inspect, range, timestampOf } from "./fields.js";
import { fits, isValid, parse } from "./parse.js";

/** The format of a schema. Reads no clock, and does not load the module. `own`: what the format adds, also for texts of the same IDs. */
export function formatOf<F extends { readonly text: object }>(
  schema: Schema,
  own: (schema: Schema) => object,
  columnType = schema.idType.type,
): F {
  const { name, epoch, capacity, endOfLife, layout, radix, idType, length, max } = schema;
  const valueType = idType.type;
  /** Compares two texts of valid length, and parses all other values first. Of two texts of digits, the longer one is larger. */
  const byText = (a: unknown, b: unknown): number =>
    typeof a === "string" && typeof b === "string" && fits(a, length) && fits(b, length)
      ? Math.sign(a.length - b.length) || (a < b ? -1 : +(a > b))
      : byText(
          (parse(schema, a, radix, "a") as bigint).toString(radix),
          (parse(schema, b, radix, "b") as bigint).toString(radix),
        );
  const format: Record<string, unknown> = {
    name,
    layout,
    max,
    epoch,
    capacity,
    endOfLife,
    valueType,
    columnType,
    // A format of texts is its own `text`, which JSON cannot hold.
    toJSON: () => ({ name, epoch, layout }),
    parse: (x: unknown) => parse(schema, x),
    isValid: (x: unknown) => isValid(schema, x),
    // A text is its own text, whatever the radix.
    format: (id: unknown) => (parse(schema, id) as bigint).toString(radix),
    toBytes: (id: unknown) => toBytes(schema, id),
    fromBytes: (bytes: unknown) => fromBytes(schema, bytes),
    toBigInt: (id: unknown) => toBigInt(schema, id),
    fromBigInt: (integer: unknown) => fromBigInt(schema, integer),
    inspect: (id: unknown) => inspect(schema, id),
    timestamp: timestampOf(schema),
    compose: (fields: unknown) => compose(schema, fields),
    with: (id: unknown, changes: unknown) => changed(schema, id, changes),
    range: (from: unknown, to: unknown) => range(schema, from, to),
    compare: idType.compareOf(max, byText),
    "~standard": standardOf((x) => parse(schema, x)),
    // No accessor: each format would have another one, for which V8 keeps a format as a hash table, and takes 6 ns more to find a method.
    text: schema.digits && formatOf(schema.digits, own, columnType),
    ...own(schema),
  };
  // A format of texts is its own `text`.
  format.text ??= format;
  return format as unknown as F;
}
