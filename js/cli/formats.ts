/** `graupel formats`: lists the facts of every format, read from the formats themselves. */
import { read, UsageError } from "./arguments.js";
import { isoTime } from "./draw.js";
import { write } from "./output.js";
import { type AnyFormat, type Entry, example, hasOwnLayout, registry } from "./registry.js";
import { paintFor } from "./terminal.js";

const command = "formats";

export async function formats(args: readonly string[]): Promise<number> {
  const { flags, positionals } = read(command, args, []);
  if (positionals.length > 0) throw new UsageError("it takes no arguments", command);
  const facts = [...registry.values()].map(factsOf);
  await write(flags.has("json") ? facts.map((fact) => `${JSON.stringify(fact)}\n`).join("") : table(facts));
  return 0;
}

/** The facts of a format. Null: the user chooses. */
interface Facts {
  readonly name: string;
  readonly bits: number | null;
  readonly fields: AnyFormat["layout"]["fields"] | null;
  readonly epoch: number | null;
  readonly endOfLife: number | null;
  /** From the epoch to the last tick, in milliseconds. */
  readonly lifeMs: number | null;
  readonly capacity: number | null;
  readonly tickMs: number | null;
  readonly text: TextForm;
}

/** The text of a format's IDs: its radix and its number of characters. */
interface TextForm {
  readonly radix: number;
  readonly shortest: number;
  readonly longest: number;
}

function factsOf(entry: Entry): Facts {
  const format = example(entry);
  const { layout, epoch, endOfLife, capacity } = format;
  const fixed = !hasOwnLayout(entry);
  return {
    name: entry.name,
    bits: fixed ? layout.bits : null,
    fields: fixed ? layout.fields : null,
    epoch: entry.ownEpoch ? epoch : null,
    endOfLife: entry.ownEpoch ? endOfLife : null,
    lifeMs: fixed ? endOfLife - epoch : null,
    capacity: fixed ? capacity : null,
    tickMs: fixed ? layout.tickMs : null,
    text: textForm(format),
  };
}

/** Measures how a format writes its IDs: the lengths, and the radix, at which the last character repeats. */
function textForm(format: AnyFormat): TextForm {
  const fields: Record<string, number> = { timestamp: format.endOfLife };
  for (const { name, bits } of format.layout.fields.slice(1)) fields[name] = 2 ** bits - 1;
  const write = (integer: number): string => format.format(format.fromBigInt(BigInt(integer)));
  let radix = 1;
  while (write(radix).at(-1) !== write(0).at(-1)) radix++;
  return { radix, shortest: write(0).length, longest: format.format(format.compose(fields)).length };
}

const yearMs = 365.2425 * 24 * 3600 * 1000;

function row({ name, bits, epoch, endOfLife, lifeMs, capacity, tickMs, text }: Facts): string[] {
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

function table(facts: readonly Facts[]): string {
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
