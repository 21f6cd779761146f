/** The formats with the options of each, as the pages offer them. The package itself checks every value. */
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
} from "graupel";
import type { AnyFormat } from "./formats.ts";
import { kindOf } from "./kinds.ts";
import { decimal, fields, objectCode, time, timeCode, whole } from "./values.ts";

/** What a page's inputs hold, by the package's name of the option. */
export type Texts = Readonly<Record<string, string | undefined>>;

export interface Setting {
  /** The package's name. */
  readonly key: string;
  /** Its name among the texts, if that is another. */
  readonly name?: string;
  readonly label: string;
  readonly kind: "time" | "whole" | "decimal" | "fields" | "word";
  readonly hint?: string;
  /** Of a word: the values, with words for each. An empty value leaves the option out. */
  readonly words?: readonly (readonly [string, string])[];
  /** What stands in the input at first. */
  readonly preset?: string;
  /** Rarely needed. */
  readonly rare?: true;
}

export interface Subject {
  /** The name in the fragment, and in the package's errors. */
  readonly name: string;
  readonly title: string;
  /** Its page below docs/formats/. */
  readonly page: string;
  /** The entry of the package that has it, and its name there. */
  readonly entry: string;
  readonly code: string;
  /** Whether `code` is a function that takes the settings. If not, and there are settings, it has `withEpoch`. */
  readonly declares: boolean;
  readonly settings: readonly Setting[];
  /** Options of its generators, besides the fixed fields and the policies. */
  readonly options: readonly Setting[];
  /** Fixed fields that may be left out, and what happens then. */
  readonly optional: Readonly<Record<string, string>>;
  make(values: Readonly<Record<string, unknown>>): AnyFormat;
}

const epoch: Setting = {
  key: "epoch",
  label: "Epoch",
  kind: "time",
  hint: "Date in UTC, or Unix ms",
  preset: "2025-01-01",
};
const otherEpoch: Setting = { ...epoch, preset: "", hint: "Empty: 2024-01-01", rare: true };
const entropySize: Setting = {
  key: "entropySize",
  label: "Random step",
  kind: "whole",
  hint: "Bytes; empty: 1",
  rare: true,
};

const any = (format: unknown): AnyFormat => format as AnyFormat;
const common = { declares: false, settings: [], options: [], optional: {} };

const dialect = (format: unknown, title: string, page = "snowflake"): Subject => {
  const made = any(format);
  const { name } = made;
  return { ...common, name, title, page, entry: "graupel/snowflake", code: name, make: () => made };
};

/** The values as the arguments of the package. */
const given = <Arguments>(values: Readonly<Record<string, unknown>>): Arguments =>
  values as unknown as Arguments;

const withEpoch =
  (format: typeof ulidFlake | typeof ulidFlakeScalable) =>
  (values: Readonly<Record<string, unknown>>): AnyFormat =>
    any(values.epoch === undefined ? format : format.withEpoch(values.epoch as number));

export const SUBJECTS: readonly Subject[] = [
  {
    ...common,
    name: "sno",
    title: "sno",
    page: "sno",
    entry: "graupel/sno",
    code: "sno",
    options: [
      { key: "metabyte", label: "Metabyte", kind: "whole", hint: "0 to 255; empty: 0" },
      { key: "sequenceMin", label: "Lowest sequence", kind: "whole", hint: "Empty: 0", rare: true },
      { key: "sequenceMax", label: "Highest sequence", kind: "whole", hint: "Empty: 65535", rare: true },
    ],
    optional: { partition: "empty: drawn at random" },
    make: () => any(sno),
  },
  {
    ...common,
    name: "nanoflake",
    title: "Nanoflake",
    page: "nanoflake",
    entry: "graupel/nanoflake",
    code: "nanoflake",
    declares: true,
    settings: [
      epoch,
      {
        key: "layout",
        label: "Layout",
        kind: "word",
        words: [
          ["", "as specified"],
          ["reference-24", "reference-24"],
        ],
      },
    ],
    make: (values) => any(nanoflake(given(values))),
  },
  {
    ...common,
    name: "snowflake",
    title: "Snowflake of your own",
    page: "snowflake",
    entry: "graupel/snowflake",
    code: "snowflake",
    declares: true,
    settings: [
      epoch,
      {
        key: "fields",
        label: "Fields, high to low",
        kind: "fields",
        hint: "Names and bits",
        preset: "time:41,worker:10,sequence:12",
      },
      { key: "tickMs", label: "Tick", kind: "whole", hint: "Milliseconds; empty: 1" },
    ],
    make: (values) => any(snowflake(given<Parameters<typeof snowflake>[0]>(values))),
  },
  dialect(twitter, "Twitter, X"),
  dialect(discord, "Discord"),
  dialect(instagram, "Instagram"),
  dialect(mastodon, "Mastodon"),
  dialect(sonyflake, "Sonyflake", "sonyflake"),
  {
    ...common,
    name: "snowflake-si",
    title: "Snowflake-SI",
    page: "snowflake-si",
    entry: "graupel/snowflake-si",
    code: "snowflakeSI",
    declares: true,
    settings: [
      epoch,
      { key: "clockBits", label: "Clock bits", kind: "whole", hint: "40 or 41; empty: 40" },
      { key: "machineBits", label: "Machine bits", kind: "whole", hint: "0 to 12; empty: the rest, or 5" },
      { key: "sequenceBits", label: "Sequence bits", kind: "whole", hint: "1 to 13; empty: the rest" },
    ],
    options: [
      {
        key: "onNewMillisecond",
        label: "New millisecond",
        kind: "word",
        rare: true,
        words: [
          ["", "starts from 0"],
          ["keep", "keeps the sequence"],
        ],
      },
      {
        key: "sequenceResetThreshold",
        label: "Reset threshold",
        kind: "whole",
        hint: "Empty: 0",
        rare: true,
      },
    ],
    make: (values) => any(snowflakeSI(given(values))),
  },
  {
    ...common,
    name: "ulid-flake",
    title: "Ulid-Flake",
    page: "ulid-flake",
    entry: "graupel/ulid-flake",
    code: "ulidFlake",
    settings: [otherEpoch],
    options: [entropySize],
    make: withEpoch(ulidFlake),
  },
  {
    ...common,
    name: "ulid-flake-scalable",
    title: "Ulid-Flake, scalable",
    page: "ulid-flake",
    entry: "graupel/ulid-flake",
    code: "ulidFlakeScalable",
    settings: [otherEpoch],
    options: [entropySize],
    optional: { scalability: "empty: 0" },
    make: withEpoch(ulidFlakeScalable),
  },
];

/** The subject of a name; without one, the first. */
export const subjectOf = (name: string | null | undefined): Subject =>
  SUBJECTS.find((subject) => subject.name === name) ?? (SUBJECTS[0] as Subject);

/** What identifies the machine: each of these differs in everything that generates at the same time. */
export const fixedFields = ({ layout }: AnyFormat) =>
  layout.fields.slice(1).filter(({ name }) => kindOf(name) === "machine");

const READERS = { time, whole, decimal, fields, word: (text: string) => text };

/** What stands in a setting's input. */
export const textOf = ({ key, name = key, preset = "" }: Setting, texts: Texts): string =>
  texts[name] ?? preset;

/** The texts of the settings as values; what is empty is left out. */
export function valuesOf(settings: readonly Setting[], texts: Texts): Record<string, unknown> {
  const read = settings.map((setting) => {
    const text = textOf(setting, texts).trim();
    return [setting.key, text === "" ? undefined : READERS[setting.kind](text)] as const;
  });
  return Object.fromEntries(read.filter(([, value]) => value !== undefined));
}

/** Makes the format that the texts describe. Throws the package's own errors. */
export const makeFormat = (subject: Subject, texts: Texts): AnyFormat =>
  subject.make(valuesOf(subject.settings, texts));

/** The code of a value. */
function codeOf(kind: Setting["kind"], value: unknown): string {
  if (kind === "time" && typeof value === "number") return timeCode(value);
  if (typeof value !== "object") return JSON.stringify(value);
  return objectCode(
    Object.fromEntries(Object.entries(value as object).map(([key, bits]) => [key, `${bits}`])),
  );
}

/** The values of settings as an object in code; empty without any. */
export function settingsCode(settings: readonly Setting[], texts: Texts): string {
  const values = valuesOf(settings, texts);
  const pairs = settings.map(({ key, kind }) => [key, key in values ? codeOf(kind, values[key]) : undefined]);
  return objectCode(Object.fromEntries(pairs));
}

/** The import of a subject, as a line of code. */
export const importCode = ({ code, entry }: Subject): string => `import { ${code} } from "${entry}";`;

/** The format that the texts describe, as an expression. */
export function formatCode(subject: Subject, texts: Texts): string {
  const { code, declares, settings } = subject;
  if (declares) return `${code}(${settingsCode(settings, texts)})`;
  const values = valuesOf(settings, texts);
  return values.epoch === undefined ? code : `${code}.withEpoch(${codeOf("time", values.epoch)})`;
}
