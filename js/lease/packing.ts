/** The number that is leased: the values of all fixed fields of a format, packed high to low. */
import { numberIn, pickOptions } from "../checks.js";
import { rangeError } from "../errors.js";
import { byName, type Leasable } from "../identity/shared.js";

/** The facts of a format that a number depends on. */
export type Numbered = Pick<Leasable[0], "epoch" | "tickMs" | "fields">;

/** Databases store numbers as 32-bit integers, of which the sign bit is not used. */
const MOST_BITS = 31;

/** The fields that a number contains. */
export const fixedOf = ({ fields }: Numbered) => fields.filter(({ role }) => role === "fixed");

/**
 * The layout, epoch and tick as a short text. Two formats with the same text share their
 * identities.
 */
export const layoutOf = ({ epoch, tickMs, fields }: Numbered) =>
  `${epoch}+${tickMs}:${fields.map(({ bits, role }) => `${bits}${role === "fixed" ? "n" : ""}`)}`;

/** The value of each field; 0 for those that are not fixed. */
export function valuesOf({ fields }: Numbered, number: number): number[] {
  const values = fields.map(() => 0);
  fields.reduceRight((rest, { role, bits }, i) => {
    const size = role === "fixed" ? 2 ** bits : 1;
    values[i] = rest % size;
    return Math.floor(rest / size);
  }, number);
  return values;
}

/** The values of the fixed fields, by name. */
export const fieldsOf = (numbered: Numbered, number: number) => byName(numbered, valuesOf(numbered, number));

/**
 * The last number of a format, the numbers that have the given values of fixed fields, and a copy
 * of those values. Errors: `TYPE`, `UNKNOWN_FIELD`, `RANGE`.
 */
export function numbersOf(numbered: Numbered, given: unknown) {
  const fixed = fixedOf(numbered);
  const names = fixed.map(({ name }) => name);
  const width = fixed.reduce((sum, { bits }) => sum + bits, 0);
  if (width > MOST_BITS) {
    rangeError("format", width, 0, MOST_BITS, `fixed fields of up to ${MOST_BITS} bits`);
  }
  let mask = 0;
  let bits = 0;
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
  return { last: 2 ** width - 1, mask, bits, chosen };
}
