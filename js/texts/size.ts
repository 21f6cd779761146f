/** The size of a format's IDs. */
import type { AnyFormat } from "../any-format.js";

/**
 * The bits of the largest ID, which is all ones, so every integer of that width is an ID; and the
 * bytes of `toBytes`.
 */
type Size = readonly [bits: number, bytes: number];

/** The sizes of the formats used so far. */
const sizes = /* @__PURE__ */ new WeakMap<AnyFormat, Size>();

/** Returns the size of a format's IDs. Asks its core once. */
export function sizeOf(format: AnyFormat): Size {
  let size = sizes.get(format);
  if (size === undefined) {
    const { max } = format;
    size = [max.toString(2).length, format.toBytes(format.fromBigInt(max)).length];
    sizes.set(format, size);
  }
  return size;
}
