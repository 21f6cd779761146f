/** What people see of an ID: its bits, its fields, its time; or the formats that it could belong to. */
import type { Candidate } from "../index.js";
import { grid, type Place, places } from "./grid.js";
import type { AnyFormat, Id } from "./registry.js";
import { clip, type Paint, printable } from "./terminal.js";

const widest = 80;

/** An ID of a known format, 80 columns wide at most. */
export function draw(format: AnyFormat, id: Id, paint: Paint): string {
  const integer = format.toBigInt(id);
  const bits = integer.toString(2).padStart(format.layout.bits, "0");
  const fields = places(format.layout);
  const text = format.format(id);
  return [
    `${paint("bold", format.name)}  ${paint(["bold", "underline"], text)}`,
    "",
    ...grid(bits, fields, paint),
    ...legend(integer, fields, paint),
    "",
    ...details(format, id, text, paint),
  ].join("\n");
}

/** Each field's letter, name, value and place. */
function legend(integer: bigint, fields: readonly Place[], paint: Paint): string[] {
  const values = fields.map(({ high, low }) =>
    String((integer >> BigInt(low)) & ((1n << BigInt(high - low + 1)) - 1n)),
  );
  const valueWidth = Math.max(...values.map((value) => value.length));
  // 30 columns go to everything but the names and the values.
  const nameWidth = Math.min(widest - 30 - valueWidth, Math.max(...fields.map(({ name }) => name.length)));
  return fields.map(({ key, name, high, low, colour }, index) => {
    const bits = high === low ? `bit  ${high}` : `bits ${high}–${low}`;
    const width = high - low + 1;
    const label = clip(name, nameWidth).padEnd(nameWidth);
    const value = (values[index] ?? "").padStart(valueWidth);
    const place = `${bits.padEnd(10)}  ${String(width).padStart(2)} wide`;
    return `    ${paint(colour, `${key}  ${label}`)}  ${paint("bold", value)}  ${paint("dim", place)}`;
  });
}

/** The same ID in other forms. */
function details(format: AnyFormat, id: Id, text: string, paint: Paint): string[] {
  const { timestamp, time } = format.inspect(id);
  const integer = String(format.toBigInt(id));
  const { tickMs } = format.layout;
  const rows: [string, string][] = [
    ["time", paint("bold", isoTime(time))],
    ["unix ms", String(timestamp)],
    ["ticks", `of ${tickMs} ms since ${isoTime(new Date(format.epoch))}`],
    ["hex", Buffer.from(format.toBytes(id)).toString("hex")],
  ];
  if (integer !== text) rows.push(["integer", integer]);
  return rows.map(([name, value]) => `    ${paint("dim", name.padEnd(8))} ${value}`);
}

/** ISO 8601, also for a time that the calendar of JavaScript does not reach. */
export function isoTime(time: Date): string {
  return Number.isNaN(time.getTime()) ? "beyond the calendar" : time.toISOString();
}

/** The formats that a text could belong to, the likeliest first. */
export function rank(text: string, list: readonly Candidate[], paint: Paint): string {
  const nameWidth = Math.max(...list.map(({ name }) => name.length));
  const lines = list.map(({ name, text: canonical, time }, index) => {
    const when = (time ? isoTime(time) : "a time of your own epoch").padEnd(24);
    const line = `${name.padEnd(nameWidth)}  ${when}  ${canonical}`;
    return `  ${paint("dim", String(index + 1).padStart(2))}  ${index === 0 ? paint("bold", line) : line}`;
  });
  const input = printable(text, widest - 10);
  const [likeliest] = list;
  const own = likeliest?.time ? "" : " --epoch MS";
  const hint = `      draw it: graupel inspect --format ${likeliest?.name}${own} ${input}`;
  return [`${paint("bold", input)} could be`, ...lines, paint("dim", clip(hint, widest))].join("\n");
}
