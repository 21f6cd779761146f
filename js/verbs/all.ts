/** The verbs that every format has. The files here are named after their first verb. */
import type { Id } from "../core/id-types.js";
import type { Schema } from "../core/schema.js";
import type { Format, Inspection } from "../types.js";
import { fromBigInt, fromBytes, toBigInt, toBytes } from "./bytes.js";
import { changed, compose } from "./compose.js";
import { inspect } from "./inspect.js";
import { isValid, parse } from "./parse.js";
import { range } from "./range.js";
import { standardSchema } from "./standard-schema.js";

/** What all formats have in common; a format's file adds the rest. */
export type Verbs<I extends Id, Field extends string> = Omit<Format<I, Field, never, never>, "generator">;

/** The verbs of a schema. Reads no clock, and does not load the module. */
export function verbs<I extends Id, Field extends string>(schema: Schema<I>): Verbs<I, Field> {
  const { name, epoch, capacity, endOfLife, layout, radix } = schema;
  return {
    name,
    layout,
    epoch,
    capacity,
    endOfLife,
    parse: (x) => parse(schema, x),
    isValid: (x): x is I | string => isValid(schema, x),
    // A text is its own text, whatever the radix.
    format: (id) => (parse(schema, id) as bigint).toString(radix),
    toBytes: (id) => toBytes(schema, id),
    fromBytes: (bytes) => fromBytes(schema, bytes),
    toBigInt: (id) => toBigInt(schema, id),
    fromBigInt: (integer) => fromBigInt(schema, integer),
    inspect: (id) => inspect(schema, id) as Inspection<Field>,
    compose: (fields) => compose(schema, fields),
    with: (id, changes) => changed(schema, id, changes),
    range: (from, to) => range(schema, from, to),
    compare(a, b) {
      const x = parse(schema, a, radix, "a");
      const y = parse(schema, b, radix, "b");
      return x < y ? -1 : x > y ? 1 : 0;
    },
    "~standard": standardSchema(schema),
  };
}
