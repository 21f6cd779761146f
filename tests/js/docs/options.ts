// The tables of options in www/docs/reference.md, from the facts of the formats.
import type { OptionFacts } from "graupel/facts";
import { type FormatFacts, facts } from "../support/make.ts";
import { table } from "./facts.ts";

/** A format's export, as the tables name it. */
const nameOf = ({ export: name }: FormatFacts): string => `\`${name}\``;

const number = (n: number): string => n.toLocaleString("en");

/** The range of an option for readers. The bounds of a time are those of every `Date`. */
const between = ({ min, max }: OptionFacts): string =>
  min === null || max === null ? "" : `, ${number(min)} to ${number(max)}`;

/** The values that an option accepts. */
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

/**
 * A table of options. Options with the same facts share a row, which names the formats that have
 * it.
 */
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
  // The options of most formats come first, because most readers look for them.
  const sorted = [...rows.values()].sort((a, b) => b.names.size - a.names.size);
  return table(
    ["option", "takes", "if left out", "formats"],
    sorted.map(({ cells, names }) => [...cells, words(names)]),
  );
}

/** The options of `generator`. The fixed fields of a declared layout are chosen by the user. */
export const optionsTable = (): string => tableOf(({ options }) => options);

/** The options of a declaration. */
export const declarationsTable = (): string =>
  tableOf(({ declared, declaration }) => (declared ? declaration : []));
