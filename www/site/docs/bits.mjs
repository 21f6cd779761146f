// Draws the layout of a format: rows of bits, highest first, each field in the colour of its kind.

import { readFileSync } from "node:fs";
import { fromRoot } from "../../../xtask/lib/process.mjs";

const palette = JSON.parse(readFileSync(fromRoot("js", "cli", "palette.json"), "utf8"));

export const wordsOf = (kind) => palette.kinds[kind].words;

/** The fields of a format's facts with their letters, kinds and bit positions, from high to low. */
export function fieldsOf({ bits, fields }) {
  let top = bits;
  return fields.map((field, i) => {
    top -= field.bits;
    return {
      ...field,
      letter: "abcdefgh"[i],
      kind: palette.roles[field.role],
      from: top + field.bits - 1,
      to: top,
    };
  });
}

export const bitsInWords = ({ from, to }) => (from === to ? `bit ${from}` : `bits ${from} to ${to}`);

/** Sizes in units of the drawing. A unit is about a pixel, both on phones and on wide screens. */
const ROW = 58;
const HEIGHT = 32;
const LETTER = 6.9;

/** Splits each field at the ends of the rows. A part knows its highest and its lowest bit. */
function runs(fields, bits, perRow) {
  const rows = Math.ceil(bits / perRow);
  return fields.flatMap((field) => {
    const parts = [];
    for (let row = 0; row < rows; row++) {
      // The lowest bit of a row is at the right. The first row may be shorter.
      const low = (rows - 1 - row) * perRow;
      const from = Math.min(field.from, low + perRow - 1);
      const to = Math.max(field.to, low);
      if (from >= to)
        parts.push({ field, row, left: low + perRow - 1 - from, width: from - to + 1, from, to });
    }
    return parts;
  });
}

function drawing({ name, layout }, perRow, className) {
  const fields = fieldsOf(layout);
  const gutter = 24;
  const cell = (perRow === 16 ? 312 : 640) / perRow;
  const parts = runs(fields, layout.bits, perRow);
  const rows = Math.ceil(layout.bits / perRow);
  const shapes = parts.map((part) => {
    const { field, row, left, width } = part;
    const x = gutter + left * cell;
    const y = row * ROW;
    const own = parts.filter((one) => one.field === field);
    const widest = Math.max(...own.map((one) => one.width));
    const middle = `x="${round(x + (width * cell) / 2)}"`;
    const ticks = Array.from(
      { length: width - 1 },
      (_, i) => `M${round(x + (i + 1) * cell)} ${y + HEIGHT - 7}v4`,
    );
    const size = `x="${round(x + 0.5)}" width="${round(width * cell - 1)}"`;
    const shape = `<rect ${size} y="${y}" height="${HEIGHT}"/><rect class="edge" ${size} y="${y + HEIGHT - 3}" height="3"/>${ticks.length > 0 ? `<path d="${ticks.join("")}"/>` : ""}`;
    // Label each field once, in its widest part: with its letter, and with its name if that fits.
    const named = part === own.find((one) => one.width === widest);
    const letter = named ? `<text ${middle} y="${y + 19}">${field.letter}</text>` : "";
    const fits = field.name.length * LETTER <= width * cell + 6;
    const name =
      named && fits ? `<text class="name" ${middle} y="${y + HEIGHT + 14}">${field.name}</text>` : "";
    return `<g class="kind-${field.kind}">${shape}${letter}${name}</g>`;
  });
  const numbers = Array.from({ length: rows }, (_, row) => {
    const low = (rows - 1 - row) * perRow;
    const high = Math.min(layout.bits - 1, low + perRow - 1);
    const left = gutter + (low + perRow - 1 - high) * cell - 5;
    const y = row * ROW + 19;
    return `<text class="at" x="${round(left)}" y="${y}">${high}</text><text class="at low" x="${round(gutter + perRow * cell + 5)}" y="${y}">${low}</text>`;
  });
  const width = gutter * 2 + perRow * cell;
  const inWords = fields.map((field) => `${field.name}, ${bitsInWords(field)}`).join("; ");
  return `<svg class="${className}" viewBox="0 0 ${width} ${rows * ROW - 8}" role="img" aria-label="The ${layout.bits} bits of ${name}, the highest first: ${inWords}">${shapes.join("")}${numbers.join("")}</svg>`;
}

const round = (x) => Math.round(x * 10) / 10;

/**
 * Draws the layout twice: in rows of 32 bits (40 if the layout fills these evenly), and in rows of
 * 16 bits for phones. Each screen shows one of the two.
 */
export function drawings(format) {
  const wide = format.layout.bits % 40 === 0 ? 40 : 32;
  return drawing(format, wide, "bits wide") + drawing(format, 16, "bits narrow");
}
