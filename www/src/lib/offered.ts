/**
 * The formats with their options, as the pages offer them. The package itself checks every value.
 */
import { type FormatFacts, facts, type OptionFacts } from "graupel/facts";
import { makerOf } from "../../../js/cli/make.ts";
import words from "../../../js/cli/words.json" with { type: "json" };
import { type AnyFormat, exported } from "./formats.ts";
import { kindOf } from "./kinds.ts";
import { titleName } from "./names.ts";
import type { Limits } from "./reasons.ts";
import { SAID, type Said } from "./said.ts";
import { decimal, fields, objectCode, time, timeCode, whole } from "./values.ts";

/** The texts in a page's inputs, by the package's name of the option. */
export type Texts = Readonly<Record<string, string | undefined>>;

export interface Setting extends Said {
  /** The package's name of the option. */
  readonly key: string;
  /** The name among the texts, if it differs from `key`. */
  readonly name?: string;
  readonly kind: "time" | "whole" | "decimal" | "fields" | "word" | "field";
  /** The range, if the setting is a number. */
  readonly range?: { readonly min: number; readonly max: number };
}

export interface OfferedFormat {
  readonly facts: FormatFacts;
  /** The name in the fragment and in the package's errors. */
  readonly name: string;
  readonly title: string;
  /** The path of its page below docs/formats/. */
  readonly page: string;
  /** The package's entry that exports it, and its name there. */
  readonly entry: string;
  readonly code: string;
  /**
   * Whether `code` is a function that takes the settings. Otherwise, a format with settings has
   * `withEpoch`.
   */
  readonly declares: boolean;
  readonly settings: readonly Setting[];
  /** Options of its generators, without the fixed fields and the policies. */
  readonly options: readonly Setting[];
  /** The fixed fields that may be left out, each with a description of the default. */
  readonly optional: Readonly<Record<string, string>>;
  make(values: Readonly<Record<string, unknown>>): AnyFormat;
}

/** An argument of each call. It is 0 if it is left out. */
const ofCall = (name: string, bits: number): Setting => ({
  key: name,
  label: titleName(name),
  kind: "whole",
  range: { min: 0, max: 2 ** bits - 1 },
  hint: `0 to ${2 ** bits - 1}; empty: 0`,
});

const KINDS: Readonly<Partial<Record<OptionFacts["kind"], Setting["kind"]>>> = {
  number: "whole",
  time: "time",
  word: "word",
  fields: "fields",
  field: "field",
};

/** The settings for options. Options that cannot be typed into an input are left out. */
const settingsOf = (options: readonly OptionFacts[]): Setting[] =>
  options.flatMap((option) => {
    const kind = KINDS[option.kind];
    const said = SAID[option.name];
    if (kind === undefined) return [];
    if (said === undefined) throw new Error(`what is said of ${option.name}?`);
    const { min, max } = option;
    const range = kind === "whole" && min !== null && max !== null ? { range: { min, max } } : {};
    return [{ key: option.name, kind, ...range, ...said(option) }];
  });

/** The ranges of the settings that are numbers, for the message about a rejected value. */
export const limitsOf = (settings: readonly Setting[]): Limits =>
  Object.fromEntries(settings.flatMap(({ key, range }) => (range === undefined ? [] : [[key, range]])));

/** Whether every generator has the option. Pages offer these options separately. */
const isShared = ({ name }: OptionFacts) =>
  Object.values(facts).every(({ options }) => options.some((option) => option.name === name));

const make = makerOf(exported);

/** Describes the default of a fixed field. */
const leftOut = ({ default: absent }: OptionFacts): string =>
  `if empty: ${absent === null ? "drawn at random" : absent}`;

function offeredFor(one: FormatFacts): OfferedFormat {
  const { name, entry, export: code, declared, declaration, options } = one;
  const named = (role: string) => (one.fields ?? []).filter((field) => field.role === role);
  const fixed = named("fixed").map(({ name }) => name);
  const optional = options.filter((option) => !option.required && fixed.includes(option.name));
  const own = options.filter((option) => !fixed.includes(option.name) && !isShared(option));
  return {
    facts: one,
    name,
    title: words.formats[name as keyof typeof words.formats].title,
    page: name in words.pages ? name : entry.replace("graupel/", ""),
    entry,
    code,
    declares: declared,
    settings: settingsOf(declaration),
    options: [...named("call").map(({ name, bits }) => ofCall(name, bits)), ...settingsOf(own)],
    optional: Object.fromEntries(optional.map((option) => [option.name, leftOut(option)])),
    make: (values) => make(one, values),
  };
}

/** The formats without alternative layouts. In each entry, declared formats come first. */
const SHOWN = Object.values(facts).filter(({ given }) => Object.keys(given).length === 0);

export const OFFERED: readonly OfferedFormat[] = [...new Set(SHOWN.map(({ entry }) => entry))].flatMap(
  (entry) => {
    const all = SHOWN.filter((one) => one.entry === entry);
    return [...all.filter(({ declared }) => declared), ...all.filter(({ declared }) => !declared)].map(
      offeredFor,
    );
  },
);

/** The initial format of the pages, because most visitors know it. */
const FIRST = "discord";

/** Finds a format by name. Without a name, it returns the initial format. */
export const offeredOf = (name: string | null | undefined): OfferedFormat =>
  OFFERED.find((offered) => offered.name === name) ??
  (OFFERED.find((offered) => offered.name === FIRST) as OfferedFormat);

/**
 * The fields that identify the machine. They must differ between all generators that run at the
 * same time.
 */
export const fixedFields = ({ layout }: AnyFormat) =>
  layout.fields.filter((field) => kindOf(field) === "machine");

const same = (text: string) => text;
const READERS = { time, whole, decimal, fields, word: same, field: same };

/** The text in a setting's input. */
export const textOf = ({ key, name = key, preset = "" }: Setting, texts: Texts): string =>
  texts[name] ?? preset;

/** The values of the settings that are not empty. */
export function valuesOf(settings: readonly Setting[], texts: Texts): Record<string, unknown> {
  const read = settings.map((setting) => {
    const text = textOf(setting, texts).trim();
    return [setting.key, text === "" ? undefined : READERS[setting.kind](text)] as const;
  });
  return Object.fromEntries(read.filter(([, value]) => value !== undefined));
}

/** Creates the format that the texts describe. Throws the package's own errors. */
export const makeFormat = (offered: OfferedFormat, texts: Texts): AnyFormat =>
  offered.make(valuesOf(offered.settings, texts));

/** A value, as code. */
function codeOf(kind: Setting["kind"], value: unknown): string {
  if (kind === "time" && typeof value === "number") return timeCode(value);
  if (typeof value !== "object") return JSON.stringify(value);
  return objectCode(
    Object.fromEntries(Object.entries(value as object).map(([key, bits]) => [key, `${bits}`])),
  );
}

/** The settings as an object in code; empty if there are none. */
export function settingsCode(settings: readonly Setting[], texts: Texts): string {
  const values = valuesOf(settings, texts);
  const pairs = settings.map(({ key, kind }) => [key, key in values ? codeOf(kind, values[key]) : undefined]);
  return objectCode(Object.fromEntries(pairs));
}

/** The import of a format, as code. */
export const importCode = ({ code, entry }: OfferedFormat): string => `import { ${code} } from "${entry}";`;

/** The format that the texts describe, as code. */
export function formatCode(offered: OfferedFormat, texts: Texts): string {
  const { code, declares, settings } = offered;
  if (declares) return `${code}(${settingsCode(settings, texts)})`;
  const values = valuesOf(settings, texts);
  return values.epoch === undefined ? code : `${code}.withEpoch(${codeOf("time", values.epoch)})`;
}
