/** IDs as JSON: a number where the format's IDs are numbers, a string everywhere else. */
import type { AnyFormat } from "./registry.js";

/** The ID of a canonical text, for `JSON.stringify`. */
export function jsonId(format: AnyFormat, text: string): string | number {
  const id = format.parse(text);
  return typeof id === "number" ? id : text;
}

/** The ID of a canonical text, as a line of JSON. */
export const jsonLine = (format: AnyFormat, text: string): string => JSON.stringify(jsonId(format, text));
