/** `graupel formats`: lists the facts of every format. */
import type { FormatFacts } from "../facts.js";
import type { LayoutField } from "../types.js";
import { read, UsageError } from "./arguments.js";
import { isoTime } from "./draw.js";
import { write } from "./output.js";
import { type Entry, registry } from "./registry.js";
import { paintFor } from "./terminal.js";

const command = "formats";

export async function formats(args: readonly string[]): Promise<number> {
  const { flags, positionals } = read(command, args, []);
  if (positionals.length > 0) throw new UsageError("it takes no arguments", command);
  const rows = [...registry.values()].map(listed);
  await write(flags.has("json") ? rows.map((one) => `${JSON.stringify(one)}\n`).join("") : table(rows));
  return 0;
}

/** What is listed of a format. Null: the user chooses. */
interface Listed
  extends Pick<FormatFacts, "name" | "bits" | "epoch" | "endOfLife" | "lifeMs" | "capacity" | "tickMs"> {
  readonly fields: readonly LayoutField[] | null;
  readonly text: { readonly radix: number; readonly shortest: number; readonly longest: number };
}

function listed({ facts }: Entry): Listed {
  const { name, bits, fields, epoch, endOfLife, lifeMs, capacity, tickMs, text } = facts;
  return {
    name,
    bits,
    fields: fields?.map(({ name, bits }) => ({ name, bits })) ?? null,
    epoch,
    endOfLife,
    lifeMs,
    capacity,
    tickMs,
    text: { radix: text.base, shortest: text.shortest, longest: text.longest },
  };
}

const yearMs = 365.2425 * 24 * 3600 * 1000;

function row({ name, bits, epoch, endOfLife, lifeMs, capacity, tickMs, text }: Listed): string[] {
  const date = (ms: number): string => isoTime(new Date(ms)).replace(/T.*/, "");
  const years = lifeMs === null ? "yours" : `+${(lifeMs / yearMs).toFixed(1)} y`;
  return [
    name,
    String(bits ?? "yours"),
    epoch === null ? "yours" : date(epoch),
    endOfLife === null ? years : date(endOfLife),
    String(capacity ?? "yours"),
    tickMs === null ? "yours" : `${tickMs} ms`,
    String(text.radix),
    text.shortest === text.longest ? String(text.longest) : `${text.shortest}–${text.longest}`,
  ];
}

/** The columns of numbers, aligned right. */
const numeric = new Set([1, 4, 5, 6]);

function table(facts: readonly Listed[]): string {
  const paint = paintFor(process.stdout);
  const head = ["format", "bits", "epoch", "last date", "per tick", "tick", "base", "chars"];
  const rows = facts.map(row);
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
