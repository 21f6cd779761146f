/** A table for people. */
import type { Paint } from "./terminal.js";

/** Writes a table. `numeric`: the columns of numbers, which are aligned right. The first column names the row. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  numeric: ReadonlySet<number>,
  paint: Paint,
): string {
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((cells) => cells[i]?.length ?? 0)));
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
