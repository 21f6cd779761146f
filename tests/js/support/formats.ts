/**
 * The table of formats under test: a row for each format, by its facts. What the rows compare them with comes from the formats' own
 * documents: for the dialects of Snowflake from the vectors' file, for the others from here.
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

/** The documents of a dialect, as the vectors' file has them. */
interface Dialect extends Omit<Documents, "spec">, Pick<Spec, "unsigned" | "rounds"> {
  readonly fields: Readonly<Record<string, number>>;
}

const vectors: {
  readonly epochs: Readonly<Record<string, number>>;
  readonly dialects: Readonly<Record<string, Dialect>>;
} = JSON.parse(readFileSync(join(root, "tests/vectors/snowflake.json"), "utf8"));

/** 64-bit integers in decimal. */
const dialects = Object.entries(vectors.dialects).map(
  ([name, { fields, unsigned, rounds, ...documents }]) => {
    const epoch = vectors.epochs[name] as number;
    const { tickMs } = documents.specified;
    const form = { idType: "bigint", form: 10, bytes: 8 } as const;
    const spec: Spec = {
      ...form,
      name,
      fields: Object.entries(fields),
      epoch,
      tickMs,
      unsigned: unsigned ?? false,
      rounds: rounds ?? false,
    };
    return [name, { spec, ...documents }] as const;
  },
);

/** What both forms of Ulid-Flake have in common. */
const ulid = {
  spec: { epoch: Date.UTC(2024, 0, 1), tickMs: 1, idType: "string", form: "crockford", bytes: 8 },
  specified: {
    bits: 63,
    epoch: "2024-01-01T00:00:00.000Z",
    last: "2302-09-27T15:10:22.207Z",
    tickMs: 1,
    largest: "7ZZZZZZZZZZZZ",
  },
  /** An ID of either form. */
  id: "3JS07ENW3AHRZ",
  facts: {
    integer: "4135438558942283551",
    hex: "396407757835471f",
    timestamp: 5647928740739,
    time: "2148-12-22T13:05:40.739Z",
    ticks: 3943861540739,
  },
} as const;

const DOCUMENTS: Readonly<Record<string, Documents>> = {
  ...Object.fromEntries(dialects),
  // https://github.com/muyo/sno: units of 4 ms since 2010.
  sno: {
    spec: {
      name: "sno",
      fields: Object.entries({ time: 39, tickTock: 1, metabyte: 8, partition: 16, sequence: 16 }),
      epoch: Date.UTC(2010, 0, 1),
      tickMs: 4,
      idType: "string",
      form: "sno",
      bytes: 10,
    },
    fixed: { partition: 7 },
    specified: {
      bits: 80,
      epoch: "2010-01-01T00:00:00.000Z",
      last: "2079-09-07T15:47:35.548Z",
      tickMs: 4,
      capacity: 65_536,
      largest: "xxxxxxxxxxxxxxxx",
    },
    known: {
      id: "56789abcdefghijk",
      facts: {
        integer: "118250808578330012926514",
        hex: "190a63a12a5b1ae7c232",
        timestamp: 1477400967764,
        time: "2016-10-25T13:09:27.764Z",
        ticks: 53774241941,
        tickTock: 0,
        metabyte: 91,
        partition: 6887,
        sequence: 49714,
      },
    },
  },
  nanoflake: {
    spec: nanoflakeSpec,
    fixed: { generatorId: 5 },
    specified: { bits: 63, spanMs: 2_199_023_255_551, tickMs: 1, capacity: 4096, largest: "1y2p0ij32e8e7" },
    known: {
      id: "puz49ejoty38",
      options: "--epoch 1970-01-01",
      facts: {
        integer: "3403793969124586964",
        hex: "2f3cb494b249b5d4",
        timestamp: 811527721673,
        time: "1995-09-19T16:22:01.673Z",
        ticks: 811527721673,
        generatorId: 155,
        sequence: 1492,
      },
    },
  },
  "nanoflake-reference-24": {
    spec: nanoflake24Spec,
    fixed: { generatorId: 5 },
    specified: { bits: 63, spanMs: 549_755_813_887, tickMs: 1, capacity: 4096, largest: "1y2p0ij32e8e7" },
  },
  "snowflake-si": {
    spec: (epoch) => snowflakeSISpec(epoch, 40, 5, 8),
    fixed: { machineId: 3 },
    specified: { bits: 53, spanMs: 1_099_511_627_775, tickMs: 1, capacity: 256, largest: "9007199254740991" },
    known: {
      id: "9007199254740864",
      options: "--epoch 1047972019225 --machine-bits 6 --sequence-bits 7",
      facts: {
        integer: "9007199254740864",
        hex: "1fffffffffff80",
        timestamp: 2147483647000,
        time: "2038-01-19T03:14:07.000Z",
        ticks: 1099511627775,
        machineId: 63,
        sequence: 0,
      },
    },
  },
  "ulid-flake": {
    spec: { ...ulid.spec, name: "ulid-flake", fields: Object.entries({ time: 43, randomness: 20 }) },
    fixed: {},
    specified: { ...ulid.specified, capacity: 1_048_576 },
    known: { id: ulid.id, facts: { ...ulid.facts, randomness: 345887 } },
  },
  "ulid-flake-scalable": {
    spec: {
      ...ulid.spec,
      name: "ulid-flake-scalable",
      fields: Object.entries({ time: 43, randomness: 15, scalability: 5 }),
    },
    fixed: { scalability: 21 },
    specified: { ...ulid.specified, capacity: 32_768 },
    known: { id: ulid.id, facts: { ...ulid.facts, randomness: 10808, scalability: 31 } },
  },
};

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
