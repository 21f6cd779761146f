/** Makes a format from typed options: finds, checks and converts them. */
import type { FormatFacts } from "../facts.js";
import type { AnyFormat, AnyId } from "../index.js";
import * as graupel from "../index.js";
import {
  commonFlags,
  factsOf,
  type OptionName,
  peek,
  type TypedValues,
  UsageError,
  unknownName,
} from "./arguments.js";
import { type Choice, declaredLayout, formatChoices, listed, numberChoice, textChoices } from "./choices.js";
import { makerOf, type Options } from "./make.js";
import { withOptionNames } from "./option-errors.js";
import { convert, toFields } from "./values.js";

/** Makes a format of the package. */
export const make = makerOf(graupel);

/** The format of the first argument, and the other arguments. */
export function formatArgument([name, ...rest]: readonly string[]): readonly [FormatFacts, ...string[]] {
  if (name === undefined) throw new UsageError("a format is missing");
  return [formatOf(name), ...rest];
}

/** The option of a command that also works without a format. */
export const formatOption: OptionName = { name: "format", short: "f" };

/**
 * The format that this option names, and the options to make and read it: `values` without the
 * command's `own`. Without a name, such options are an error.
 */
export function namedFormat(
  values: TypedValues,
  own: readonly OptionName[],
  choicesOf: (facts: FormatFacts) => readonly Choice[],
) {
  const options = without(
    values,
    own.map(({ name }) => name),
  );
  const named = values.get(formatOption.name)?.text;
  if (named === undefined) {
    const [other] = options.values();
    if (other !== undefined) throw new UsageError(`${other.as} needs --format`);
    return undefined;
  }
  const facts = formatOf(named);
  failForOthers(options, choicesOf(facts), named);
  return { format: makeFormat(facts, options), facts, options };
}

/** The facts of a format by its typed name. */
function formatOf(name: string): FormatFacts {
  const format = factsOf(name);
  if (format) return format;
  throw unknownName(
    "unknown format",
    name,
    listed.map((one) => one.name),
  );
}

/**
 * The options of a custom layout: one for each fixed field. A field must not have the name of
 * another possible option; `others` are the command's own options. Names of other formats' options,
 * such as `--worker-id`, are free. `own`: whether the command also takes the field that counts.
 */
export function layoutChoices(
  args: readonly string[],
  others: readonly Choice[],
  own: "fixed" | "all" = "fixed",
): Choice[] {
  const list = peek(args, "fields");
  if (list === undefined) return [];
  const taken = [...commonFlags, ...formatChoices(declaredLayout), ...others];
  const names = new Set(taken.map(({ name }) => name));
  const counter = own === "all" ? "" : (peek(args, "sequence-field")?.text ?? "sequence");
  const fields = Object.keys(toFields(list)).filter((field) => field !== "time" && field !== counter);
  return fields.map((field) => {
    const found = numberChoice(field);
    if (names.has(found.name)) {
      const why = `--${found.name} already means something else`;
      throw new UsageError(`--fields: ${why}, so no field can be called ${field}`);
    }
    names.add(found.name);
    return found;
  });
}

/** Converts the values of these options and ignores all others. */
export function optionsFrom(values: TypedValues, choices: readonly Choice[]): Options {
  const pairs = choices.flatMap((choice) => {
    const typed = values.get(choice.name);
    return typed ? [[choice.key, convert(choice, typed)] as const] : [];
  });
  return Object.fromEntries(pairs);
}

/** Throws if an option does not belong to the format. */
export function failForOthers(values: TypedValues, accepted: readonly Choice[], format: string): void {
  const names = accepted.map((choice) => choice.name);
  for (const [name, { as }] of values) {
    if (names.includes(name)) continue;
    const instead = names.length > 0 ? `takes ${names.map((n) => `--${n}`).join(", ")}` : "takes none";
    throw new UsageError(`${as} is not an option of ${format}, which ${instead}`);
  }
}

/** Makes a format from the user's options. */
export function makeFormat(facts: FormatFacts, values: TypedValues): AnyFormat {
  const choices = formatChoices(facts);
  const options = optionsFrom(values, choices);
  return withOptionNames(() => make(facts, options), { choices, values });
}

/** Returns a parser for the format's texts, in the user's radix if there is one. */
export function parserOf(
  format: AnyFormat,
  facts: FormatFacts,
  values: TypedValues,
): (text: string) => AnyId {
  const choices = textChoices(facts);
  const { radix } = optionsFrom(values, choices) as { radix?: number };
  // Report a wrong radix once, not for each ID.
  if (radix !== undefined) withOptionNames(() => format.parse("0", radix), { choices, values });
  return (text) => format.parse(text, radix);
}

/** Removes options of the command line that the package does not have. */
export const without = (values: TypedValues, names: readonly string[]): TypedValues =>
  new Map([...values].filter(([name]) => !names.includes(name)));
