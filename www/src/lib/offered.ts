/** The formats with the options of each, as the pages offer them. The package itself checks every value. */
import { type FormatFacts, facts, type OptionFacts } from "graupel/facts";
import { makerOf } from "../../../js/cli/make.ts";
import words from "../../../js/cli/words.json" with { type: "json" };
import { type AnyFormat, exported } from "./formats.ts";
import { kindOf } from "./kinds.ts";
import { titleName } from "./names.ts";
import type { Limits } from "./reasons.ts";
import { SAID, type Said } from "./said.ts";
import { decimal, fields, objectCode, time, timeCode, whole } from "./values.ts";

/** What a page's inputs hold, by the package's name of the option. */
export type Texts = Readonly<Record<string, string | undefined>>;

export interface Setting extends Said {
  /** The package's name. */
  readonly key: string;
  /** Its name among the texts, if that is another. */
  readonly name?: string;
  readonly kind: "time" | "whole" | "decimal" | "fields" | "word" | "field";
  /** The range of a number. */
  readonly range?: { readonly min: number; readonly max: number };
}

export interface OfferedFormat {
  readonly facts: FormatFacts;
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

/** An argument of each call is 0 if it is left out. */
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

/** The settings for options. An option that cannot be typed has no setting. */
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

/** The number ranges of the settings, for the text of a refusal. */
export const limitsOf = (settings: readonly Setting[]): Limits =>
  Object.fromEntries(settings.flatMap(({ key, range }) => (range === undefined ? [] : [[key, range]])));

/** The options of every generator, which a page offers by itself. */
const isShared = ({ name }: OptionFacts) =>
  Object.values(facts).every(({ options }) => options.some((option) => option.name === name));

const make = makerOf(exported);

/** What happens if a fixed field is left out. */
const leftOut = ({ default: absent }: OptionFacts): string =>
  `empty: ${absent === null ? "drawn at random" : absent}`;

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

/** The formats that are not a layout of another one. In each entry, declared formats come first. */
const SHOWN = Object.values(facts).filter(({ given }) => Object.keys(given).length === 0);

export const OFFERED: readonly OfferedFormat[] = [...new Set(SHOWN.map(({ entry }) => entry))].flatMap(
  (entry) => {
    const all = SHOWN.filter((one) => one.entry === entry);
    return [...all.filter(({ declared }) => declared), ...all.filter(({ declared }) => !declared)].map(
      offeredFor,
    );
  },
);

/** The format that pages begin with, because most visitors know it. */
const FIRST = "discord";

/** The format of a name; without a name, the one that pages begin with. */
export const offeredOf = (name: string | null | undefined): OfferedFormat =>
  OFFERED.find((offered) => offered.name === name) ??
  (OFFERED.find((offered) => offered.name === FIRST) as OfferedFormat);

/**
 * The fields that identify the machine: they must differ between all generators that run at the
 * same time.
 */
export const fixedFields = ({ layout }: AnyFormat) =>
  layout.fields.filter((field) => kindOf(field) === "machine");

const same = (text: string) => text;
const READERS = { time, whole, decimal, fields, word: same, field: same };

/** The text in a setting's input. */
export const textOf = ({ key, name = key, preset = "" }: Setting, texts: Texts): string =>
  texts[name] ?? preset;

/** The texts of the settings as values, without the empty ones. */
export function valuesOf(settings: readonly Setting[], texts: Texts): Record<string, unknown> {
  const read = settings.map((setting) => {
    const text = textOf(setting, texts).trim();
    return [setting.key, text === "" ? undefined : READERS[setting.kind](text)] as const;
  });
  return Object.fromEntries(read.filter(([, value]) => value !== undefined));
}

/** Makes the format that the texts describe. Throws the package's own errors. */
export const makeFormat = (offered: OfferedFormat, texts: Texts): AnyFormat =>
  offered.make(valuesOf(offered.settings, texts));

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

/** The import of a format, as a line of code. */
export const importCode = ({ code, entry }: OfferedFormat): string => `import { ${code} } from "${entry}";`;

/** The format that the texts describe, as an expression. */
export function formatCode(offered: OfferedFormat, texts: Texts): string {
  const { code, declares, settings } = offered;
  if (declares) return `${code}(${settingsCode(settings, texts)})`;
  const values = valuesOf(settings, texts);
  return values.epoch === undefined ? code : `${code}.withEpoch(${codeOf("time", values.epoch)})`;
}
