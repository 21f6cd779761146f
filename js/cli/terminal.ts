/** What the terminal can show: its width, colours where they are wanted, and foreign text made harmless. */
import { styleText } from "node:util";

export type Style = Parameters<typeof styleText>[0];

/** Puts a style around a text, or leaves the text alone. */
export type Paint = (style: Style, text: string) => string;

interface Target {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  hasColors?(): boolean;
}

/** Columns that are used where there are as many, and where there is no terminal. */
export const widest = 80;

/** Columns that are used where there are fewer: their lines break. */
const narrowest = 40;

const plain: Paint = (_style, text) => text;
// The decision is made here, once per stream, so `styleText` must not look at a stream of its own choice.
const coloured: Paint = (style, text) => styleText(style, text, { validateStream: false });

/** NO_COLOR wins, then FORCE_COLOR, then whether the stream is a terminal that can. */
export function paintFor(target: Target, env: NodeJS.ProcessEnv = process.env): Paint {
  if (env.NO_COLOR) return plain;
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced === "0" || forced === "false" ? plain : coloured;
  return target.isTTY && target.hasColors?.() ? coloured : plain;
}

/** Columns to draw in: COLUMNS wins over what the terminal says. */
export function columnsOf(target: Target, env: NodeJS.ProcessEnv = process.env): number {
  if (!target.isTTY) return widest;
  const wanted = /^\d+$/.test(env.COLUMNS ?? "") ? Number(env.COLUMNS) : 0;
  return Math.min(widest, Math.max(narrowest, wanted || target.columns || widest));
}

// Controls, format characters (bidirectional overrides among them), halves of surrogate pairs, private and
// unassigned characters, line separators: printed as they are, they could repaint the reader's terminal.
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

/** Foreign text, safe to print: what cannot be seen is written as an escape, and `limit` characters are enough. */
export function printable(text: string, limit = Number.POSITIVE_INFINITY): string {
  const shown = text.replace(unprintable, (c) => `\\u{${c.codePointAt(0)?.toString(16) ?? ""}}`);
  return clip(shown, limit);
}

/** Cuts a text to a number of columns, and says so by an ellipsis. */
export function clip(text: string, columns: number): string {
  if (text.length <= columns) return text;
  const characters = [...text];
  return characters.length <= columns ? text : `${characters.slice(0, columns - 1).join("")}…`;
}
