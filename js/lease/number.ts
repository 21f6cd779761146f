/** The number that is leased: the values of all fixed fields of a format, packed high to low. */
import { numberIn, pickOptions } from "../checks.js";
import { rangeError } from "../errors.js";
import type { LayoutField } from "../types.js";

/** The facts of a format that a lease needs. */
export interface Leasable {
  readonly name: string;
  readonly epoch: number;
  readonly tickMs: number;
  readonly fields: readonly LayoutField[];
}

/** The numbers of a format. */
export interface Numbering {
  /** The layout, epoch and tick, as a short text: two formats with the same text make IDs of the same identities. */
  readonly layout: string;
  readonly last: number;
  /** The fixed fields, and which fields of the format they are. */
  readonly fixed: readonly (LayoutField & { readonly place: number })[];
}

/** Numbers are 32-bit integers of databases, without a sign. */
const MOST_BITS = 31;

/** The numbers of a format whose own options have these names: its fixed fields are among them. */
export function numberingOf({ epoch, tickMs, fields }: Leasable, names: readonly string[]): Numbering {
  const fixed = fields
    .map((field, place) => ({ ...field, place }))
    .filter(({ name }) => names.includes(name));
  const bits = fixed.reduce((sum, { bits }) => sum + bits, 0);
  if (bits > MOST_BITS) {
    rangeError("format", bits, 0, MOST_BITS, `fixed fields of up to ${MOST_BITS} bits`);
  }
  const widths = fields.map(({ name, bits }) => `${bits}${names.includes(name) ? "n" : ""}`);
  return {
    layout: `${epoch}+${tickMs}:${widths.join()}`,
    last: 2 ** bits - 1,
    fixed,
  };
}

/** The value of each field of the schema; 0 for those that are not fixed. */
export function unpacked({ fields }: Leasable, { fixed }: Numbering, number: number): number[] {
  const values = fields.map(() => 0);
  fixed.reduceRight((rest, { place, bits }) => {
    const size = 2 ** bits;
    values[place] = rest % size;
    return Math.floor(rest / size);
  }, number);
  return values;
}

/** Which numbers have these values of fixed fields, a copy of which is given back. Errors: `TYPE`, `UNKNOWN_FIELD`, `RANGE`. */
export function restrictedTo({ fixed }: Numbering, given: unknown) {
  let mask = 0;
  let bits = 0;
  const names = fixed.map(({ name }) => name);
  const chosen = pickOptions(given, "fixed", names, "UNKNOWN_FIELD") as Readonly<Record<string, number>>;
  for (const { name, bits: width } of fixed) {
    const size = 2 ** width;
    const value = chosen[name];
    mask *= size;
    bits *= size;
    if (value !== undefined) {
      mask += size - 1;
      bits += numberIn(value, name, size - 1);
    }
  }
  return { mask, bits, chosen };
}
