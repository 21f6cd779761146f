/** `parse` and `isValid`: an ID in any form that the format takes, checked by the core. */

import { type Id, type IdType, putParsed } from "../core/id-types.js";
import type { Core } from "../core/load.js";
import { refuseId, STATUS_TYPE } from "../core/refusals.js";
import { type Schema, use } from "../core/schema.js";

/** What every verb works with. */
export interface Codec<I extends Id> {
  readonly schema: Schema;
  readonly idType: IdType<I>;
}

/** An ID in any form to the register: 0, or the status of why not. `unpack`: 1 if its fields are wanted too. */
function loadAny<I extends Id>(
  { schema, idType }: Codec<I>,
  core: Core,
  x: unknown,
  radix: number,
  unpack: number,
): number {
  return typeof x === "string"
    ? putParsed(core, x, radix, schema, unpack)
    : typeof x === idType.type
      ? idType.loadNative(core, x as I)
      : STATUS_TYPE;
}

/** The same, but refuses what is no ID; returns the core, which has the ID in its register. */
export function loadId<I extends Id>(
  codec: Codec<I>,
  x: unknown,
  radix = codec.schema.radix,
  field = "id",
  unpack = 0,
): Core {
  const { schema, idType } = codec;
  const core = use(schema);
  const status = loadAny(codec, core, x, radix, unpack);
  return status === 0 ? core : refuseId(status, x, schema, idType.type, radix, field);
}

/** The ID of a canonical text, found without the core; undefined: ask the core. */
const canonical = <I extends Id>({ idType }: Codec<I>, x: unknown): I | undefined =>
  typeof x === "string" ? idType.canonical(x) : undefined;

/** A value of the ID's type, or a text in `radix`, to a value. */
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
