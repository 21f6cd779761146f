/** The messages between the page and its worker, and the code for generating IDs that both use. */
import type { OptionFacts } from "graupel/facts";
import type { AnyFormat, AnyGenerator } from "../lib/formats.ts";
import { titleName } from "../lib/names.ts";
import {
  fixedFields,
  makeFormat,
  type OfferedFormat,
  offeredOf,
  type Setting,
  type Texts,
  valuesOf,
} from "../lib/offered.ts";
import type { Refusal } from "../lib/refusal.ts";

const numbers = new Intl.NumberFormat("en");

/** The largest number of IDs in one order. */
export const MOST = 1_000_000;

/** The number of IDs that the page shows. */
export const SHOWN = 100;

export type File = "csv" | "json";

/** A message from the page. */
export type Order =
  | { readonly kind: "make"; readonly texts: Texts; readonly count: number; readonly form: string }
  | { readonly kind: "write"; readonly form: string; readonly texts: Texts }
  | { readonly kind: "file"; readonly file: File; readonly form: string; readonly texts: Texts }
  | { readonly kind: "cancel" };

/** IDs in the requested form. */
export interface Written {
  /** The first IDs, with their times. */
  readonly rows: readonly { readonly id: string; readonly timestamp: number }[];
  /** All IDs, one per line. */
  readonly text: string;
}

/** A message from the worker. */
export type Report =
  | { readonly kind: "progress"; readonly done: number; readonly of: number }
  /** IDs were generated. After an error or a cancellation, there are fewer than requested. */
  | {
      readonly kind: "made";
      readonly count: number;
      readonly ms: number;
      readonly written: Written;
      readonly refusal: Refusal | undefined;
    }
  | { readonly kind: "written"; readonly written: Written }
  | { readonly kind: "file"; readonly file: File; readonly blob: Blob }
  | { readonly kind: "cancelled" }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/** The values of an option with their labels, the default first. */
function wordsOf({ facts }: OfferedFormat, option: string): readonly (readonly [string, string])[] {
  const { words, default: standard } = facts.options.find(({ name }) => name === option) as OptionFacts;
  const others = (words ?? []).filter((word) => word !== standard);
  return [["", `${standard}, the default`], ...others.map((word) => [word, word] as const)];
}

/** The policies that a format's generators accept. */
export function policiesOf(offered: OfferedFormat): Setting[] {
  return [
    {
      key: "clockBackwards",
      label: "Clock goes back",
      kind: "word",
      words: wordsOf(offered, "clockBackwards"),
    },
    {
      key: "sequenceFull",
      label: "Sequence full",
      kind: "word",
      words: wordsOf(offered, "sequenceFull"),
    },
    { key: "maxWaitMs", label: "Longest wait", kind: "decimal", hint: "ms; if empty: 100" },
    { key: "maxAheadMs", label: "Farthest ahead", kind: "decimal", hint: "ms; if empty: 10000" },
  ];
}

/** The names of the page's other inputs. A declared field may have the same name. */
const TAKEN = ["format", "count", "form", "radix", "epoch", "fields", "tickMs", "sequenceField", "ids"];

/** The fixed fields of a format, as settings. */
export const machineSettings = (offered: OfferedFormat, format: AnyFormat): Setting[] =>
  fixedFields(format).map(({ name, bits }) => ({
    key: name,
    // The dot avoids a clash, because names of fields contain no dots.
    name: TAKEN.includes(name) ? `field.${name}` : name,
    label: titleName(name),
    kind: "whole",
    range: { min: 0, max: 2 ** bits - 1 },
    hint: [`0 to ${numbers.format(2 ** bits - 1)}`, offered.optional[name]].filter(Boolean).join("; "),
    ...(name in offered.optional ? {} : { preset: "0" }),
  }));

/** All options of a generator. */
export const generatorSettings = (offered: OfferedFormat, format: AnyFormat): Setting[] => [
  ...machineSettings(offered, format),
  ...offered.options.filter(({ key }) => key !== "metabyte"),
  ...policiesOf(offered),
];

/** Generates any number of IDs, as canonical texts. */
export interface Source {
  readonly format: AnyFormat;
  /** The number of IDs in one call. It takes about 16 ms of ID time. */
  readonly batch: number;
  readonly make: (n: number) => string[];
}

/** Parses the texts of all inputs. Throws the package's own errors before any ID is generated. */
export function sourceOf(texts: Texts): Source {
  const offered = offeredOf(texts.format);
  const format = makeFormat(offered, texts);
  const generator = format.generator(valuesOf(generatorSettings(offered, format), texts)) as AnyGenerator & {
    readonly capacity?: number;
    nextManyText(n: number, metabyte?: number): string[];
  };
  const capacity = generator.capacity ?? format.capacity;
  const batch = Math.max(1, Math.min(4096, Math.floor((capacity * 16) / format.layout.tickMs)));
  const { metabyte } = valuesOf(offered.options, texts);
  if (metabyte === undefined) return { format, batch, make: (n) => generator.nextManyText(n) };
  format.compose({ ticks: 0, metabyte: metabyte as number, partition: 0, sequence: 0 });
  return { format, batch, make: (n) => generator.nextManyText(n, metabyte as number) };
}

/** The radix that the texts select, for formats with several. */
export const radixOf = ({ radix = "36" }: Texts): number =>
  /^\d{1,3}$/.test(radix) ? Number(radix) : Number.NaN;
