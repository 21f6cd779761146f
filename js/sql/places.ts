/**
 * The positions of the fields in IDs that a database generates. Its counter holds the time and the
 * sequence as one integer.
 */
import type { AnyFormat } from "../any-format.js";
import { fail } from "../errors.js";
import type { LayoutField } from "../types.js";
import { type Scale, scaleOf } from "./scale.js";

/** The values of the fixed fields, by name. */
export type FixedFields = Readonly<Record<string, number>>;

/** The numbers that turn a counter into an ID. */
export interface Places extends Scale {
  /** The width of the sequence in bits. */
  readonly bits: bigint;
  /** The largest sequence. */
  readonly mask: bigint;
  /** The offset of the sequence from the lowest bit. */
  readonly low: bigint;
  /** The fixed fields, shifted to their offsets. */
  readonly fixed: bigint;
  /**
   * Microseconds to add to the clock before it is floored to the tick: half a millisecond if the
   * format rounds times, else 0.
   */
  readonly half: bigint;
}

/** Errors: those of `compose` for fields that are missing, unknown or too large. */
export function placesOf(format: AnyFormat, fields: FixedFields, unsigned: boolean): Places {
  const scale = scaleOf(format, unsigned);
  const all = format.layout.fields;
  const index = all.findIndex(({ role }) => role === "sequence" || role === "random");
  const { name, bits } = all[index] as LayoutField;
  const given: Record<string, number> = { __proto__: null, ...Object(fields) };
  for (const own of [name, "time", "timestamp", "ticks"]) {
    if (own in given) {
      fail("UNKNOWN_FIELD", own, given[own], `fields: leave out ${own}, which the database counts`);
    }
  }
  const id = format.compose({ ...given, ticks: 0, [name]: 0 });
  return {
    ...scale,
    bits: BigInt(bits),
    mask: (1n << BigInt(bits)) - 1n,
    low: all.slice(index + 1).reduce((sum, field) => sum + BigInt(field.bits), 0n),
    fixed: format.toBigInt(id),
    half: format.layout.rounding === "nearest" ? 500n : 0n,
  };
}

/**
 * The ID for a counter, or for its name in SQL. All operators have parentheses, because databases
 * differ in operator precedence.
 */
export const idOf = ({ bits, mask, low, shift, fixed }: Places, counter: string): string =>
  `((${counter} >> ${bits}) << ${shift}) | ((${counter} & ${mask}) << ${low}) | ${fixed}`;
