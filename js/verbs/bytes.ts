/** `toBytes`, `fromBytes`, `toBigInt`, `fromBigInt`: an ID as big-endian bytes, and as an integer. */

import { bytesOf } from "../checks.js";
import type { Id } from "../core/id-types.js";
import type { Core } from "../core/load.js";
import { type Schema, use } from "../core/schema.js";
import { failId } from "../core/status.js";
import { typeError } from "../errors.js";
import * as abi from "../generated/constants.js";
import { loadId } from "./parse.js";

/** Bytes of an ID: sno 10, 64-bit formats 8 (however many bits a layout uses), Snowflake-SI 7. */
const sizeOf = ({ idType, layout }: Schema): number =>
  idType.form === abi.FORM_NUMBER ? 7 : Math.max(8, Math.ceil(layout.bits / 8));

/** The ID in the register, if the core finds it in range. */
function take(schema: Schema, core: Core, value: unknown, field: string): Id {
  return core.wasm.inspect() === 0
    ? schema.idType.takeValue(core)
    : failId(abi.STATUS_OVERFLOW, value, schema, schema.radix, field);
}

/**
 * A `Buffer` where there is one: many clients take nothing else for bytes, and write another array as the text of its numbers. It is named
 * as a property, because bundlers put their own in the place of the name.
 */
export function toBytes(schema: Schema, id: unknown): Uint8Array {
  const { u8 } = loadId(schema, id);
  const bytes = u8.slice(abi.REGISTER, abi.REGISTER + sizeOf(schema)).reverse();
  return globalThis.Buffer?.from(bytes.buffer) ?? bytes;
}

export function fromBytes(schema: Schema, bytes: unknown): Id {
  const size = sizeOf(schema);
  const source = bytesOf(bytes, size);
  const core = use(schema);
  core.u8.fill(0, abi.REGISTER, abi.REGISTER + 16);
  core.u8.set(source, abi.REGISTER);
  core.u8.subarray(abi.REGISTER, abi.REGISTER + size).reverse();
  return take(schema, core, bytes, "bytes");
}

export function toBigInt(schema: Schema, id: unknown): bigint {
  const { u64 } = loadId(schema, id);
  return ((u64[(abi.REGISTER >> 3) + 1] as bigint) << 64n) | (u64[abi.REGISTER >> 3] as bigint);
}

export function fromBigInt(schema: Schema, integer: unknown): Id {
  if (typeof integer !== "bigint") {
    return typeError("integer", integer, "a bigint");
  }
  if (integer < 0n || integer > schema.max) {
    const status = integer < 0n ? abi.STATUS_RANGE : abi.STATUS_OVERFLOW;
    failId(status, integer, schema, schema.radix, "integer");
  }
  const core = use(schema);
  core.u64[abi.REGISTER >> 3] = integer;
  core.u64[(abi.REGISTER >> 3) + 1] = integer >> 64n;
  return take(schema, core, integer, "integer");
}
