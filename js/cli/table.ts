/** A table for people. */
import type { Paint } from "./terminal.js";

/**
 * Writes a table. `numeric`: the columns of numbers, which are aligned right. The first column
 * names the row.
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  numeric: ReadonlySet<number>,
  paint: Paint,
): string {
  // Not Math.max(...rows), because there may be a million rows.
  const widest = (i: number) => rows.reduce((width, cells) => Math.max(width, cells[i]?.length ?? 0), 0);
  const widths = head.map((name, i) => Math.max(name.length, widest(i)));
  const align = (cells: readonly string[]): string[] =>
    widths.map((width, i) => (numeric.has(i) ? cells[i]?.padStart(width) : cells[i]?.padEnd(width)) ?? "");
  const lines = [
    paint("bold", align(head).join("  ").trimEnd()),
    paint("dim", widths.map((width) => "─".repeat(width)).join("  ")),
    ...rows.map((cells) => {
      const [name = "", ...others] = align(cells);
      return [paint("cyan", name), ...others].join("  ").trimEnd();
    }),
  ];
  return `${lines.join("\n")}\n`;
}
