// The facts of a format, as the package states them, for the pages; and as its specification does, for the test.
import type { Id, Subject } from "../policies/subjects.ts";

/** What the specifications say, worked out by hand: the package must agree. Dates are those of the last tick's start. */
export const SPECIFIED: Readonly<Record<string, Readonly<Record<string, string | number | bigint>>>> = {
  sno: {
    bits: 80,
    epoch: "2010-01-01T00:00:00.000Z",
    last: "2079-09-07T15:47:35.548Z",
    tickMs: 4,
    capacity: 65_536,
    largest: "xxxxxxxxxxxxxxxx",
  },
  nanoflake: { bits: 63, spanMs: 2_199_023_255_551, tickMs: 1, capacity: 4096, largest: "1y2p0ij32e8e7" },
  "nanoflake, reference-24": {
    bits: 63,
    spanMs: 549_755_813_887,
    tickMs: 1,
    capacity: 4096,
    largest: "1y2p0ij32e8e7",
  },
  twitter: {
    bits: 63,
    epoch: "2010-11-04T01:42:54.657Z",
    last: "2080-07-10T17:30:30.208Z",
    tickMs: 1,
    capacity: 4096,
    largest: "9223372036854775807",
  },
  discord: {
    bits: 64,
    epoch: "2015-01-01T00:00:00.000Z",
    last: "2154-05-15T07:35:11.103Z",
    tickMs: 1,
    capacity: 4096,
    largest: "18446744073709551615",
  },
  instagram: {
    bits: 64,
    epoch: "2011-08-24T21:07:01.721Z",
    last: "2046-06-27T17:00:49.496Z",
    tickMs: 1,
    capacity: 1024,
    largest: "9223372036854775807",
  },
  mastodon: {
    bits: 64,
    epoch: "1970-01-01T00:00:00.000Z",
    last: "6429-10-17T02:45:55.327Z",
    tickMs: 1,
    capacity: 65_536,
    largest: "9223372036854775807",
  },
  "snowflake-si": {
    bits: 53,
    spanMs: 1_099_511_627_775,
    tickMs: 1,
    capacity: 256,
    largest: "9007199254740991",
  },
  "ulid-flake": {
    bits: 63,
    epoch: "2024-01-01T00:00:00.000Z",
    last: "2302-09-27T15:10:22.207Z",
    tickMs: 1,
    capacity: 1_048_576,
    largest: "7ZZZZZZZZZZZZ",
  },
  "ulid-flake-scalable": {
    bits: 63,
    epoch: "2024-01-01T00:00:00.000Z",
    last: "2302-09-27T15:10:22.207Z",
    tickMs: 1,
    capacity: 32_768,
    largest: "7ZZZZZZZZZZZZ",
  },
};

/** Formats whose epoch is the user's own. */
export const ownEpoch = ({ page }: Subject): boolean => page === "nanoflake" || page === "snowflake-si";

const count = (n: number): string => n.toLocaleString("en-US");

/** The smallest and the largest ID. */
export function extremes({ format }: Subject): [Id, Id] {
  const all = (1n << BigInt(format.layout.bits)) - 1n;
  // A format that keeps its top bit clear has half as many.
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
    epoch: ownEpoch(subject) ? "yours" : `${date(epoch)} (Unix ms ${epoch})`,
    tick: `${layout.tickMs} ms`,
    "IDs in one tick": `${subject.page === "ulid-flake" ? "at most " : ""}${count(capacity)}`,
    "IDs in one second": `${subject.page === "ulid-flake" ? "at most " : ""}${count((capacity * 1000) / layout.tickMs)}`,
    "last tick": ownEpoch(subject)
      ? `epoch + ${count(span)} ms (${years})`
      : `${date(endOfLife)} (epoch + ${years})`,
    "characters of the text": lengths,
    "smallest and largest ID": `\`${smallest}\`, \`${largest}\``,
    "`next()` returns": `a ${typeof largest === "string" ? typeof extremes(subject)[1] : ""}`,
  };
}

/** The facts as a table, one column a subject. */
export function factsTable(subjects: readonly Subject[]): string {
  const columns = subjects.map(rows);
  const names = Object.keys(columns[0] ?? {});
  const head = ["", ...subjects.map(({ name }) => name)];
  const body = names.map((name) => [name, ...columns.map((column) => column[name] ?? "")]);
  return [head, head.map(() => "---"), ...body].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** The fields of a format, high to low, with their widths and the bits that they are in. */
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
