/** The formats of the command line: names, options, and how to make each. */
import {
  discord,
  instagram,
  mastodon,
  nanoflake,
  sno,
  snowflake,
  snowflakeSI,
  sonyflake,
  twitter,
  ulidFlake,
  ulidFlakeScalable,
} from "../index.js";
import type { Instant, Layout, Range } from "../types.js";
import type { OptionName } from "./tokens.js";

export type Id = string | bigint | number;

/** What all formats have in common, for every type of ID. */
export interface AnyFormat {
  readonly name: string;
  readonly layout: Layout;
  readonly epoch: number;
  readonly capacity: number;
  readonly endOfLife: number;
  parse(x: unknown, radix?: number): Id;
  format(id: Id): string;
  toBytes(id: Id): Uint8Array;
  toBigInt(id: Id): bigint;
  fromBigInt(integer: bigint): Id;
  inspect(id: Id): Instant;
  compose(fields: Readonly<Record<string, number>>): Id;
  range(from: number | undefined, to: number | undefined): Range<Id>;
  generator(options?: object): AnyGenerator;
}

export interface AnyGenerator {
  nextManyText(n: number): string[];
}

/** An option with a value. Its name is the package's name in kebab case. */
export interface Choice extends OptionName {
  /** The package's name, if it is not the option's name in camel case. */
  readonly key?: string;
  /** A `number` is whole; a `duration` may have a fraction. */
  readonly kind: "number" | "duration" | "time" | "word" | "fields";
  /** The placeholder of the value in the help. */
  readonly value: string;
  readonly about: string;
}

export type Settings = Record<string, unknown>;

/** Generates the next n IDs as text. */
export type Source = (n: number) => string[];

/** An example: the program prints its functions' sources as the code that it runs. */
export interface Shown {
  readonly about: string;
  declare(): AnyFormat;
  /** Generates an ID. */
  make(format: AnyFormat): Id;
}

export interface Entry {
  readonly name: string;
  /** Options of the format itself, needed to generate and to read IDs. */
  readonly format: readonly Choice[];
  /** Options of its generators. */
  readonly generator: readonly Choice[];
  /** Options for reading the text of an ID. */
  readonly text: readonly Choice[];
  /** Whether the format defines its epoch. Otherwise the user must give one. */
  readonly ownEpoch: boolean;
  /** What `npm start` shows. */
  readonly shown: Shown;
  make(settings: Settings): AnyFormat;
  source(format: AnyFormat, settings: Settings): Source;
}

const number = (name: string, about: string): Choice => ({ name, kind: "number", value: "N", about });
const epochChoice: Choice = {
  name: "epoch",
  kind: "time",
  value: "MS",
  about: "Unix ms or ISO time of tick 0",
};

/** Options of every generator. */
export const policies: readonly Choice[] = [
  { name: "clock-backwards", kind: "word", value: "POLICY", about: "throw, wait, hold; sno also tick-tock" },
  { name: "sequence-full", kind: "word", value: "POLICY", about: "throw, wait, borrow" },
  { name: "max-wait-ms", kind: "duration", value: "MS", about: "longest wait of one call" },
  { name: "max-ahead-ms", kind: "duration", value: "MS", about: "how far hold and borrow may run ahead" },
];

/** An option of each ID, not of the generator. */
const metabyte = number("metabyte", "the metabyte of each ID");

/** The typed values as arguments of the package, which checks them itself. */
const given = <Arguments>(settings: Settings): Arguments => settings as unknown as Arguments;

/** The epoch of the examples. */
const epoch = Date.UTC(2024, 0, 1);

const shows = <Format>(about: string, declare: () => Format, make: (ids: Format) => Id): Shown =>
  ({ about, declare, make }) as unknown as Shown;

const common = { format: [], generator: [], text: [], ownEpoch: true };
const source = (format: AnyFormat, settings: Settings): Source => {
  const generator = format.generator(settings);
  return (n) => generator.nextManyText(n);
};

const entries: readonly Entry[] = [
  {
    ...common,
    name: "sno",
    shown: shows(
      "80 bits in 16 characters, without configuration; here with metabyte 3",
      () => sno,
      () => sno.next(3),
    ),
    generator: [
      number("partition", "the partition; drawn at random if left out"),
      metabyte,
      number("sequence-min", "lowest sequence"),
      number("sequence-max", "highest sequence"),
    ],
    make: () => sno as AnyFormat,
    source: (format, { metabyte, ...options }) => {
      // Check now rather than at the first ID: `-n 0` generates none.
      if (metabyte !== undefined) {
        format.compose({ ticks: 0, metabyte: metabyte as number, partition: 0, sequence: 0 });
      }
      const generator = sno.generator(options);
      return (n) => generator.nextMany(n, metabyte as number | undefined);
    },
  },
  {
    ...common,
    name: "nanoflake",
    shown: shows(
      "63 bits, your own epoch, base 36",
      () => nanoflake({ epoch }),
      (ids) => ids.generator({ generatorId: 42 }).next(),
    ),
    format: [
      epochChoice,
      { name: "layout", kind: "word", value: "NAME", about: "reference-24: as in the published programs" },
    ],
    generator: [number("generator-id", "the generator ID")],
    text: [number("radix", "radix of the texts to read; the default is 36")],
    ownEpoch: false,
    make: (settings) => nanoflake(given(settings)) as AnyFormat,
    source,
  },
  {
    ...common,
    name: "twitter",
    shown: shows(
      "the first Snowflake",
      () => twitter,
      () => twitter.generator({ datacenterId: 11, workerId: 26 }).next(),
    ),
    generator: [number("datacenter-id", "the datacenter"), number("worker-id", "the worker")],
    make: () => twitter as AnyFormat,
    source,
  },
  {
    ...common,
    name: "discord",
    shown: shows(
      "all 64 bits, as in every Discord message",
      () => discord,
      () => discord.generator({ internalWorkerId: 1, internalProcessId: 0 }).next(),
    ),
    generator: [
      number("internal-worker-id", "the worker"),
      number("internal-process-id", "the process on that worker"),
    ],
    make: () => discord as AnyFormat,
    source,
  },
  {
    ...common,
    name: "instagram",
    shown: shows(
      "13 bits for the shard",
      () => instagram,
      () => instagram.generator({ shardId: 1341 }).next(),
    ),
    generator: [number("shard-id", "the logical shard")],
    make: () => instagram as AnyFormat,
    source,
  },
  {
    ...common,
    name: "mastodon",
    shown: shows(
      "48 bits of Unix milliseconds",
      () => mastodon,
      () => mastodon.generator().next(),
    ),
    make: () => mastodon as AnyFormat,
    source,
  },
  {
    ...common,
    name: "sonyflake",
    shown: shows(
      "10 ms ticks and 65,536 machines, for 174 years",
      () => sonyflake,
      () => sonyflake.generator({ machineId: 258 }).next(),
    ),
    generator: [number("machine-id", "the machine")],
    make: () => sonyflake as AnyFormat,
    source,
  },
  {
    ...common,
    name: "snowflake",
    shown: shows(
      "your own layout",
      () => snowflake({ epoch, fields: { time: 41, node: 10, sequence: 12 } }),
      (ids) => ids.generator({ node: 517 }).next(),
    ),
    format: [
      epochChoice,
      { name: "fields", kind: "fields", value: "LIST", about: "time:41,region:4,worker:6,sequence:12" },
      number("tick-ms", "length of a tick in ms; the default is 1"),
    ],
    ownEpoch: false,
    make: (settings) => snowflake(given<Parameters<typeof snowflake>[0]>(settings)) as unknown as AnyFormat,
    source,
  },
  {
    ...common,
    name: "snowflake-si",
    shown: shows(
      "53 bits: a number that JSON can hold",
      () => snowflakeSI({ epoch }),
      (ids) => ids.generator({ machineId: 3 }).next(),
    ),
    format: [
      epochChoice,
      number("clock-bits", "width of the time"),
      number("machine-bits", "width of the machine"),
      number("sequence-bits", "width of the sequence"),
    ],
    generator: [
      number("machine-id", "the machine"),
      { name: "on-new-millisecond", kind: "word", value: "WORD", about: "reset, keep" },
      number("sequence-reset-threshold", "with reset: only from this sequence on"),
    ],
    ownEpoch: false,
    make: (settings) => snowflakeSI(given(settings)) as AnyFormat,
    source,
  },
  {
    ...common,
    name: "ulid-flake",
    shown: shows(
      "time and random bits in 13 characters",
      () => ulidFlake,
      () => ulidFlake.next(),
    ),
    format: [epochChoice],
    generator: [number("entropy-size", "random bytes of a step within a millisecond")],
    make: (settings) => withEpoch(ulidFlake, settings) as AnyFormat,
    source,
  },
  {
    ...common,
    name: "ulid-flake-scalable",
    shown: shows(
      "the same, with a worker ID",
      () => ulidFlakeScalable,
      () => ulidFlakeScalable.generator({ scalability: 5 }).next(),
    ),
    format: [epochChoice],
    generator: [
      number("scalability", "the scalability ID"),
      number("entropy-size", "random bytes of a step within a millisecond"),
    ],
    make: (settings) => withEpoch(ulidFlakeScalable, settings) as AnyFormat,
    source,
  },
];

/**
 * An example format of an entry, for facts that do not depend on the user's choice. What the user must choose is the same
 * as Discord's: such a layout fills all 64 bits, and so has the longest text.
 */
export function example(entry: Entry): AnyFormat {
  if (entry.ownEpoch) return entry.make({});
  const { epoch, layout } = discord;
  if (!hasOwnLayout(entry)) return entry.make({ epoch });
  const widths = layout.fields.map(({ name, bits }, index, { length }) => [
    index === 0 ? "time" : index === length - 1 ? "sequence" : name,
    bits,
  ]);
  return entry.make({ epoch, fields: Object.fromEntries(widths) });
}

/** Whether the user declares the fields. */
export const hasOwnLayout = (entry: Entry): boolean => entry.format.some(({ kind }) => kind === "fields");

function withEpoch<Made>(
  format: { withEpoch(epoch: number): Made },
  settings: Settings,
): Made | typeof format {
  return settings.epoch === undefined ? format : format.withEpoch(settings.epoch as number);
}

/** Every format, by name. */
export const registry: ReadonlyMap<string, Entry> = new Map(entries.map((entry) => [entry.name, entry]));

/** The entry of a name, or of the name of Nanoflake's second layout. */
export function lookUp(name: string): Entry | undefined {
  const plain = registry.get("nanoflake");
  if (!plain || name !== `${plain.name}-reference-24`) return registry.get(name);
  const make = (settings: Settings): AnyFormat => plain.make({ ...settings, layout: "reference-24" });
  return { ...plain, name, format: [epochChoice], make };
}

/** `generator-id` for `generatorId`, and `region-id` for `RegionID`. */
export const toKebab = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase();

/** `generatorId` for `generator-id`. */
export const toCamel = (name: string): string => name.replace(/-([a-z])/g, (_, c: string) => c.toUpperCase());
