// The facts of a format for the documentation pages, from the package.

import type { FormatUnderTest } from "../support/formats.ts";

type Cells = readonly string[];

/** A Markdown table. */
export const table = (head: Cells, rows: readonly Cells[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

const count = (n: number): string => n.toLocaleString("en-US");

/** In the style of the site: "2010-01-01 00:00:00.000 UTC". */
const date = (ms: number): string => new Date(ms).toISOString().replace("T", " ").replace("Z", " UTC");

const YEAR_MS = 365.2425 * 24 * 3600 * 1000;

function rows(subject: FormatUnderTest): Record<string, string> {
  const { id, text, fields, bits, epoch, endOfLife, ...others } = subject.facts;
  const { tickMs, capacity, lifeMs: span } = others as { tickMs: number; capacity: number; lifeMs: number };
  // On average, a tick starts in the middle and continues in steps of a random byte.
  const random = fields?.some(({ role }) => role === "random");
  const holds = (ids: number) => (random ? `${count(ids / 256)} on average` : count(ids));
  const years = `${(span / YEAR_MS).toFixed(1)} years`;
  const lengths = text.shortest === text.longest ? `${text.longest}` : `${text.shortest} to ${text.longest}`;
  return {
    bits: `${bits}`,
    epoch: epoch === null ? "yours" : `${date(epoch)} (Unix ms ${epoch})`,
    tick: `${tickMs} ms`,
    "IDs per tick": holds(capacity),
    "IDs per second": holds((capacity * 1000) / tickMs),
    "last tick":
      endOfLife === null ? `epoch + ${count(span)} ms (${years})` : `${date(endOfLife)} (epoch + ${years})`,
    "characters of the text": lengths,
    "smallest and largest ID": `\`${id.min}\`, \`${id.max}\``,
    "`next()` returns": `a ${id.type}`,
  };
}

/** The facts as a table, with one column for each subject. */
export function factsTable(subjects: readonly FormatUnderTest[]): string {
  const columns = subjects.map(rows);
  const names = Object.keys(columns[0] ?? {});
  const body = names.map((name) => [name, ...columns.map((column) => column[name] ?? "")]);
  return table(["", ...subjects.map(({ name }) => name)], body);
}

/** The fields of a format, from high to low, with their widths and bit positions. */
export function diagram({ name, facts: { fields, bits } }: FormatUnderTest): string {
  let top = bits ?? 0;
  const columns = (fields ?? []).map((field) => {
    top -= field.bits;
    const bits = field.bits === 1 ? `${top}` : `${top + field.bits - 1}..${top}`;
    const cells = [field.name, `${field.bits} bit${field.bits === 1 ? "" : "s"}`, bits];
    const width = Math.max(...cells.map((cell) => cell.length));
    return { rule: "-".repeat(width + 2), cells: cells.map((cell) => ` ${cell.padEnd(width)} `) };
  });
  const rule = `+${columns.map((column) => column.rule).join("+")}+`;
  const lines = [0, 1, 2].map((i) => `|${columns.map((column) => column.cells[i]).join("|")}|`);
  return [name, rule, ...lines, rule].join("\n");
}
