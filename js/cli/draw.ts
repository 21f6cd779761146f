/** Draws an ID for people: its bits, fields and time; or the formats that it could belong to. */
import type { AnyFormat, AnyId, Candidate, CandidateReason } from "../index.js";
import { grid, type Place, places } from "./grid.js";
import { clip, type Paint, printable, widest } from "./terminal.js";
import { isoTime } from "./times.js";
import words from "./words.json" with { type: "json" };

/** The reason for the rank of a format; empty if the time shows it. */
const reasons: Readonly<Record<CandidateReason, string>> = words.reasons;

/** Draws an ID of a known format in at most `columns` columns. Needs at least 40. */
export function draw(format: AnyFormat, id: AnyId, paint: Paint, columns = widest): string {
  const integer = format.toBigInt(id);
  const bits = integer.toString(2).padStart(format.layout.bits, "0");
  const fields = places(format.layout);
  const text = format.format(id);
  return [
    `${paint("bold", format.name)}  ${paint(["bold", "underline"], text)}`,
    "",
    ...grid(bits, fields, paint, columns),
    ...legend(integer, fields, paint, columns),
    "",
    ...details(format, id, text, paint, columns),
  ].join("\n");
}

/**
 * Each field's letter, name, value and bits. In a narrow terminal, the bits are on the next line.
 */
function legend(integer: bigint, fields: readonly Place[], paint: Paint, columns: number): string[] {
  const values = fields.map(({ high, low }) =>
    String((integer >> BigInt(low)) & ((1n << BigInt(high - low + 1)) - 1n)),
  );
  const valueWidth = Math.max(...values.map((value) => value.length));
  const longest = Math.max(...fields.map(({ name }) => name.length));
  // The other columns: 30 with the bits, 9 without.
  const together = columns >= widest || longest + valueWidth + 30 <= columns;
  const nameWidth = Math.min(columns - (together ? 30 : 9) - valueWidth, longest);
  return fields.flatMap(({ key, name, high, low, colour }, index) => {
    const bits = high === low ? `bit  ${high}` : `bits ${high}–${low}`;
    const width = high - low + 1;
    const label = clip(name, nameWidth).padEnd(nameWidth);
    const value = (values[index] ?? "").padStart(valueWidth);
    const place = paint("dim", `${bits.padEnd(10)}  ${String(width).padStart(2)} wide`);
    const line = `    ${paint(colour, `${key}  ${label}`)}  ${paint("bold", value)}`;
    return together ? [`${line}  ${place}`] : [line, `       ${place}`];
  });
}

/** The same ID in other forms. */
function details(format: AnyFormat, id: AnyId, text: string, paint: Paint, columns: number): string[] {
  const { timestamp, time } = format.inspect(id);
  const integer = String(format.toBigInt(id));
  const length = `of ${format.layout.tickMs} ms since`;
  const start = isoTime(format.epoch);
  const ticks = `${length} ${start}`;
  const rows: (readonly [string, string])[] = [
    ["time", paint("bold", isoTime(time))],
    ["unix ms", String(timestamp)],
    ...(ticks.length <= columns - 13
      ? [["ticks", ticks] as const]
      : ([
          ["ticks", length],
          ["", start],
        ] as const)),
    ["hex", Buffer.from(format.toBytes(id)).toString("hex")],
  ];
  if (integer !== text) rows.push(["integer", integer]);
  return rows.map(([name, value]) => `    ${paint("dim", name.padEnd(8))} ${value}`);
}

/** The formats that a text could belong to, the most likely first. */
export function rank(text: string, list: readonly Candidate[], paint: Paint): string {
  const nameWidth = Math.max(...list.map(({ name }) => name.length));
  const textWidth = Math.max(...list.map(({ text: canonical }) => canonical.length));
  const lines = list.map(({ name, text: canonical, time, reason }, index) => {
    const when = (time ? isoTime(time) : "depends on your epoch").padEnd(24);
    const line =
      `${name.padEnd(nameWidth)}  ${when}  ${canonical.padEnd(textWidth)}  ${reasons[reason]}`.trimEnd();
    return `  ${paint("dim", String(index + 1).padStart(2))}  ${index === 0 ? paint("bold", line) : line}`;
  });
  const input = printable(text, widest - 10);
  const [likeliest] = list;
  const own = likeliest?.time ? "" : " --epoch MS";
  const hint = `      draw it: graupel inspect --format ${likeliest?.name}${own} ${input}`;
  return [`${paint("bold", input)} could be`, ...lines, paint("dim", clip(hint, widest))].join("\n");
}
