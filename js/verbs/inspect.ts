/** `inspect`, `timestamp`: an ID to its fields, or to its time alone. */
import type { Id } from "../core/id-types.js";
import type { Schema } from "../core/schema.js";
import { DETAIL } from "../generated/constants.js";
import { loadId } from "./parse.js";

/** The fields by name, and the time in three forms. */
export const inspect = <I extends Id>(schema: Schema<I>, id: unknown): object =>
  schema.inspection(loadId(schema, id, schema.radix, "id", 1).f64);

/** Makes `timestamp`: the time in Unix milliseconds, without an object to make. */
export const timestampOf = <I extends Id>(schema: Schema<I>): ((id: unknown) => number) =>
  schema.idType.timestampOf(
    schema,
    (id) => loadId(schema, id, schema.radix, "id", 1).f64[DETAIL >> 3] as number,
  );
