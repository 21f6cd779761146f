/** Writes the bounds of a range as SQL, as a call of a service's API and as code. */
import type { AnyFormat, Id } from "../lib/formats.ts";
import { formatCode, importCode, type OfferedFormat, offeredOf, type Texts } from "../lib/offered.ts";
import { timeCode } from "../lib/values.ts";

export interface Bounds {
  readonly min: Id;
  readonly max: Id;
  /** The ends of the range; undefined if an end is open. An open end needs no bound. */
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** The largest value of a signed 64-bit column. */
const SIGNED = 2n ** 63n - 1n;

/** The largest ID of a format. Some formats leave the top bit of their layout clear. */
export const largest = (format: AnyFormat): bigint => format.toBigInt(format.range().max);

const isText = (id: Id): id is string => typeof id === "string";

export interface Written {
  readonly title: string;
  readonly code: string;
  readonly notes: readonly string[];
}

/** The condition on a column. */
export function sql(format: AnyFormat, { min, max, from, to }: Bounds, column: string): Written {
  const name = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/.test(column) ? column : `"${column.replaceAll('"', '""')}"`;
  const [low, high] = isText(min) ? [`'${min}'`, `'${max}'`] : [String(min), String(max)];
  const operand = isText(min) ? `${name} COLLATE "C"` : name;
  const condition =
    from !== undefined && to === undefined
      ? `${operand} >= ${low}`
      : from === undefined && to !== undefined
        ? `${operand} <= ${high}`
        : `${operand} BETWEEN ${low} AND ${high}`;
  return { title: "SQL", code: `WHERE ${condition}`, notes: notesOf(format, max) };
}

function notesOf(format: AnyFormat, max: Id): string[] {
  if (isText(max))
    return [
      'COLLATE "C" compares bytes, which is how the IDs sort. PostgreSQL does not use an index with another collation. If the column is declared with COLLATE "C", you can omit it here.',
    ];
  if (format.layout.base !== 10)
    return ["Only for a bigint column: in a text column, base 36 texts do not sort as their IDs do."];
  if (largest(format) <= SIGNED)
    return ["Only for a bigint column: in a text column, decimal texts do not sort as their IDs do."];
  const year = new Date(format.inspect(format.fromBigInt(SIGNED + 1n)).timestamp).getUTCFullYear();
  const now =
    format.toBigInt(max) > SIGNED
      ? "This range ends beyond what a signed 64-bit column holds: "
      : "A signed 64-bit column (bigint) holds these bounds, but no IDs of later times: ";
  return [
    `${now}${offeredOf(format.name).title} uses all 64 bits from ${year} on. Use numeric(20), or an unsigned column.`,
  ];
}

/**
 * For each service: the parameters for IDs after and before a given one, and a note. None of the
 * services returns the given ID itself, according to Discord's reference ("Get Channel Messages"),
 * Mastodon's API guidelines ("Pagination"), and X's guide for moving timelines from version 1.1 of
 * its API to version 2.
 */
const SERVICES: Readonly<Record<string, readonly [after: string, before: string, note: string]>> = {
  discord: [
    "after",
    "before",
    "Discord excludes the given IDs, so these are one below and one above the bounds. Most of its endpoints accept only one of the two: send “after”, and stop at the first ID that is not below “before”.",
  ],
  mastodon: [
    "min_id",
    "max_id",
    "Mastodon excludes the given IDs, so these are one below and one above the bounds.",
  ],
  twitter: [
    "since_id",
    "until_id",
    "The API excludes the given IDs, so these are one below and one above the bounds.",
  ],
};

/** The query string of a call. */
export function api(format: AnyFormat, { min, max, from, to }: Bounds): Written {
  const service = SERVICES[format.name];
  const [low, high] = service ?? ["min", "max"];
  const [below, above] =
    service === undefined
      ? [format.format(min), format.format(max)]
      : [beside(format, min, -1n), beside(format, max, 1n)];
  // A range with two open ends needs no bounds, but then there would be nothing to show.
  const open = from === undefined && to === undefined;
  const pairs = [
    from !== undefined || open ? [low, below] : [],
    to !== undefined || open ? [high, above] : [],
  ].filter((pair) => pair[1] !== undefined) as string[][];
  return {
    title: "API call",
    code: `?${pairs.map((pair) => pair.join("=")).join("&")}`,
    notes: service === undefined ? ["Both bounds are included."] : [service[2]],
  };
}

/** The next ID above or below; `undefined` if there is none. */
function beside(format: AnyFormat, id: Id, step: bigint): string | undefined {
  const integer = format.toBigInt(id) + step;
  return integer < 0n || integer > largest(format) ? undefined : String(integer);
}

/** The code that computes the bounds with the package. */
export function code(offered: OfferedFormat, texts: Texts, { from, to }: Bounds): Written {
  const given = [from, to].map((time) => (time === undefined ? "undefined" : timeCode(time)));
  while (given.at(-1) === "undefined") given.pop();
  return {
    title: "JavaScript",
    code: `${importCode(offered)}\n\nconst { min, max } = ${formatCode(offered, texts)}.range(${given.join(", ")});`,
    notes: [],
  };
}

/** The time of an ID, and the start of the next tick. */
export function spanOf(format: AnyFormat, text: string): { readonly from: number; readonly to: number } {
  const { timestamp } = format.inspect(readId(format, text));
  return { from: timestamp, to: timestamp + format.layout.tickMs };
}

/**
 * Parses an ID. Nanoflakes may also be decimal numbers, as databases show them. Throws the
 * package's own errors.
 */
function readId(format: AnyFormat, text: string): Id {
  const { parse } = format as unknown as { parse(text: string, radix?: number): Id };
  return format.layout.base !== 10 && /^\d{14,}$/.test(text) ? parse(text, 10) : parse(text);
}

/** A duration in words, exact to the millisecond. */
export function durationOf(ms: number): string {
  const units = [
    ["d", 86_400_000],
    ["h", 3_600_000],
    ["min", 60_000],
    ["s", 1000],
    ["ms", 1],
  ] as const;
  let left = ms;
  const parts = units.flatMap(([unit, length]) => {
    const count = Math.floor(left / length);
    left -= count * length;
    return count === 0 ? [] : [`${count} ${unit}`];
  });
  return parts.join(" ") || "0 ms";
}
