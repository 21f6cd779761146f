/** Where the fields are in IDs that a database makes: its counter is the time and the sequence as one integer. */
import type { AnyFormat } from "../any-format.js";
import { fail } from "../errors.js";
import type { LayoutField } from "../types.js";
import { type Scale, scaleOf } from "./scale.js";

/** The numbers of the fixed fields, by their names. */
export type FixedFields = Readonly<Record<string, number>>;

/** What makes an ID of a counter. */
export interface Places extends Scale {
  /** Width of the sequence. */
  readonly bits: bigint;
  /** Its largest value. */
  readonly mask: bigint;
  /** Distance of the sequence from the lowest bit. */
  readonly low: bigint;
  /** The fixed fields, in place. */
  readonly fixed: bigint;
  /** What the clock is moved by before it is floored to the tick, in microseconds: half a millisecond, if times are rounded. */
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
      fail("UNKNOWN_FIELD", own, given[own], `fields: ${own} is what the database counts`);
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

/** The ID of a counter, or of its name in SQL. All operators are in parentheses: databases do not agree on what binds closer. */
export const idOf = ({ bits, mask, low, shift, fixed }: Places, counter: string): string =>
  `((${counter} >> ${bits}) << ${shift}) | ((${counter} & ${mask}) << ${low}) | ${fixed}`;
