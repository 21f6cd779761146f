/** Drawings of `graupel inspect`, and their parts. */
import drawings from "./drawings.json" with { type: "json" };
import { linesOf } from "./run.ts";

/** A recorded drawing, or a part of one. */
export const drawingOf = (name: keyof typeof drawings): string => `${drawings[name].join("\n")}\n`;

/** The lines of a drawing that show bits. */
export const rowsOf = (drawing: string): string[] =>
  linesOf(drawing).filter((line) => /^ +\d+ {2}│[01 │]+│ {2}\d+$/.test(line));

/** The bits that such a line shows. */
export const bitsOf = (row: string): string =>
  row.slice(row.indexOf("│"), row.lastIndexOf("│")).replace(/[^01]/g, "");
