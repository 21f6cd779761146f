/** What entries without a core ask of the format that they are given: they import none, so one file serves both cores. */
import type { AnyFormat } from "./any-format.js";
import { typeError } from "./errors.js";

/** The type of a format's IDs. */
export type IdOf<F extends AnyFormat> = ReturnType<F["fromBytes"]>;

/** Checks that it is a format, of any copy of the package. Loads no core. */
export function givenFormat<F extends AnyFormat>(format: F): F {
  const { parse, layout, valueType } = Object(format) as Partial<AnyFormat>;
  return typeof parse === "function" && typeof layout === "object" && typeof valueType === "string"
    ? format
    : typeError("format", format, "a format of graupel");
}
