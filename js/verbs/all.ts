/** A format: the verbs that every format has, and what is its own. The files here are named after their first verb. */
import { digits, type IdType } from "../core/id-types.js";
import type { Schema } from "../core/schema.js";
import { fromBigInt, fromBytes, toBigInt, toBytes } from "./bytes.js";
import { changed, compose } from "./compose.js";
import { inspect, timestampOf } from "./inspect.js";
import { isValid, parse } from "./parse.js";
import { range } from "./range.js";
import { standardSchema } from "./standard-schema.js";

/** The format of a schema. Reads no clock, and does not load the module. `own`: what the format adds, also for texts of the same IDs. */
export function formatOf<F extends { readonly text: object }>(
  schema: Schema,
  own: (schema: Schema) => object,
  columnType = schema.idType.type,
): F {
  const { name, epoch, capacity, endOfLife, layout, radix } = schema;
  const valueType = schema.idType.type;
  const isWide = valueType === "bigint" && schema.max >= 2n ** 63n - 1n;
  const format: Record<string, unknown> = {
    name,
    layout,
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
    compare(a: unknown, b: unknown) {
      // Apart, because engines specialise a comparison by the types that it has met; and to truncate BigInts is one instruction.
      if (isWide && typeof a === "bigint" && typeof b === "bigint") {
        if (BigInt.asUintN(63, a) === a && BigInt.asUintN(63, b) === b) {
          return a < b ? -1 : a > b ? 1 : 0;
        }
      }
      const x = parse(schema, a, radix, "a");
      const y = parse(schema, b, radix, "b");
      // Of digits, the longer text is the larger integer.
      const longer = typeof x === "string" && x.length - (y as string).length;
      return Math.sign(longer || Number(x > y) - Number(x < y));
    },
    "~standard": standardSchema(schema),
    // No accessor: each format would have another one, for which V8 keeps a format as a hash table, and takes 6 ns more to find a method.
    text:
      valueType === "string"
        ? undefined
        : formatOf(
            { ...schema, idType: digits(schema.idType as unknown as IdType<bigint>, radix) },
            own,
            columnType,
          ),
    ...own(schema),
  };
  // A format of texts is its own `text`.
  format.text ??= format;
  return format as unknown as F;
}
