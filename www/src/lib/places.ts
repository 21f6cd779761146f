/** Locates the fields of an ID in its bits and cuts the bits into rows. Bit 0 is at the right. */
import type { FieldKind } from "../../../js/cli/kinds.ts";

/** A field with its position. */
export interface Place {
  readonly name: string;
  readonly kind: FieldKind;
  readonly high: number;
  readonly low: number;
}

interface Field {
  readonly name: string;
  readonly bits: number;
}

/** The positions of a layout's fields, from high to low. */
export function placesOf<F extends Field>(
  { fields }: { readonly fields: readonly F[] },
  kindOf: (field: F) => FieldKind,
): Place[] {
  let next = fields.reduce((sum, { bits }) => sum + bits, 0) - 1;
  return fields.map((field) => {
    const high = next;
    next -= field.bits;
    return { name: field.name, kind: kindOf(field), high, low: next + 1 };
  });
}

/** The bits of a field, as a number. */
export const bitsOf = (integer: bigint, { high, low }: Pick<Place, "high" | "low">): bigint =>
  (integer >> BigInt(low)) & ((1n << BigInt(high - low + 1)) - 1n);

/** Adjacent bits of a row that belong to the same field, or to no field. */
export interface Segment {
  readonly place: Place | undefined;
  readonly high: number;
  readonly low: number;
  /** Whether the segment shows the field's name. It is the widest segment of the field. */
  readonly isNamed: boolean;
}

/** The rows of a drawing with their segments, from high to low. */
export function rowsOf(width: number, perRow: number, places: readonly Place[]): Segment[][] {
  const rows: Omit<Segment, "isNamed">[][] = [];
  for (let high = width - 1; high >= 0; high -= (high % perRow) + 1)
    rows.push(segmentsOf(high, high - (high % perRow), places));
  const all = rows.flat();
  const widest = (place: Place) =>
    all
      .filter((one) => one.place === place)
      .reduce((best, one) => (one.high - one.low > best.high - best.low ? one : best));
  return rows.map((row) =>
    row.map((one) => ({ ...one, isNamed: one.place !== undefined && widest(one.place) === one })),
  );
}

function segmentsOf(high: number, low: number, places: readonly Place[]): Omit<Segment, "isNamed">[] {
  const found: Omit<Segment, "isNamed">[] = [];
  for (let bit = high; bit >= low; ) {
    const place = places.find((one) => one.high >= bit && one.low <= bit);
    const end = Math.max(low, place?.low ?? (places[0]?.high ?? -1) + 1);
    found.push({ place, high: bit, low: end });
    bit = end - 1;
  }
  return found;
}
