/** `parse` and `isValid`: an ID in any form that the format takes, checked by the core. */

import type { Id } from "../core/id-types.js";
import { type Core, putText } from "../core/load.js";
import { type Lengths, lengths, type Schema, use } from "../core/schema.js";
import { failId, STATUS_TYPE } from "../core/status.js";
import * as abi from "../generated/constants.js";

/** Whether a text has neither too few nor too many characters. */
export const fits = ({ length }: string, { min, max }: Lengths): boolean => length >= min && length <= max;

/** Parses a text, in the format's form or in another radix, to the register; `alsoUnpack` 1: and its fields. Returns a status. */
function putParsed(core: Core, text: string, radix: number, schema: Schema, alsoUnpack: number): number {
  if (!fits(text, lengths(radix, schema))) {
    return abi.STATUS_LENGTH;
  }
  putText(core, text);
  return core.wasm.parse(text.length, radix, alsoUnpack);
}

/** Writes an ID in any form to the register, and returns a status. `alsoUnpack`: 1 to unpack its fields too. */
function loadAny<I extends Id>(
  schema: Schema<I>,
  core: Core,
  x: unknown,
  radix: number,
  alsoUnpack: number,
): number {
  return typeof x === "string"
    ? putParsed(core, x, radix, schema, alsoUnpack)
    : typeof x === schema.idType.type
      ? schema.idType.loadNative(core, x as I)
      : STATUS_TYPE;
}

/** The same, but throws if it is no ID. Returns the core. */
export function loadId<I extends Id>(
  schema: Schema<I>,
  x: unknown,
  radix = schema.radix,
  field = "id",
  alsoUnpack = 0,
): Core {
  const core = use(schema);
  const status = loadAny(schema, core, x, radix, alsoUnpack);
  return status === 0 ? core : failId(status, x, schema, radix, field);
}

/** The ID of a canonical text, without a call of the core; `undefined` if only the core can tell. */
const canonical = <I extends Id>({ idType }: Schema<I>, x: unknown): I | undefined =>
  typeof x === "string" ? idType.canonical(x) : undefined;

/** An ID, or its text in `radix`, to an ID. */
export const parse = <I extends Id>(schema: Schema<I>, x: unknown, radix = schema.radix, field?: string): I =>
  (radix === schema.radix ? canonical(schema, x) : undefined) ??
  schema.idType.takeValue(loadId(schema, x, radix, field));

export const isValid = <I extends Id>(schema: Schema<I>, x: unknown): boolean =>
  canonical(schema, x) !== undefined || loadAny(schema, use(schema), x, schema.radix, 0) === 0;
