/**
 * The table of formats under test, with a row for each format, built from its facts. The expected
 * values come from the formats' own documents, through the vector files. Declared layouts are in
 * layouts.ts.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { snowflake } from "graupel/snowflake";
import type { AnyFormat } from "./any-format.ts";
import { type FormatFacts, type FormatName, facts, make, NAMES } from "./make.ts";
import { root } from "./places.ts";
import {
  customSpec,
  nanoflake24Spec,
  nanoflakeSpec,
  Reference,
  type Spec,
  snowflakeSISpec,
} from "./reference.ts";

/** The epoch for formats that have no default epoch. */
export const EPOCH = Date.UTC(2020, 0, 1);

/** Whether a tick has room for thousands of IDs or only a few. */
export type Room = "roomy" | "scarce";

export interface FormatUnderTest {
  readonly name: string;
  /** The facts that the package exports about it. */
  readonly facts: FormatFacts;
  /** Its page in www/docs/formats. */
  readonly page: string;
  readonly format: AnyFormat;
  readonly reference: Reference;
  /** The fixed fields of a generator, and other options of the row. */
  readonly fixed: Readonly<Record<string, unknown>>;
  /** The name of the field that counts or is random. */
  readonly counts: string;
  readonly isRandom: boolean;
  /** The values that `clockBackwards` accepts. */
  readonly backwards: readonly string[];
  /** How many IDs fill a scarce tick, and the value of the first one. */
  readonly perTick: number;
  readonly first: number;
  /** Generator options that make ticks roomy or scarce. */
  room(room: Room): Readonly<Record<string, unknown>>;
  /** fast-check prints only the name in counterexamples. */
  readonly [fc.toStringMethod]: () => string;
}

/** A format with published documents. */
interface Documented extends FormatUnderTest {
  readonly specified: Specified;
  readonly known?: Known;
  /** Its name and options on the command line, without the epoch. */
  readonly cli: string;
  /** The format with another epoch, if the user chooses the epoch; otherwise, the format itself. */
  at(epoch: number): AnyFormat;
}

/**
 * Facts from the specification: `last` is the start of the last tick, `spanMs` the time from the
 * epoch to it.
 */
interface Specified {
  readonly bits: number;
  readonly tickMs: number;
  readonly capacity: number;
  readonly largest: string;
  readonly epoch?: string;
  readonly last?: string;
  readonly spanMs?: number;
}

/**
 * An ID whose fields are known from the publisher's documents or program, and the options to read
 * it.
 */
interface Known {
  readonly id: string;
  readonly options?: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** The documented properties of a format, as in the vector files. */
interface Recorded extends Partial<Omit<Spec, "fields">> {
  readonly fields?: Readonly<Record<string, number>>;
  /** Fixed fields, as generator options. */
  readonly fixed: Readonly<Record<string, number>>;
  readonly specified: Specified;
  readonly known?: Known;
}

const DOCUMENTS: Readonly<Record<string, Recorded>> = Object.assign(
  {},
  ...["snowflake", "sno", "nanoflake", "snowflake-si", "ulid-flake"].map((file) => {
    const { dialects, formats } = JSON.parse(
      readFileSync(join(root, "tests/vectors", `${file}.json`), "utf8"),
    );
    return dialects ?? formats;
  }),
);

/** Layouts that the user declares. */
const DECLARED: Readonly<Record<string, Spec>> = {
  nanoflake: nanoflakeSpec(EPOCH),
  "nanoflake-reference-24": nanoflake24Spec(EPOCH),
  "snowflake-si": snowflakeSISpec(EPOCH, 40, 5, 8),
};

/** The default text form is a 64-bit integer in decimal, as in the Snowflake dialects. */
function specOf(name: string, { fixed: _, specified, known: __, fields = {}, ...form }: Recorded): Spec {
  return {
    ...{ idType: "bigint", form: 10, bytes: 8, unsigned: false, rounds: false },
    ...form,
    name,
    fields: Object.entries(fields),
    epoch: Date.parse(specified.epoch ?? ""),
    tickMs: specified.tickMs,
  };
}

/** The example in Discord's documentation. */
export const knownDiscord = DOCUMENTS.discord?.known?.id as string;

/**
 * Options for a scarce tick: it holds four IDs in sno and one in random formats, because every draw
 * is the maximum.
 */
function scarcity(page: string, isRandom: boolean): Partial<FormatUnderTest> {
  if (page === "sno") {
    const bounds = { sequenceMin: 100, sequenceMax: 103 };
    return { perTick: 4, first: 100, room: (room) => (room === "scarce" ? bounds : {}) };
  }
  // The bits below the random field are set, so that the field is 0 but the source does not look
  // like it returns only zeros.
  const source = (room: Room) => (bytes: Uint8Array) => {
    bytes.fill(room === "scarce" ? 255 : 0);
    bytes[0] = room === "scarce" ? 255 : bytes.length === 1 ? 1 : 0x80;
  };
  return isRandom ? { perTick: 1, room: (room) => ({ random: source(room) }) } : {};
}

/** The generator option with the given name. */
export const optionOf = ({ options }: FormatFacts, name: string) =>
  options.find((option) => option.name === name);

/** The values that `sequenceFull` accepts. */
export const FULL: readonly string[] = optionOf(facts.snowflake, "sequenceFull")?.words ?? [];

/** Builds a format under test. Without `fixed`, each fixed field is 1. */
export function underTest(
  name: string,
  facts: FormatFacts,
  page: string,
  made: unknown,
  spec: Spec,
  fixed?: FormatUnderTest["fixed"],
): FormatUnderTest {
  const format = made as AnyFormat;
  const { fields } = format.layout;
  const last = fields.find(({ role }) => role === "sequence" || role === "random");
  const isRandom = last?.role === "random";
  const ones = fields.flatMap(({ name, role }) => (role === "fixed" ? [[name, 1]] : []));
  return {
    ...{ name, facts, page, format, isRandom, first: 0, perTick: format.capacity, room: () => ({}) },
    fixed: fixed ?? Object.fromEntries(ones),
    reference: new Reference(spec),
    counts: last?.name as string,
    backwards: optionOf(facts, "clockBackwards")?.words ?? [],
    ...scarcity(page, isRandom),
    [fc.toStringMethod]: () => name,
  };
}

function row(name: FormatName): Documented {
  const { entry, given, declared } = facts[name];
  const documents = DOCUMENTS[name];
  if (documents === undefined) {
    throw new Error(`what do the documents of ${name} say?`);
  }
  const { fixed, specified, known } = documents;
  const base = entry.replace("graupel/", "");
  // Nanoflake's second layout is selected by an option of the first.
  const [option] = Object.entries(given);
  const page = option === undefined && existsSync(join(root, "www/docs/formats", `${name}.md`)) ? name : base;
  const at = (epoch: number) => make(name, declared ? { epoch } : {});
  const called = option === undefined ? name : `${base}, ${option[1]}`;
  return {
    ...underTest(called, facts[name], page, at(EPOCH), DECLARED[name] ?? specOf(name, documents), fixed),
    ...{ specified, ...(known && { known }), at },
    cli: option === undefined ? name : `${base} --${option[0]} ${option[1]}`,
  };
}

/** All formats whose layout is not declared by the user. */
export const ROWS: readonly Documented[] = NAMES.filter((name) => facts[name].fields !== null).map(row);

/** The row with the given name. */
export function rowOf(name: string): Documented {
  const row = ROWS.find((row) => row.name === name);
  if (row === undefined) {
    throw new Error(`no format ${name}`);
  }
  return row;
}

const OWN = { time: 39, region: 4, worker: 6, sequence: 8 };
const own = underTest(
  "a layout of your own",
  facts.snowflake,
  "snowflake",
  snowflake({ epoch: EPOCH, tickMs: 5, fields: OWN }),
  customSpec(EPOCH, 5, OWN),
  { region: 3, worker: 9 },
);
const si = rowOf("snowflake-si");
const keep = { ...si, name: "snowflake-si, continue", fixed: { ...si.fixed, sequenceStart: "continue" } };

/**
 * The formats that the generator tests use: the rows, a declared layout, and one with a kept
 * counter.
 */
export const FORMATS: readonly FormatUnderTest[] = [...ROWS, own, keep];

/** The pages of www/docs/formats. */
export const PAGES = [...new Set(ROWS.map(({ page }) => page))];
