/** `inspect`: an ID to its fields. */
import type { Id } from "../core/id-types.js";
import type { Schema } from "../core/schema.js";
import { loadId } from "./parse.js";

/** The fields by name, and the time in three forms. */
export const inspect = <I extends Id>(schema: Schema<I>, id: unknown): object =>
  schema.inspection(loadId(schema, id, schema.radix, "id", 1).f64);
