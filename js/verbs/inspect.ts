/** `inspect`: an ID to its fields. */
import type { Id } from "../core/id-types.js";
import { type Codec, loadId } from "./parse.js";

/** The fields by name, and the time in three forms. */
export const inspect = <I extends Id>(codec: Codec<I>, id: unknown): object =>
  codec.schema.inspection(loadId(codec, id, codec.schema.radix, "id", 1).f64);
