/** The bits of an ID in a grid: rows of 32, high to low, right-aligned so that bit 0 of each row is in one column. */
import type { Layout } from "../types.js";
import { type Paint, printable } from "./terminal.js";

/** A field with its place among the bits, and how it is shown. */
export interface Place {
  readonly name: string;
  /** Highest and lowest bit, counted from 0 at the right. */
  readonly high: number;
  readonly low: number;
  /** A letter for where the name has no room. */
  readonly key: string;
  readonly colour: Colour;
}

const colours = ["cyan", "yellow", "green", "magenta", "blueBright", "red"] as const;
type Colour = (typeof colours)[number];
const keys = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/** Where the fields of a layout are. Bits above the first field belong to none. */
export function places({ fields }: Layout): Place[] {
  let high = fields.reduce((sum, field) => sum + field.bits, 0) - 1;
  return fields.map(({ name, bits }, index) => {
    const place = {
      name: printable(name),
      high,
      low: high - bits + 1,
      key: keys[index] ?? "·",
      colour: colours[index % colours.length] ?? "cyan",
    };
    high -= bits;
    return place;
  });
}

const rowBits = 32;
const right = 2 * rowBits;
/** Width of the numbers of bits on both sides. */
const margin = 6;

/** A run of bits of one field, or of none, within one row. */
interface Segment {
  readonly high: number;
  readonly low: number;
  readonly place: Place | undefined;
}

/** Column of the line left of a bit; each bit has a column of its own between two such. */
const columnOf = (bit: number): number => 2 * (rowBits - 1 - (bit % rowBits));

/** Draws the lines of the grid, 76 columns at most. */
export function grid(bits: string, fields: readonly Place[], paint: Paint): string[] {
  const rows: Segment[][] = [];
  for (let high = bits.length - 1; high >= 0; ) {
    const low = high - (high % rowBits);
    rows.push(segments(high, low, fields));
    high = low - 1;
  }

  const indent = " ".repeat(margin);
  const drawn: string[] = [];
  rows.forEach((row, index) => {
    drawn.push(indent + paint("dim", border(rows[index - 1], row)));
    drawn.push(...rowLines(row, bits, paint));
  });
  drawn.push(indent + paint("dim", border(rows.at(-1), undefined)));
  return drawn;
}

function segments(high: number, low: number, fields: readonly Place[]): Segment[] {
  const found: Segment[] = [];
  for (let bit = high; bit >= low; ) {
    const place = fields.find((field) => field.high >= bit && field.low <= bit);
    const end = Math.max(low, place ? place.low : (fields[0]?.high ?? -1) + 1);
    found.push({ high: bit, low: end, place });
    bit = end - 1;
  }
  return found;
}

/** The row of bits, with the numbers of its first and last at both ends; and below it the fields' names. */
function rowLines(row: readonly Segment[], bits: string, paint: Paint): [string, string] {
  const bar = paint("dim", "│");
  const first = row[0]?.high ?? 0;
  const blank = " ".repeat(columnOf(first));
  const number = paint("dim", String(first).padStart(margin - 2));
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
  // Zeros step back, so that the pattern of the ones can be seen.
  return [...bits.slice(last - high, last - low + 1)]
    .map((bit) => paint(place ? [place.colour, bit === "1" ? "bold" : "dim"] : "dim", bit))
    .join(" ");
}

/** The field's letter and name in the middle of its bits; the letter alone where there is no room. */
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
/** Box characters by the lines that meet in them: up 1, down 2, left 4, right 8. */
const boxes = "   │ ╯╮┤ ╰╭├─┴┬┼";

/** The line between two rows, or above the first, or below the last. */
function border(above: readonly Segment[] | undefined, below: readonly Segment[] | undefined): string {
  const start = Math.min(edge(above), edge(below));
  const linesAbove = verticals(above);
  const linesBelow = verticals(below);
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

const edge = (row: readonly Segment[] | undefined): number => (row?.[0] ? columnOf(row[0].high) : right);

function verticals(row: readonly Segment[] | undefined): Set<number> {
  return new Set(row ? [...row.map((segment) => columnOf(segment.high)), right] : []);
}
