/** The formats of the command line, made from their facts: options, and how to make each. What it says of them is in words.json. */
import { type FormatFacts, type FormatName, facts, type OptionFacts } from "../facts.js";
import type { AnyFormat, AnyGenerator } from "../index.js";
import * as graupel from "../index.js";
import type { OptionName } from "./tokens.js";
import words from "./words.json" with { type: "json" };

export type { AnyFormat, AnyId as Id } from "../index.js";

/** An option with a value. Its name is the package's name in kebab case. */
export interface Choice extends OptionName {
  /** The package's name, if it is not the option's name in camel case. */
  readonly key?: string;
  /** A `number` is whole; a `duration` may have a fraction. */
  readonly kind: Kind;
  /** The placeholder of the value in the help. */
  readonly value: string;
  readonly about: string;
}

type Kind = "number" | "duration" | "time" | "word" | "fields";

export type Settings = Record<string, unknown>;

/** Generates the next n IDs as text. */
export type Source = (n: number) => string[];

/** What the program says of a format, and its example. */
export interface Words {
  /** The format's name, for people. */
  readonly title: string;
  readonly about: string;
  /** What the example declares, besides an epoch. */
  readonly declaration?: Readonly<Record<string, unknown>>;
  /** The options of the example's generator. Without them, the format itself generates the ID. */
  readonly options?: Readonly<Record<string, number>>;
  /** The argument of `next`. */
  readonly call?: number;
  /** An ID of the service, if it is that of a service. */
  readonly id?: string;
}

export interface Entry {
  readonly name: FormatName;
  readonly facts: FormatFacts;
  /** Options of the format itself, needed to generate and to read IDs. */
  readonly format: readonly Choice[];
  /** Options of its generators. */
  readonly generator: readonly Choice[];
  /** Options for reading the text of an ID. */
  readonly text: readonly Choice[];
  make(settings: Settings): AnyFormat;
  source(format: AnyFormat, settings: Settings): Source;
}

/** What the program says of the formats, by name. Those that are layouts of another format have none. */
export const wordsOf: Readonly<Partial<Record<FormatName, Words>>> = words.formats;

/** Placeholders of the values. */
const placeholders: Readonly<Record<Kind, string>> = {
  number: "N",
  duration: "MS",
  time: "MS",
  word: "WORD",
  fields: "LIST",
};

/** The formats that are no layout of another one. */
const own = Object.values(facts).filter(({ given }) => Object.keys(given).length === 0);

/** The options of every generator: those of a declared layout, which has no others before it is declared. */
const shared = facts.snowflake.options;
const isShared = ({ name }: OptionFacts): boolean => shared.some((one) => one.name === name);

/** The words of a policy: those of all formats, and those of a format alone. */
function policyWords({ name, words: common }: OptionFacts): string {
  const more = own.flatMap((one) =>
    one.options
      .filter((option) => option.name === name)
      .flatMap((option) => (option.words ?? []).filter((word) => !common?.includes(word)))
      .map((word) => `; ${one.name} also ${word}`),
  );
  return `${common?.join(", ")}${more.join("")}`;
}

function choice(
  option: Pick<OptionFacts, "name" | "words"> & { readonly kind: Kind },
  about?: string,
): Choice {
  const { name, kind } = option;
  const said: { readonly value?: string; readonly about?: string } =
    (words.options as Readonly<Record<string, object>>)[name] ?? {};
  return {
    name: toKebab(name),
    kind,
    value: said.value ?? placeholders[kind],
    about: about ?? said.about ?? option.words?.join(", ") ?? name,
  };
}

/** The options that can be typed. */
const typed = (options: readonly OptionFacts[]) =>
  options.filter((option): option is OptionFacts & { kind: Kind } => option.kind in placeholders);

/** Options of every generator. A time to start after is for programs. */
export const policies: readonly Choice[] = typed(shared)
  .filter(({ kind }) => kind !== "time")
  .map((option) => choice(option, option.words === null ? undefined : policyWords(option)));

const number = (name: string): Choice => choice({ name, kind: "number", words: null });

function entryFor(one: FormatFacts): Entry {
  const fields = one.fields ?? [];
  const named = (role: string): string[] =>
    fields.filter((field) => field.role === role).map(({ name }) => name);
  const options = typed(one.options.filter((option) => !isShared(option)));
  const isFixed = ({ name }: OptionFacts): boolean => named("fixed").includes(name);
  const calls = named("call");
  return {
    name: one.name,
    facts: one,
    format: typed(one.declaration).map((option) => choice(option)),
    // In the order of the fields; options of each ID are not the generator's.
    generator: [
      ...options.filter(isFixed).map((option) => choice(option)),
      ...calls.map(number),
      ...options.filter((option) => !isFixed(option)).map((option) => choice(option)),
    ],
    text: one.entry === "graupel/nanoflake" ? [number("radix")] : [],
    make: (settings) => make(one, settings),
    source: (format, settings) => source(format, settings, calls),
  };
}

/** Makes a format; the package checks the settings itself. */
function make({ export: exported, declared, given }: FormatFacts, settings: Settings): AnyFormat {
  const exports: Readonly<Record<string, unknown>> = { ...graupel };
  const found = exports[exported];
  if (declared) return (found as (declaration: object) => AnyFormat)({ ...given, ...settings });
  const format = found as AnyFormat & { withEpoch(epoch: unknown): AnyFormat };
  return settings.epoch === undefined ? format : format.withEpoch(settings.epoch);
}

/** `calls`: the settings that are arguments of each call. */
function source(format: AnyFormat, settings: Settings, calls: readonly string[]): Source {
  const options = Object.entries(settings).filter(([name]) => !calls.includes(name));
  const call = calls.flatMap((name) =>
    settings[name] === undefined ? [] : [[name, settings[name]] as const],
  );
  // Check now rather than at the first ID: `-n 0` generates none.
  if (call.length > 0) format.with(format.range().min, Object.fromEntries(call));
  const generator: AnyGenerator & { nextManyText(n: number, ...call: unknown[]): string[] } =
    format.generator(Object.fromEntries(options));
  const values = call.map(([, value]) => value);
  return (n) => generator.nextManyText(n, ...values);
}

/** Whether the user declares the fields. */
export const hasOwnLayout = ({ facts: { fields } }: Entry): boolean => fields === null;

/** Every format, by name. */
export const registry: ReadonlyMap<string, Entry> = new Map(own.map((one) => [one.name, entryFor(one)]));

/** All names, also those of the other layouts of a format. */
export const allNames: readonly string[] = Object.keys(facts);

/** The entry of a name, or of the name of another layout. */
export const lookUp = (name: string): Entry | undefined =>
  registry.get(name) ?? (Object.hasOwn(facts, name) ? entryFor(facts[name as FormatName]) : undefined);

/** `generator-id` for `generatorId`, and `region-id` for `RegionID`. */
export function toKebab(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase();
}

/** `generatorId` for `generator-id`. */
export const toCamel = (name: string): string => name.replace(/-([a-z])/g, (_, c: string) => c.toUpperCase());
