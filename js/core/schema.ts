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
  readonly perCallBits: number;
  /** Builds the result of `inspect` from the time and the lower two words of an ID. */
  readonly inspection: (timestamp: number, ticks: number, low: number, high: number) => object;
  /** The default policies, in the words of the options. */
  readonly clockBackwards: (typeof BACKWARDS)[number];
  readonly sequenceFull: (typeof FULL)[number];
}

/**
 * The form of a schema for the module. Numbers: the bits below the sequence, the epoch, the tick,
 * whether IDs are unsigned, whether times are rounded to the nearest, the toggling bit, the bits of
 * calls. Widths: the fields' widths, high to low.
 */
export type Shape = readonly [numbers: Parameters<Core["wasm"]["schema"]>, widths: readonly number[]];

/** A row, the JavaScript type of its IDs, and the values derived from them. */
export type Schema<I extends Id = Id, Many = unknown> = Readonly<ReturnType<typeof schemaOf<I, Many>>>;

/** The largest value of a field. */
export const maxOf = (field: { readonly bits: number } | undefined): number => 2 ** (field?.bits ?? 0) - 1;

/** The three forms of an ID's time. */
export const TIMES = ["timestamp", "time", "ticks"] as const;

/**
 * Completes a row. Errors: `RANGE` if the last tick is past the last `Date`, or too far from the
 * epoch.
 */
export function schemaOf<I extends Id, Many>(row: Row, idType: IdType<I, Many>) {
  const { fields, sequence, epoch, tickMs, facts, radix, text, tickTockBit, perCallBits } = row;
  const { isUnsigned, rounding } = facts;
  const { freeze } = Object;
  const bits = widthOf(fields);
  // The top bit of a 64-bit integer stays clear unless the format is unsigned.
  const spare = bits === abi.INTEGER_BITS && !isUnsigned ? 1 : 0;
  const span = lifeOf(fields[0]?.bits ?? 0, spare, epoch, tickMs);
  const max = (1n << BigInt(bits - spare)) - 1n;
  const perTick = (fields[sequence] as LayoutField).bits;
  const belowTime = widthOf(fields.slice(1));
  const belowSequence = widthOf(fields.slice(sequence + 1));
  const derived = {
    /** Whether the values of a tick are random or a count. */
    kind: row.startBytes > 0 ? "random" : "counting",
    // Frozen, because verbs read it, and users can reach it.
    layout: freeze({ bits, tickMs, ...facts, fields: freeze(fields.map(freeze)) }) as Layout,
    capacity: maxOf(fields[sequence]) + 1,
    endOfLife: epoch + span,
    /** The largest ID, as an integer. */
    max,
    /** For reading: the last tick, and the factor from the higher 32 bits to ticks. */
    last: span / tickMs,
    up: 2 ** (32 - belowTime),
    /** The fewest and the most characters of a text. */
    shortest: text?.length ?? 1,
    longest: text?.length ?? max.toString(radix).length,
    /**
     * The positions of an ID's bits and the meaning of its time: the part of an identity's key that
     * all its generators share. Two formats with equal places make equal IDs, whatever their names,
     * types and rounding are. The width of the time is left out, because it only limits the
     * format's life. The masks of sno's tick-tock bit and of its calls are included, because its
     * slot contains them.
     */
    places: [belowTime, perTick, belowSequence, epoch, tickMs, tickTockBit, perCallBits].join(),
    shape: [
      [belowSequence, epoch, tickMs, +isUnsigned, +(rounding === "nearest"), tickTockBit, perCallBits],
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
