// The facts of a format, as the package states them, for the pages.

import type { Subject } from "../policies/subjects.ts";
import type { Id } from "../support/any-format.ts";
import { rowOf } from "../support/formats.ts";
import { ownEpoch } from "../support/row.ts";

const count = (n: number): string => n.toLocaleString("en-US");

/** The smallest and the largest ID. */
export function extremes({ format }: Subject): [Id, Id] {
  const all = (1n << BigInt(format.layout.bits)) - 1n;
  // A format that keeps its top bit clear has half as many IDs.
  const largest = format.isValid(all.toString()) || format.layout.bits !== 64 ? all : all >> 1n;
  return [format.fromBigInt(0n), format.fromBigInt(largest)];
}

/** A date as ISO 8601. */
const date = (ms: number): string => new Date(ms).toISOString();

const YEAR_MS = 365.2425 * 24 * 3600 * 1000;

function rows(subject: Subject): Record<string, string> {
  const { format } = subject;
  const { layout, epoch, endOfLife, capacity } = format;
  const [smallest, largest] = extremes(subject).map((id) => format.format(id)) as [string, string];
  const span = endOfLife - epoch;
  const years = `${(span / YEAR_MS).toFixed(1)} years`;
  const lengths =
    smallest.length === largest.length ? `${largest.length}` : `${smallest.length} to ${largest.length}`;
  return {
    bits: `${layout.bits}`,
    epoch: ownEpoch(rowOf(subject.name)) ? "yours" : `${date(epoch)} (Unix ms ${epoch})`,
    tick: `${layout.tickMs} ms`,
    "IDs in one tick": `${subject.page === "ulid-flake" ? "at most " : ""}${count(capacity)}`,
    "IDs in one second": `${subject.page === "ulid-flake" ? "at most " : ""}${count((capacity * 1000) / layout.tickMs)}`,
    "last tick": ownEpoch(rowOf(subject.name))
      ? `epoch + ${count(span)} ms (${years})`
      : `${date(endOfLife)} (epoch + ${years})`,
    "characters of the text": lengths,
    "smallest and largest ID": `\`${smallest}\`, \`${largest}\``,
    "`next()` returns": `a ${typeof largest === "string" ? typeof extremes(subject)[1] : ""}`,
  };
}

/** The facts as a table, with one column for each subject. */
export function factsTable(subjects: readonly Subject[]): string {
  const columns = subjects.map(rows);
  const names = Object.keys(columns[0] ?? {});
  const head = ["", ...subjects.map(({ name }) => name)];
  const body = names.map((name) => [name, ...columns.map((column) => column[name] ?? "")]);
  return [head, head.map(() => "---"), ...body].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** The fields of a format, high to low, with their widths and bit positions. */
export function diagram({ name, format }: Subject): string {
  let top = format.layout.bits;
  const columns = format.layout.fields.map((field) => {
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
