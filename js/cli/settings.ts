/** From typed options to a format: finds, checks and converts the options. */
import { type Arguments, commonFlags, peek, quote, type Typed, UsageError } from "./arguments.js";
import { didYouMean } from "./nearest.js";
import { refuseNoNumbers, refusing } from "./refusals.js";
import {
  type AnyFormat,
  type Choice,
  type Entry,
  type Id,
  lookUp,
  registry,
  type Settings,
  toCamel,
  toKebab,
} from "./registry.js";
import { convert, toFields } from "./values.js";

/** The format of the first argument, and the other arguments. */
export function formatArgument(
  [name, ...rest]: readonly string[],
  command: string,
): { entry: Entry; rest: readonly string[] } {
  if (name === undefined) throw new UsageError("which format?", command);
  return { entry: entryOf(name, command), rest };
}

/** The options of the format among the arguments, if there is one: only they are suggested. */
export const fittingFormat =
  (pick: (entry: Entry) => readonly Choice[]) =>
  ({ positionals }: Arguments): readonly Choice[] | undefined => {
    const entry = positionals.map(lookUp).find((one) => one !== undefined);
    return entry && pick(entry);
  };

/** The entry of a format by its typed name. */
export function entryOf(name: string, command: string): Entry {
  const entry = lookUp(name);
  if (entry) return entry;
  const names = [...registry.keys()];
  const hint = didYouMean(name, names) || `; there are ${names.join(", ")}`;
  throw new UsageError(`unknown format ${quote(name)}${hint}`, command);
}

/** Each option once: several formats share some. */
export function unique(choices: Iterable<Choice>): Choice[] {
  return [...new Map([...choices].map((choice) => [choice.name, choice])).values()];
}

/** The picked options of all formats. */
export const optionsOfAll = (pick: (entry: Entry) => readonly Choice[]): Choice[] =>
  unique([...registry.values()].flatMap(pick));

/**
 * The options of a custom layout: one for each of its fixed fields. Refuses a field with the name of an option that such a
 * command line can have: `others` are the command's own. Options of other formats, such as `--worker-id`, are free.
 */
export function layoutChoices(args: readonly string[], others: readonly Choice[], command: string): Choice[] {
  const list = peek(args, "fields");
  if (list === undefined) return [];
  const ofFormat = registry.get("snowflake")?.format ?? [];
  const taken = new Set([...commonFlags, ...ofFormat, ...others].map((option) => option.name));
  const choices = new Map<string, Choice>();
  for (const field of Object.keys(toFields(list, command))) {
    if (field === "time" || field === "sequence") continue;
    const name = toKebab(field);
    if (taken.has(name) || choices.has(name)) {
      const message = `--fields: --${name} already means something else, so no field can be called ${field}`;
      throw new UsageError(message, command);
    }
    choices.set(name, { name, key: field, kind: "number", value: "N", about: "a field of the layout" });
  }
  return [...choices.values()];
}

/** Converts the values of the given options. Other calls convert the others. */
export function parseSettings(
  values: ReadonlyMap<string, Typed>,
  choices: readonly Choice[],
  command: string,
): Settings {
  const settings: Settings = {};
  for (const choice of choices) {
    const typed = values.get(choice.name);
    if (typed) settings[choice.key ?? toCamel(choice.name)] = convert(choice, typed, command);
  }
  return settings;
}

/** Refuses options that the format does not have. */
export function refuseOthers(
  values: ReadonlyMap<string, Typed>,
  accepted: readonly Choice[],
  format: string,
  command: string,
): void {
  const names = accepted.map((choice) => choice.name);
  for (const [name, { as }] of values) {
    if (names.includes(name)) continue;
    const instead = names.length > 0 ? `takes ${names.map((n) => `--${n}`).join(", ")}` : "takes none";
    throw new UsageError(`${as} is no option of ${format}, which ${instead}`, command);
  }
}

/** Makes the format of an entry from the user's options. */
export function makeFormat(entry: Entry, values: ReadonlyMap<string, Typed>, command: string): AnyFormat {
  const context = { command, choices: entry.format, values };
  const settings = parseSettings(values, entry.format, command);
  const format = refusing(() => entry.make(settings), context);
  refuseNoNumbers(context);
  return format;
}

/** Returns a parser for the format's texts, in the user's radix if there is one. */
export function parserOf(
  format: AnyFormat,
  { text: choices }: Entry,
  values: ReadonlyMap<string, Typed>,
  command: string,
): (text: string) => Id {
  const { radix } = parseSettings(values, choices, command) as { radix?: number };
  // Report a wrong radix once, not for each ID.
  if (radix !== undefined) refusing(() => format.parse("0", radix), { command, choices, values });
  return (text) => format.parse(text, radix);
}

/** The values without some names that are not for the package. */
export function without<T>(values: ReadonlyMap<string, T>, ...names: readonly string[]): Map<string, T> {
  return new Map([...values].filter(([name]) => !names.includes(name)));
}
