/** `toBytes`, `fromBytes`, `toBigInt`, `fromBigInt`: an ID as big-endian bytes, and as an integer. */
import { bytesOf, wrongType } from "../checks.js";
import type { Id } from "../core/id-types.js";
import type { Core } from "../core/load.js";
import { refuseId } from "../core/refusals.js";
import { use } from "../core/schema.js";
import { REGISTER, STATUS_OVERFLOW, STATUS_RANGE } from "../generated/constants.js";
import { type Codec, loadId } from "./parse.js";

/** Bytes of an ID: sno 10, 64-bit formats 8 (however many bits a layout uses), Snowflake-SI 7. */
const sizeOf = <I extends Id>({ schema, idType }: Codec<I>): number =>
  idType.type === "number" ? 7 : Math.max(8, Math.ceil(schema.layout.bits / 8));

/** The ID in the register, if the core finds it in range. */
function take<I extends Id>({ schema, idType }: Codec<I>, core: Core, value: unknown, field: string): I {
  return core.wasm.$inspect() === 0
    ? idType.takeValue(core)
    : refuseId(STATUS_OVERFLOW, value, schema, idType.type, schema.radix, field);
}

export function toBytes<I extends Id>(codec: Codec<I>, id: unknown): Uint8Array {
  const { u8 } = loadId(codec, id);
  return u8.slice(REGISTER, REGISTER + sizeOf(codec)).reverse();
}

export function fromBytes<I extends Id>(codec: Codec<I>, bytes: unknown): I {
  const size = sizeOf(codec);
  const source = bytesOf(bytes, size);
  const core = use(codec.schema);
  core.u8.fill(0, REGISTER, REGISTER + 16);
  core.u8.set(source, REGISTER);
  core.u8.subarray(REGISTER, REGISTER + size).reverse();
  return take(codec, core, bytes, "bytes");
}

export function toBigInt<I extends Id>(codec: Codec<I>, id: unknown): bigint {
  const { u64 } = loadId(codec, id);
  return ((u64[(REGISTER >> 3) + 1] as bigint) << 64n) | (u64[REGISTER >> 3] as bigint);
}

export function fromBigInt<I extends Id>(codec: Codec<I>, integer: unknown): I {
  const { schema, idType } = codec;
  if (typeof integer !== "bigint") {
    return wrongType("integer", integer, "a bigint");
  }
  if (integer < 0n || integer > schema.max) {
    const status = integer < 0n ? STATUS_RANGE : STATUS_OVERFLOW;
    refuseId(status, integer, schema, idType.type, schema.radix, "integer");
  }
  const core = use(schema);
  core.u64[REGISTER >> 3] = integer;
  core.u64[(REGISTER >> 3) + 1] = integer >> 64n;
  return take(codec, core, integer, "integer");
}
