/** `parse` and `isValid`: an ID in any form that the format takes, checked by the core. */

import { type Id, type IdType, putParsed } from "../core/id-types.js";
import type { Core } from "../core/load.js";
import { refuseId, STATUS_TYPE } from "../core/refusals.js";
import { type Schema, use } from "../core/schema.js";

/** What every verb needs of a format. */
export interface Codec<I extends Id> {
  readonly schema: Schema;
  readonly idType: IdType<I>;
}

/** Writes an ID in any form to the register, and returns a status. `alsoUnpack`: 1 to unpack its fields too. */
function loadAny<I extends Id>(
  { schema, idType }: Codec<I>,
  core: Core,
  x: unknown,
  radix: number,
  alsoUnpack: number,
): number {
  return typeof x === "string"
    ? putParsed(core, x, radix, schema, alsoUnpack)
    : typeof x === idType.type
      ? idType.loadNative(core, x as I)
      : STATUS_TYPE;
}

/** The same, but throws if it is no ID. Returns the core. */
export function loadId<I extends Id>(
  codec: Codec<I>,
  x: unknown,
  radix = codec.schema.radix,
  field = "id",
  alsoUnpack = 0,
): Core {
  const { schema, idType } = codec;
  const core = use(schema);
  const status = loadAny(codec, core, x, radix, alsoUnpack);
  return status === 0 ? core : refuseId(status, x, schema, idType.type, radix, field);
}

/** The ID of a canonical text, without a call of the core; `undefined` if only the core can tell. */
const canonical = <I extends Id>({ idType }: Codec<I>, x: unknown): I | undefined =>
  typeof x === "string" ? idType.canonical(x) : undefined;

/** An ID, or its text in `radix`, to an ID. */
export const parse = <I extends Id>(
  codec: Codec<I>,
  x: unknown,
  radix = codec.schema.radix,
  field?: string,
): I =>
  (radix === codec.schema.radix ? canonical(codec, x) : undefined) ??
  codec.idType.takeValue(loadId(codec, x, radix, field));

export const isValid = <I extends Id>(codec: Codec<I>, x: unknown): boolean =>
  canonical(codec, x) !== undefined || loadAny(codec, use(codec.schema), x, codec.schema.radix, 0) === 0;
