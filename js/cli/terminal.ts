/** The terminal: its width, colours, and safe output of text from outside. */
import { styleText } from "node:util";

export type Style = Parameters<typeof styleText>[0];
/** One style. */
export type Colour = Exclude<Style, readonly unknown[]>;

/** Adds a style to a text or returns it unchanged. */
export type Paint = (style: Style, text: string) => string;

interface Target {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  hasColors?(): boolean;
}

/** The most columns that are used; also the width without a terminal. */
export const widest = 80;

/** The fewest columns that are used. In a narrower terminal, lines break. */
const narrowest = 40;

const plain: Paint = (_style, text) => text;
// `paintFor` decides for each stream, so `styleText` must not check a stream itself.
const coloured: Paint = (style, text) => styleText(style, text, { validateStream: false });

/** NO_COLOR wins, then FORCE_COLOR, then whether the stream is a terminal with colours. */
export function paintFor(target: Target, env: NodeJS.ProcessEnv = process.env): Paint {
  if (env.NO_COLOR) return plain;
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced === "0" || forced === "false" ? plain : coloured;
  return target.isTTY && target.hasColors?.() ? coloured : plain;
}

/** The width for drawings. COLUMNS wins over the terminal's own width. */
export function columnsOf(target: Target, env: NodeJS.ProcessEnv = process.env): number {
  if (!target.isTTY) return widest;
  const wanted = /^\d+$/.test(env.COLUMNS ?? "") ? Number(env.COLUMNS) : 0;
  return Math.min(widest, Math.max(narrowest, wanted || target.columns || widest));
}

// Control and format characters (such as bidirectional overrides), single surrogates, private and
// unassigned characters, and line separators. An ID from outside could use them to control the
// terminal.
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

/**
 * Text from outside, safe to print: escapes invisible characters, and cuts after `limit`
 * characters.
 */
export function printable(text: string, limit = Number.POSITIVE_INFINITY): string {
  const shown = text.replace(unprintable, (c) => `\\u{${c.codePointAt(0)?.toString(16) ?? ""}}`);
  return clip(shown, limit);
}

/**
 * A value as JSON in one line, safe to print. The same characters have JSON escapes, so the value
 * stays the same.
 */
export const printableJson = (value: unknown): string =>
  JSON.stringify(value).replace(unprintable, (c) =>
    // One escape for each UTF-16 unit.
    c.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );

/** Cuts a text to a number of columns, with an ellipsis at the end. */
export function clip(text: string, columns: number): string {
  if (text.length <= columns) return text;
  const characters = [...text];
  return characters.length <= columns ? text : `${characters.slice(0, columns - 1).join("")}…`;
}
