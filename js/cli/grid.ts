/**
 * Draws the bits of an ID in a grid, high to low. A row has 32 bits, or fewer in a narrow terminal.
 * Rows are aligned right, so that the last bit of each row is in the same column.
 */
import type { Layout } from "../types.js";
import { kindOf, kinds } from "./kinds.js";
import { type Colour, type Paint, printable } from "./terminal.js";

/** A field with its bits and its appearance. */
export interface Place {
  readonly name: string;
  /** Highest and lowest bit, counted from 0 at the right. */
  readonly high: number;
  readonly low: number;
  /** A letter that replaces the name in a narrow segment. */
  readonly key: string;
  /** The colour of the field's kind. */
  readonly colour: Colour;
}

const keys = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/** The fields of a layout with their bits. Bits above the first field belong to no field. */
export function places({ fields }: Layout): Place[] {
  let high = fields.reduce((sum, field) => sum + field.bits, 0) - 1;
  return fields.map(({ name, bits, role }, index) => {
    const place = {
      name: printable(name),
      high,
      low: high - bits + 1,
      key: keys[index] ?? "·",
      colour: kinds[kindOf({ role })].terminal as Colour,
    };
    high -= bits;
    return place;
  });
}

/** Possible numbers of bits in a row, the largest first. */
const rowLengths = [32, 16, 8] as const;
/** The width of the bit numbers at the left. */
const margin = 6;
/** The width at the right: two spaces and two digits. */
const rightMargin = 4;

/** The most bits that a row has room for. */
function rowLength(columns: number): number {
  const fitting = rowLengths.find((bits) => margin + 2 * bits + 1 + rightMargin <= columns);
  return fitting ?? rowLengths[rowLengths.length - 1] ?? 8;
}

/** Adjacent bits of one field, or of no field, within one row. */
interface Segment {
  readonly high: number;
  readonly low: number;
  readonly place: Place | undefined;
  /** The column of the line at its left. Bits and lines alternate, one column each. */
  readonly left: number;
}

/** The lines of the grid, as wide as `columns` allows: 75, 43 or 27. */
export function grid(bits: string, fields: readonly Place[], paint: Paint, columns: number): string[] {
  const rowBits = rowLength(columns);
  const right = 2 * rowBits;
  const rows: Segment[][] = [];
  for (let high = bits.length - 1; high >= 0; ) {
    const low = high - (high % rowBits);
    rows.push(segments(high, low, fields, rowBits));
    high = low - 1;
  }

  const indent = " ".repeat(margin);
  const drawn: string[] = [];
  rows.forEach((row, index) => {
    drawn.push(indent + paint("dim", border(rows[index - 1], row, right)));
    drawn.push(...rowLines(row, bits, paint));
  });
  drawn.push(indent + paint("dim", border(rows.at(-1), undefined, right)));
  return drawn;
}

function segments(high: number, low: number, fields: readonly Place[], rowBits: number): Segment[] {
  const found: Segment[] = [];
  for (let bit = high; bit >= low; ) {
    const place = fields.find((field) => field.high >= bit && field.low <= bit);
    const end = Math.max(low, place ? place.low : (fields[0]?.high ?? -1) + 1);
    found.push({ high: bit, low: end, place, left: 2 * (rowBits - 1 - (bit % rowBits)) });
    bit = end - 1;
  }
  return found;
}

/**
 * Two lines: the bits between the numbers of the first and the last bit, and the names of the
 * fields.
 */
function rowLines(row: readonly Segment[], bits: string, paint: Paint): [string, string] {
  const bar = paint("dim", "│");
  const blank = " ".repeat(row[0]?.left ?? 0);
  const number = paint("dim", String(row[0]?.high ?? 0).padStart(margin - 2));
  let digits = `${blank}${number}  ${bar}`;
  let names = blank + " ".repeat(margin) + bar;
  for (const segment of row) {
    digits += digitsOf(segment, bits, paint) + bar;
    names += labelOf(segment, paint) + bar;
  }
  return [`${digits}  ${paint("dim", String(row.at(-1)?.low ?? 0))}`, names];
}

const columnsOf = ({ high, low }: Segment): number => 2 * (high - low + 1) - 1;

function digitsOf({ high, low, place }: Segment, bits: string, paint: Paint): string {
  const last = bits.length - 1;
  // Dim zeros, so that the ones stand out.
  return [...bits.slice(last - high, last - low + 1)]
    .map((bit) => paint(place ? [place.colour, bit === "1" ? "bold" : "dim"] : "dim", bit))
    .join(" ");
}

/** The field's letter and name, centred; in a narrow segment, only the letter. */
function labelOf(segment: Segment, paint: Paint): string {
  const { place } = segment;
  const columns = columnsOf(segment);
  if (!place) return " ".repeat(columns);
  const full = `${place.key} ${place.name}`;
  const text = full.length <= columns ? full : place.key;
  const before = Math.floor((columns - text.length) / 2);
  return " ".repeat(before) + paint(place.colour, text) + " ".repeat(columns - text.length - before);
}

const [up, down, toLeft, toRight] = [1, 2, 4, 8];
/** Box characters, indexed by the lines that meet: up 1, down 2, left 4, right 8. */
const boxes = "   │ ╯╮┤ ╰╭├─┴┬┼";

/** The line between two rows, above the first, or below the last. */
function border(
  above: readonly Segment[] | undefined,
  below: readonly Segment[] | undefined,
  right: number,
): string {
  const start = Math.min(above?.[0]?.left ?? right, below?.[0]?.left ?? right);
  const linesAbove = verticals(above, right);
  const linesBelow = verticals(below, right);
  let text = " ".repeat(start);
  for (let column = start; column <= right; column++) {
    const meeting =
      (linesAbove.has(column) ? up : 0) +
      (linesBelow.has(column) ? down : 0) +
      (column > start ? toLeft : 0) +
      (column < right ? toRight : 0);
    text += boxes[meeting] ?? " ";
  }
  return text;
}

function verticals(row: readonly Segment[] | undefined, right: number): Set<number> {
  return new Set(row ? [...row.map(({ left }) => left), right] : []);
}
