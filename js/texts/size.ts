/** How large the IDs of a format are. */
import type { AnyFormat } from "../any-format.js";

/** Of the largest ID, which is all ones, so that every integer of as many bits is an ID; and what `toBytes` gives. */
type Size = readonly [bits: number, bytes: number];

/** The size of each format that was used. */
const sizes = /* @__PURE__ */ new WeakMap<AnyFormat, Size>();

/** The size of a format's IDs, which its core tells once. */
export function sizeOf(format: AnyFormat): Size {
  let size = sizes.get(format);
  if (size === undefined) {
    const { max } = format;
    size = [max.toString(2).length, format.toBytes(format.fromBigInt(max)).length];
    sizes.set(format, size);
  }
  return size;
}
