/**
 * An ID's three natural types, each as a pair: into the module's register, and out of it. Whatever a verb does, it
 * does to the register, so that no verb knows the types.
 */
import { AS_NUMBER, REGISTER, SECOND } from "../generated/layouts.js";
import { type Core, getText, putText } from "./core.js";
import { lengths, NUMBER } from "./refusals.js";
import type { Facts, Schema } from "./schema.js";

/** What an ID can be. */
export type Natural = bigint | number | string;

/** A natural type. */
export interface Codec<Id extends Natural> {
  readonly type: "bigint" | "number" | "string";
  /** A value of the type to the register: 0, or the number of why not. The schema is in use. */
  put(core: Core, id: Id, facts: Facts, schema: Schema): number;
  /** The register as a value of the type; `register` is its offset. */
  take(core: Core, schema: Schema, register?: number): Id;
}

/** 64-bit formats. */
export const asBigInt: Codec<bigint> = {
  type: "bigint",
  put(core, id, { max }) {
    if (id < 0n) {
      return NUMBER.RANGE;
    }
    if (id > max) {
      return NUMBER.OVERFLOW;
    }
    core.u64[REGISTER >> 3] = id;
    core.u64[(REGISTER >> 3) + 1] = 0n;
    return 0;
  },
  take: (core, { unsigned }, register = REGISTER) =>
    (unsigned ? core.u64 : core.i64)[register >> 3] as bigint,
};

/** Snowflake-SI. */
export const asNumber: Codec<number> = {
  type: "number",
  put(core, id) {
    if (!Number.isSafeInteger(id) || id < 0 || Object.is(id, -0)) {
      return NUMBER.RANGE;
    }
    core.wasm.hold(id);
    return 0;
  },
  take: (core, _schema, register = REGISTER) => core.f64[(register + AS_NUMBER) >> 3] as number,
};

/** Text to the register, in the format's form or in another radix. */
export function putParsed(core: Core, text: string, radix: number, { max }: Facts): number {
  const { length } = text;
  const range = lengths(radix, max);
  if (length < range.min || length > range.max) {
    return NUMBER.LENGTH;
  }
  putText(core, text);
  return core.wasm.parse(length, radix);
}

/** The two formats whose IDs are texts. */
export const asText: Codec<string> = {
  type: "string",
  put: (core, text, facts, { radix }) => putParsed(core, text, radix, facts),
  take(core, { radix }, register = REGISTER) {
    core.wasm.print(radix, Number(register === SECOND));
    return getText(core, lengths(radix, 0n).max);
  },
};
