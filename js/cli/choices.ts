/** The options for each format, generated from its facts. Their descriptions are in words.json. */
import { type FieldRole, type FormatFacts, facts, type OptionFacts } from "../facts.js";
import type { LayoutField } from "../types.js";
import type { OptionName } from "./arguments.js";
import words from "./words.json" with { type: "json" };

/** An option with a value. Its name is the package's name in kebab-case. */
export interface Choice extends OptionName {
  /** The package's name. */
  readonly key: string;
  /** A `number` is whole; a `duration` may have a fraction. */
  readonly kind: ValueKind;
  /** The placeholder of the value in the help. */
  readonly value: string;
  readonly about: string;
}

type ValueKind = keyof typeof placeholders;

/** The placeholders of the values, by kind. */
const placeholders = { number: "N", duration: "MS", time: "MS", word: "WORD", fields: "LIST", field: "NAME" };

/** The formats to list: all except layouts of another format. */
export const listed: readonly FormatFacts[] = Object.values(facts).filter(
  ({ given }) => Object.keys(given).length === 0,
);

/** An option for a number, such as that of a field. */
export const numberChoice = (key: string, about?: string): Choice =>
  choice({ name: key, kind: "number", words: null }, about);

function choice(
  option: Pick<OptionFacts, "name" | "words"> & { readonly kind: ValueKind },
  about?: string,
): Choice {
  const { name, kind } = option;
  const said: { readonly value?: string; readonly about?: string } =
    (words.options as Readonly<Record<string, object>>)[name] ?? {};
  return {
    name: toKebab(name),
    key: name,
    kind,
    value: said.value ?? placeholders[kind],
    about: about ?? said.about ?? option.words?.join(", ") ?? name,
  };
}

/** `generator-id` for `generatorId`, and `region-id` for `RegionID`. */
const toKebab = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase();

/** The options that can be typed. */
const typed = (options: readonly OptionFacts[]) =>
  options.filter((option): option is OptionFacts & { kind: ValueKind } => option.kind in placeholders);

/** The format with a declared layout. */
export const declaredLayout = listed.find(({ fields }) => fields === null) as FormatFacts;

/** The options of every generator. */
const shared = declaredLayout.options.filter(({ name }) =>
  listed.every(({ options }) => options.some((option) => option.name === name)),
);

/** The options of every generator, without `notBefore`, which is for programs. */
export const policies: readonly Choice[] = typed(shared)
  .filter(({ kind }) => kind !== "time")
  .map((option) => choice(option, option.words === null ? undefined : policyWords(option)));

/** The values of a policy: the common ones, then those of a single format. */
function policyWords({ name, words: common }: OptionFacts): string {
  const more = listed.flatMap((one) =>
    one.options
      .filter((option) => option.name === name)
      .flatMap((option) => (option.words ?? []).filter((word) => !common?.includes(word)))
      .map((word) => `; ${one.name} also ${word}`),
  );
  return `${common?.join(", ")}${more.join("")}`;
}

/** Options of a format itself, needed to generate and to read IDs. */
export const formatChoices = ({ declaration }: FormatFacts): Choice[] =>
  typed(declaration).map((option) => choice(option));

/** The names of the fields of a role. */
export const fieldsOf = ({ fields }: FormatFacts, role: FieldRole): string[] =>
  (fields ?? []).filter((field) => field.role === role).map(({ name }) => name);

/**
 * Options of a format's generators besides the policies: its fixed fields, the arguments of each
 * call, the others.
 */
export function generatorChoices(format: FormatFacts): Choice[] {
  const own = typed(format.options.filter(({ name }) => !shared.some((one) => one.name === name)));
  const isFixed = ({ name }: OptionFacts): boolean => fieldsOf(format, "fixed").includes(name);
  return [
    ...own.filter(isFixed).map((option) => choice(option)),
    ...fieldsOf(format, "call").map((name) => numberChoice(name)),
    ...own.filter((option) => !isFixed(option)).map((option) => choice(option)),
  ];
}

/** The options for the text of an ID. Only formats whose digits are not decimal take a radix. */
export const textChoices = ({ text: { base, shortest, longest } }: FormatFacts): Choice[] =>
  shortest < longest && base !== 10 ? [numberChoice("radix")] : [];

/** Options for reading IDs. */
export const readingChoices = (format: FormatFacts): Choice[] => [
  ...formatChoices(format),
  ...textChoices(format),
];

/** The options for the time of an ID. */
export const timeChoices: readonly Choice[] = [
  { name: "time", key: "time", kind: "time", value: "TIME", about: "time of the ID: Unix ms or ISO 8601" },
  { name: "timestamp", key: "timestamp", kind: "time", value: "TIME", about: "the same as --time" },
  numberChoice("ticks", "the time as ticks since the epoch"),
];

/** An option for each field, except the time. */
export const fieldChoices = (fields: readonly LayoutField[]): Choice[] =>
  fields.slice(1).map(({ name, bits }) => numberChoice(name, `0 to ${2 ** bits - 1}`));

/**
 * The options for the fields of a format; for a layout of your own, the sequence, which every
 * layout has.
 */
export const usualFields = ({ fields }: FormatFacts): Choice[] =>
  fields === null ? [numberChoice("sequence", "the sequence")] : fieldChoices(fields);
