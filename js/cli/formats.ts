/** `graupel formats`: lists the facts of every format. */
import type { FormatFacts } from "../facts.js";
import { read, UsageError } from "./arguments.js";
import { listed } from "./choices.js";
import { write } from "./output.js";
import { table } from "./table.js";
import { paintFor } from "./terminal.js";
import { isoTime } from "./times.js";

export async function formats(args: readonly string[]): Promise<number> {
  const { flags, positionals } = read(args, { of: () => [] });
  if (positionals.length > 0) throw new UsageError("formats takes no arguments");
  const rows = listed.map(rowOf);
  const shown = () => table(HEAD, rows.map(cellsOf), NUMERIC, paintFor(process.stdout));
  await write(flags.has("json") ? rows.map((one) => `${JSON.stringify(one)}\n`).join("") : shown());
  return 0;
}

/** The row of a format. Null means that the user chooses. */
function rowOf({ name, bits, fields, epoch, endOfLife, lifeMs, capacity, tickMs, text }: FormatFacts) {
  const { base: radix, shortest, longest } = text;
  return {
    name,
    bits,
    fields: fields?.map(({ name, bits }) => ({ name, bits })) ?? null,
    epoch,
    endOfLife,
    lifeMs,
    capacity,
    tickMs,
    text: { radix, shortest, longest },
  };
}

type FormatLine = ReturnType<typeof rowOf>;

const yearMs = 365.2425 * 24 * 3600 * 1000;

function cellsOf({ name, bits, epoch, endOfLife, lifeMs, capacity, tickMs, text }: FormatLine): string[] {
  const date = (ms: number): string => isoTime(ms).replace(/T.*/, "");
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

const HEAD = ["format", "bits", "epoch", "last date", "per tick", "tick", "base", "chars"];

/** The columns of numbers. */
const NUMERIC = new Set([1, 4, 5, 6]);
