/**
 * sno: 80 bits, 4 ms ticks, a byte of your own (the metabyte), 16 characters that sort as the IDs
 * do, and a bit that toggles when the clock goes back. Defined by https://github.com/muyo/sno.
 *
 * @module graupel/sno
 */

import { rangeError, typeError } from "../../errors.js";
import { leasable } from "../../identity/holder.js";
import { LEASE } from "../../identity/shared.js";
import { words } from "../../read/load.js";
import type { Format } from "../../types.js";
import { formatOf, parse, ticksOf } from "../../verbs/all.js";
import { generator, schema } from "./generator.js";
import type { SnoGenerator, SnoOptions } from "./types.js";

export type * from "../../types.js";
export type { SnoAsyncOptions, SnoGenerator, SnoOptions, SnoSnapshot } from "./types.js";

/** The fields of a sno, without the time. */
export type SnoField = "tickTock" | "metabyte" | "partition" | "sequence";

/** The sno format. */
export interface Sno extends Format<string, SnoField, SnoOptions, SnoGenerator, "tickTock"> {
  /**
   * Generates an ID with a shared generator, which has an automatic partition and is created on
   * first use. `metabyte`: 0 to 255, 0 by default. Errors: those of the generator's `next`.
   */
  next(this: void, metabyte?: number): string;
  /** Returns the metabyte, 0 to 255. Errors: those of `parse`. */
  metabyte(this: void, id: string): number;
  /**
   * Returns the 16 characters as the 16 bytes of a UUID, without a UUID version. Errors: those of
   * `parse`.
   */
  toUUID(this: void, id: string): string;
  /** The inverse of `toUUID`, in either case. Errors: `TYPE`, `LENGTH`, `CHARACTER`. */
  fromUUID(this: void, uuid: string): string;
  /** The ID with all bits zero. */
  readonly zero: string;
  /** sno itself. */
  readonly text: Sno;
}

const UUID_LENGTH = 36;

/** The characters of a sno as a UUID: two digits each, with four hyphens. */
const uuidOf = (id: string): string =>
  id.replace(/./g, (c, i) => ([4, 6, 8, 10].includes(i) ? "-" : "") + c.charCodeAt(0).toString(16));

/** The inverse of `uuidOf`. */
function fromUUID(uuid: string): string {
  if (typeof uuid !== "string") {
    typeError("uuid", uuid, "a string");
  }
  if (uuid.length !== UUID_LENGTH) {
    rangeError("uuid", uuid.length, UUID_LENGTH, UUID_LENGTH, `${UUID_LENGTH} characters`, "LENGTH");
  }
  const wrong = uuid.split("").findIndex((c, i) => !([8, 13, 18, 23].includes(i) ? /-/ : /[\da-f]/i).test(c));
  const hex = uuid.replaceAll("-", "");
  const text = hex.replace(/../g, (byte) => String.fromCharCode(Number(`0x${byte}`)));
  const what = "the hexadecimal bytes of a sno's characters";
  if (wrong >= 0) {
    rangeError("uuid", uuid, wrong, wrong, what, "CHARACTER");
  }
  return schema.idType.parse(schema, text) ?? typeError("uuid", uuid, what, "CHARACTER");
}

let ready: SnoGenerator["next"] | undefined;

/**
 * sno: 80 bits, 8 of them yours. It needs no configuration, and the clock may go back.
 *
 * | | |
 * | --- | --- |
 * | clock goes back | `"tick-tock"`: continue at the earlier time with the tick-tock bit toggled, and wait at a time that was used twice; or `"throw"`, `"wait"`, `"hold"` |
 * | sequence full | `"wait"`; or `"throw"`, `"borrow"` |
 *
 * @example
 * ```js
 * import { sno } from "graupel/sno";
 * console.log(sno.inspect("brpk4q72xwf2m63l").time.toISOString());   // 2031-05-08T23:03:34.976Z
 * console.log(sno.metabyte("brpk4q72xwf2m63l"));                     // 255
 * ```
 */
export const sno: Sno = /* @__PURE__ */ formatOf(schema, () => ({
  generator,
  [LEASE]: leasable(schema),
  next(...metabyte: [number?]) {
    ready ??= generator().next;
    return ready(...metabyte);
  },
  metabyte(id: string) {
    ticksOf(schema, id);
    // Partition and sequence are the lower word.
    return (words[1] as number) & 255;
  },
  toUUID: (id: string) => uuidOf(parse(schema, id) as string),
  fromUUID,
  zero: "2".repeat(16),
}));
