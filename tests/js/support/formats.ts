/**
 * The table of formats under test: a row for each format, by its facts. What the rows compare them with comes from the formats' own
 * documents, as the vectors' files have them.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type FormatName, facts, make, NAMES } from "./make.ts";
import { root } from "./places.ts";
import { nanoflake24Spec, nanoflakeSpec, type Spec, snowflakeSISpec } from "./reference.ts";
import type { Known, Row, Specified } from "./row.ts";

/** What the documents of a format say. */
interface Documents {
  readonly spec: Row["spec"];
  /** Fixed fields of a generator, as its options. */
  readonly fixed: Row["fixed"];
  readonly specified: Specified;
  readonly known?: Known;
}

/** The documents of a format, as the vectors' files have them. The layout of a format that a user declares is a function of the epoch. */
interface Recorded extends Omit<Documents, "spec">, Partial<Omit<Spec, "fields">> {
  readonly fields?: Readonly<Record<string, number>>;
}

/** Layouts that depend on what the user declares. */
const DECLARED: Readonly<Record<string, Documents["spec"]>> = {
  nanoflake: nanoflakeSpec,
  "nanoflake-reference-24": nanoflake24Spec,
  "snowflake-si": (epoch) => snowflakeSISpec(epoch, 40, 5, 8),
};

/** Without its own form, a format has 64-bit integers in decimal, as the dialects of Snowflake have. */
function documentsOf(name: string, recorded: Recorded): readonly [name: string, Documents] {
  const { fixed, specified, known, fields = {}, ...form } = recorded;
  const spec: Spec = {
    ...{ idType: "bigint", form: 10, bytes: 8, unsigned: false, rounds: false },
    ...form,
    name,
    fields: Object.entries(fields),
    epoch: Date.parse(specified.epoch ?? ""),
    tickMs: specified.tickMs,
  };
  return [name, { spec: DECLARED[name] ?? spec, fixed, specified, ...(known && { known }) }];
}

const DOCUMENTS: Readonly<Record<string, Documents>> = Object.fromEntries(
  ["snowflake", "sno", "nanoflake", "snowflake-si", "ulid-flake"].flatMap((file) => {
    const { dialects, formats } = JSON.parse(
      readFileSync(join(root, "tests/vectors", `${file}.json`), "utf8"),
    );
    return Object.entries<Recorded>(dialects ?? formats).map(([name, recorded]) =>
      documentsOf(name, recorded),
    );
  }),
);

/** The example of Discord's own documentation. */
export const knownDiscord = DOCUMENTS.discord?.known?.id as string;

/** The page of a format: its own, or that of its entry. */
function pageOf(name: FormatName): string {
  const entry = facts[name].entry.replace("graupel/", "");
  return existsSync(join(root, "www/docs/formats", `${name}.md`)) ? name : entry;
}

function row(name: FormatName): Row {
  const { entry, given, declared, fields, options } = facts[name];
  const documents = DOCUMENTS[name];
  if (documents === undefined) {
    throw new Error(`what do the documents of ${name} say?`);
  }
  // Nanoflake's second layout is an option of the first.
  const [option] = Object.entries(given);
  const base = option === undefined ? name : entry.replace("graupel/", "");
  const counts = fields?.find(({ role }) => role === "sequence" || role === "random");
  const entropySize = options.find((one) => one.name === "entropySize");
  const page = pageOf(name);
  return {
    ...documents,
    facts: facts[name],
    name: option === undefined ? name : `${base}, ${option[1]}`,
    page: option === undefined ? page : base,
    entry: entry.replace("graupel/", ""),
    cli: option === undefined ? name : `${base} --${option[0]} ${option[1]}`,
    format: declared ? (epoch: number) => make(name, { epoch }) : make(name),
    counts: counts?.name as string,
    ...(entropySize && { random: entropySize.max as number }),
  };
}

/** Every format whose layout is not the user's. */
export const ROWS: readonly Row[] = NAMES.filter((name) => facts[name].fields !== null).map(row);

/** The row with a name. */
export function rowOf(name: string): Row {
  const row = ROWS.find((row) => row.name === name);
  if (row === undefined) {
    throw new Error(`no format ${name}`);
  }
  return row;
}

/** The pages of www/docs/formats. */
export const PAGES = [...new Set(ROWS.map(({ page }) => page))];
