/** The verbs that every format has. Each verb has its own file here. */
import type { Id, IdType } from "../core/id-types.js";
import type { Schema } from "../core/schema.js";
import type { Format, Inspection } from "../types.js";
import { fromBigInt, fromBytes, toBigInt, toBytes } from "./bytes.js";
import { changed, compose } from "./compose.js";
import { inspect } from "./inspect.js";
import { type Codec, isValid, parse } from "./parse.js";
import { range } from "./range.js";
import { standardSchema } from "./standard-schema.js";

/** What all formats have in common; a format's file adds the rest. */
export type Verbs<I extends Id, Field extends string> = Omit<Format<I, Field, never, never>, "generator">;

/** The verbs of a schema, and the codec for a format's own verbs. Reads no clock, and does not load the module. */
export function verbs<I extends Id, Field extends string>(
  schema: Schema,
  idType: IdType<I>,
): { readonly verbs: Verbs<I, Field>; readonly codec: Codec<I> } {
  const { name, epoch, capacity, endOfLife, layout, radix } = schema;
  const codec = { schema, idType };
  const made: Verbs<I, Field> = {
    name,
    layout,
    epoch,
    capacity,
    endOfLife,
    parse: (x) => parse(codec, x),
    isValid: (x): x is I | string => isValid(codec, x),
    format(id) {
      const value = parse(codec, id);
      return typeof value === "string" ? value : value.toString(radix);
    },
    toBytes: (id) => toBytes(codec, id),
    fromBytes: (bytes) => fromBytes(codec, bytes),
    toBigInt: (id) => toBigInt(codec, id),
    fromBigInt: (integer) => fromBigInt(codec, integer),
    inspect: (id) => inspect(codec, id) as Inspection<Field>,
    compose: (fields) => compose(codec, fields),
    with: (id, changes) => changed(codec, id, changes),
    range: (from, to) => range(codec, from, to),
    compare(a, b) {
      const x = parse(codec, a, radix, "a");
      const y = parse(codec, b, radix, "b");
      return x < y ? -1 : x > y ? 1 : 0;
    },
    "~standard": standardSchema(codec),
  };
  return { verbs: made, codec };
}
