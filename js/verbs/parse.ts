/** `parse` and `isValid`: an ID in any form that the format takes, checked by the core. */

import type { Id } from "../core/id-types.js";
import { type Core, putText } from "../core/load.js";
import { type Lengths, lengths, type Schema, use } from "../core/schema.js";
import { failId, STATUS_TYPE } from "../core/status.js";
import { STATUS_LENGTH } from "../generated/constants.js";

/** Whether a text has neither too few nor too many characters. */
export const fits = ({ length }: string, { min, max }: Lengths): boolean => length >= min && length <= max;

/** Writes an ID, or its text in `radix`, to the register, and returns a status. `alsoUnpack`: 1 to unpack its fields too. */
function load(schema: Schema, core: Core, x: unknown, alsoUnpack: number, radix: number): number {
  const { idType } = schema;
  if (typeof x !== "string") {
    return typeof x === idType.type ? idType.loadNative(core, x as Id) : STATUS_TYPE;
  }
  if (!fits(x, lengths(radix, schema))) {
    return STATUS_LENGTH;
  }
  putText(core, x);
  return core.wasm.parse(x.length, radix, alsoUnpack);
}

/** The same, but throws if it is no ID. Returns the core. */
export function loadId(schema: Schema, x: unknown, alsoUnpack = 0, radix = schema.radix, field = "id"): Core {
  const core = use(schema);
  const status = load(schema, core, x, alsoUnpack, radix);
  return status === 0 ? core : failId(status, x, schema, radix, field);
}

/** The ID of a canonical text, without a call of the core; `undefined` if only the core can tell. */
const canonical = ({ idType }: Schema, x: unknown): Id | undefined =>
  typeof x === "string" ? idType.canonical(x) : undefined;

/** An ID, or its text in `radix`, to an ID. */
export const parse = (schema: Schema, x: unknown, radix = schema.radix, field?: string): Id =>
  (radix === schema.radix ? canonical(schema, x) : undefined) ??
  schema.idType.takeValue(loadId(schema, x, 0, radix, field));

export const isValid = (schema: Schema, x: unknown): boolean =>
  canonical(schema, x) !== undefined || load(schema, use(schema), x, 0, schema.radix) === 0;
