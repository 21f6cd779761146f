// The tables of options in www/docs/reference.md, from the facts of the formats.
import type { OptionFacts } from "graupel/facts";
import { type FormatFacts, facts } from "../support/make.ts";
import { table } from "./facts.ts";

/** A format's export, as the tables name it. */
const nameOf = ({ export: name }: FormatFacts): string => `\`${name}\``;

const number = (n: number): string => n.toLocaleString("en");

/** The numbers that an option takes, for readers: the bounds of a time are those of every `Date`. */
const between = ({ min, max }: OptionFacts): string =>
  min === null || max === null ? "" : `, ${number(min)} to ${number(max)}`;

/** What an option takes. */
function takes(option: OptionFacts): string {
  switch (option.kind) {
    case "number":
      return `a whole number${between(option)}`;
    case "duration":
      return `milliseconds${between(option)}`;
    case "time":
      return `a \`Date\`, or Unix milliseconds${option.name === "epoch" ? ", also as a bigint" : ""}`;
    case "word":
      return (option.words ?? []).map((word) => `\`"${word}"\``).join(", ");
    case "flag":
      return "`true` or `false`";
    case "function":
      return "a function";
    case "lease":
      return "what `lease()` of `graupel/lease` returned";
    case "snapshot":
      return "what `snapshot()` returned";
    case "fields":
      return "names, and their widths in bits";
    case "field":
      return "one of the names in `fields`";
  }
}

function byDefault({ required, default: value }: OptionFacts): string {
  if (required) return "must be given";
  return value === null ? "-" : `\`${JSON.stringify(value)}\``;
}

/** A table of options: those with the same facts are one row, with the formats that have it. */
function tableOf(optionsOf: (format: FormatFacts) => readonly OptionFacts[]): string {
  const formats = Object.values(facts);
  const having = formats.filter((format) => optionsOf(format).length > 0);
  const rows = new Map<string, { cells: readonly string[]; names: Set<string> }>();
  for (const format of having) {
    for (const option of optionsOf(format)) {
      const cells = [`\`${option.name}\``, takes(option), byDefault(option)];
      const row = rows.get(cells.join()) ?? { cells, names: new Set() };
      row.names.add(nameOf(format));
      rows.set(cells.join(), row);
    }
  }
  const all = [...new Set(having.map(nameOf))];
  const words = (names: Set<string>): string => {
    const others = all.filter((name) => !names.has(name));
    if (others.length === 0) return "all";
    return others.length < names.size ? `all but ${others.join(", ")}` : [...names].join(", ");
  };
  // Options of most formats first: they are what most readers look for.
  const sorted = [...rows.values()].sort((a, b) => b.names.size - a.names.size);
  return table(
    ["option", "takes", "if left out", "formats"],
    sorted.map(({ cells, names }) => [...cells, words(names)]),
  );
}

/** What `generator` takes. The fixed fields of a declared layout are the user's own. */
export const optionsTable = (): string => tableOf(({ options }) => options);

/** What a declaration takes. */
export const declarationsTable = (): string =>
  tableOf(({ declared, declaration }) => (declared ? declaration : []));
