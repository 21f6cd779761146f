/**
 * The schema of a format: its row of the layout table, its epoch, and the derived limits and dates.
 * It needs no module, which only handles single IDs.
 */

import { lifeOf, widthOf } from "../checks.js";
import * as abi from "../generated/constants.js";
import type { BACKWARDS, FULL } from "../generated/layouts.js";
import type { Layout, LayoutField } from "../types.js";
import { digits, type Id, type IdType, type TextForm } from "./ids.js";
import { type Core, load } from "./load.js";

/**
 * A row of the table with its epoch. All properties are required, so that none is read from a
 * polluted prototype.
 */
export interface Row {
  readonly name: string;
  readonly fields: readonly LayoutField[];
  /** The index of the field that counts, or is random, within a tick. */
  readonly sequence: number;
  /** The bytes drawn at the start of a tick if that field is random; else 0. */
  readonly startBytes: number;
  readonly epoch: number;
  readonly tickMs: number;
  /** The other facts of the layout. */
  readonly facts: Omit<Layout, "bits" | "tickMs" | "fields">;
  /** The radix of the text form, or the number of `text`. */
  readonly radix: number;
  /** The text form, unless it is digits of a radix. */
  readonly text: TextForm | undefined;
  /**
   * Masks of the bit that toggles when the clock goes back, and of the bits that each call of
   * `next` passes; 0 for none.
   */
  readonly tickTockBit: number;
  readonly perCall: number;
  /** Builds the result of `inspect` from the unpacked fields. */
  readonly inspection: (f64: Float64Array) => object;
  /** The default policies, in the words of the options. */
  readonly clockBackwards: (typeof BACKWARDS)[number];
  readonly sequenceFull: (typeof FULL)[number];
}

/**
 * The form of a schema for the module. Numbers: the bits below the sequence, the epoch, the tick,
 * whether IDs are unsigned, whether times are rounded to the nearest, the toggling bit, the bits of
 * calls. Widths: the fields' widths, high to low.
 */
export type Shape = readonly [
  numbers: readonly [number, number, number, number, number, number, number],
  widths: readonly number[],
];

/** A row, the JavaScript type of its IDs, and the values derived from them. */
export type Schema<I extends Id = Id, Many = unknown> = Readonly<ReturnType<typeof schemaOf<I, Many>>>;

/** The largest value of a field. */
export const maxOf = (field: { readonly bits: number } | undefined): number => 2 ** (field?.bits ?? 0) - 1;

/** The three forms of an ID's time. */
export const TIMES = ["timestamp", "time", "ticks"] as const;

/** Builds the result of `inspect` if the user declares the fields or their widths. */
export function inspectionOf(fields: readonly { readonly name: string }[]): (f64: Float64Array) => object {
  const names = fields.slice(1).map(({ name }) => name);
  const [a = "", b, c] = names;
  // Writing an existing property does not read the prototype, which may be polluted.
  const empty = Object.fromEntries([...TIMES, ...names].map((name) => [name, 0]));
  return (f64) => {
    const timestamp = f64[abi.DETAIL >> 3] as number;
    const out: Record<string, unknown> = { ...empty };
    out.timestamp = timestamp;
    out.time = new Date(timestamp);
    out.ticks = f64[abi.FIELDS >> 3];
    // Unrolled: each site gets its own inline cache.
    out[a] = f64[(abi.FIELDS >> 3) + 1];
    if (b) out[b] = f64[(abi.FIELDS >> 3) + 2];
    if (c) out[c] = f64[(abi.FIELDS >> 3) + 3];
    for (let i = 3; i < names.length; i++) {
      out[names[i] as string] = f64[(abi.FIELDS >> 3) + 1 + i];
    }
    return out;
  };
}

/**
 * Completes a row. Errors: `RANGE` if the last tick is past the last `Date`, or too far from the
 * epoch.
 */
export function schemaOf<I extends Id, Many>(row: Row, idType: IdType<I, Many>) {
  const { fields, sequence, epoch, tickMs, facts, radix, text, tickTockBit, perCall } = row;
  const { isUnsigned, rounding } = facts;
  const { freeze } = Object;
  const bits = widthOf(fields);
  // The top bit of a 64-bit integer stays clear unless the format is unsigned.
  const spare = bits === abi.INTEGER_BITS && !isUnsigned ? 1 : 0;
  const span = lifeOf(fields[0]?.bits ?? 0, spare, epoch, tickMs);
  const max = (1n << BigInt(bits - spare)) - 1n;
  const belowTime = widthOf(fields.slice(1));
  const belowSequence = widthOf(fields.slice(sequence + 1));
  const longest = text?.length ?? max.toString(radix).length;
  const derived = {
    /** Whether the values of a tick are random or a count. */
    kind: row.startBytes > 0 ? "random" : "counting",
    // Frozen, because verbs read it, and users can reach it.
    layout: freeze({
      bits,
      tickMs,
      ...facts,
      fields: freeze(fields.map((field) => freeze(field))),
    }) as Layout,
    capacity: maxOf(fields[sequence]) + 1,
    belowTime,
    endOfLife: epoch + span,
    /** The largest ID, as an integer. */
    max,
    /** The fewest and the most characters of a text. */
    length: { min: text?.length ?? 1, max: longest },
    /**
     * The positions of an ID's bits and the meaning of its time: the part of an identity's key that
     * all its generators share. Two formats with equal places make equal IDs, whatever their names,
     * types and rounding are. The width of the time is left out, because it only limits the
     * format's life. The masks of sno's tick-tock bit and of its calls are included, because its
     * slot contains them.
     */
    places: [belowTime, fields[sequence]?.bits, belowSequence, epoch, tickMs, tickTockBit, perCall].join(),
    shape: [
      [belowSequence, epoch, tickMs, +isUnsigned, +(rounding === "nearest"), tickTockBit, perCall],
      fields.map((field) => field.bits),
    ] as Shape,
  } as const;
  // Build both objects, instead of copying one and overwriting a property, for V8 (`digits` in
  // ids.ts).
  const asDigits =
    idType.type === "string"
      ? undefined
      : { ...row, ...derived, idType: digits(idType as unknown as IdType<bigint>, radix), digits: undefined };
  // `digits`: the same schema with decimal texts as IDs.
  return { ...row, ...derived, idType, digits: asDigits };
}

/** The fewest and the most characters of a text, in the format's form or in another radix. */
export const lengths = (radix: number, { radix: own, length, max }: Schema): Schema["length"] =>
  radix === own ? length : { min: 1, max: max.toString(radix).length };

/** Returns a core with a loaded schema. If the call is cut off, no schema counts as loaded. */
export function use({ shape }: { readonly shape: Shape }, core = load()): Core {
  if (core.shape !== shape) {
    core.shape = undefined;
    const [numbers, widths] = shape;
    core.u8.fill(0, abi.DATA, abi.BATCH).set(widths, abi.DATA);
    core.wasm.schema(...numbers);
    core.shape = shape;
  }
  return core;
}
