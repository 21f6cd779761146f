/**
 * Checks the format that an entry without a core gets. Such entries import no format, so one file
 * serves both cores.
 */
import type { AnyFormat } from "./any-format.js";
import { typeError } from "./errors.js";

/** The type of a format's IDs. */
export type IdOf<F extends AnyFormat> = ReturnType<F["fromBytes"]>;

/** Checks for a format, of any copy of the package. Loads no core. */
export function givenFormat<F extends AnyFormat>(format: F): F {
  const { parse, layout, valueType } = Object(format) as Partial<AnyFormat>;
  return typeof parse === "function" && typeof layout === "object" && typeof valueType === "string"
    ? format
    : typeError("format", format, "a format of graupel");
}
