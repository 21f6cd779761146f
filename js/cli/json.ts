/** IDs as JSON: a number if the format's IDs are numbers, else a string. */
import type { AnyFormat } from "../index.js";

/** The JSON value of a canonical text. */
export function jsonId(format: AnyFormat, text: string): string | number {
  const id = format.parse(text);
  return typeof id === "number" ? id : text;
}

/** The line of JSON for a canonical text. */
export const jsonLine = (format: AnyFormat, text: string): string => JSON.stringify(jsonId(format, text));
