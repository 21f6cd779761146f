/**
 * Describes the position of an ID in its text: after a name, in a column, or at a point in a line.
 * IDs at equal positions form a series.
 */
import { nameBefore } from "./context.ts";

export interface Position {
  /** Equal for all IDs of a series. */
  readonly key: string;
  /** Completes "other IDs …" in a sentence. */
  readonly words: string;
}

/** How many characters before an ID are examined. */
const BEFORE = 240;

/** The beginning of a list, up to one of its elements. */
const LIST = /\[\s*(?:["']?[\w-]+["']?\s*,\s*)*["']?$/;
const COLUMN = /([,;\t|]) *["'`]?$/;
/**
 * The last word before an ID and the punctuation between, or only the punctuation. Digits are left
 * out, because they differ from line to line.
 */
const LAST = /[A-Za-z_]*[^A-Za-z0-9]*$/;

export function positionOf(input: string, start: number): Position {
  const from = Math.max(0, start - BEFORE);
  const before = input.slice(from, start).replace(LIST, "[");
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const separator = COLUMN.exec(line)?.[1];
  // If the line begins too far away, its columns cannot be counted.
  if (separator !== undefined && (line.length < before.length || from === 0))
    return { key: `column ${line.split(separator).length}${separator}`, words: "in this column" };
  const name = separator === undefined ? nameBefore(line)?.name : undefined;
  if (name !== undefined) return { key: `name ${name}`, words: `after “${name}”` };
  return { key: `line ${LAST.exec(line)?.[0]}`, words: "at this position of a line" };
}
