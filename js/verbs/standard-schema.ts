/** `"~standard"`: Standard Schema v1 (https://standardschema.dev), so that validators of a single value take a format as it is. */
import type { Id } from "../core/id-types.js";
import { type Schema, use } from "../core/schema.js";
import { GraupelError } from "../errors.js";
import type { StandardSchema } from "../types.js";
import { parse } from "./parse.js";

export const standardSchema = <I extends Id>(
  schema: Schema<I>,
): StandardSchema<I | string, I>["~standard"] => ({
  version: 1,
  vendor: "graupel",
  validate(value) {
    // Failing to load the core throws; it is not a validation issue.
    use(schema);
    try {
      return { value: parse(schema, value) };
    } catch (error) {
      // Nor is a full stack.
      if (!GraupelError.is(error)) {
        throw error;
      }
      return { issues: [{ message: error.message }] };
    }
  },
});
