/** From typed options to a format: which there are, which go together, and what the package makes of them. */
import { type Arguments, peek, quote, type Typed, UsageError } from "./arguments.js";
import { didYouMean } from "./nearest.js";
import { attempt, refuseNoNumbers } from "./refusals.js";
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

/** The format that the first argument names, and the arguments after it. */
export function formatArgument(
  [name, ...rest]: readonly string[],
  command: string,
): { entry: Entry; rest: readonly string[] } {
  if (name === undefined) throw new UsageError("which format?", command);
  return { entry: entryOf(name, command), rest };
}

/** The options of the format that is among the arguments, if one is: of all, those worth a suggestion. */
export const fittingFormat =
  (pick: (entry: Entry) => readonly Choice[]) =>
  ({ positionals }: Arguments): readonly Choice[] | undefined => {
    const entry = positionals.map(lookUp).find((one) => one !== undefined);
    return entry && pick(entry);
  };

/** The entry of a format, by the name that was typed. */
export function entryOf(name: string, command: string): Entry {
  const entry = lookUp(name);
  if (entry) return entry;
  const names = [...registry.keys()];
  const hint = didYouMean(name, names) || `; there are ${names.join(", ")}`;
  throw new UsageError(`unknown format ${quote(name)}${hint}`, command);
}

/** Options by name, each once: several formats share some. */
export function unique(choices: Iterable<Choice>): Choice[] {
  return [...new Map([...choices].map((choice) => [choice.name, choice])).values()];
}

/** The options of every format, whichever of them are asked for. */
export const optionsOfAll = (pick: (entry: Entry) => readonly Choice[]): Choice[] =>
  unique([...registry.values()].flatMap(pick));

/** The options that a custom layout brings with it: one for each of its fixed fields. */
export function layoutChoices(
  args: readonly string[],
  taken: ReadonlySet<string>,
  command: string,
): Choice[] {
  const list = peek(args, "fields");
  if (list === undefined) return [];
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

/** Converts the values of some options; the others are left to the next call. */
export function settle(
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

/** Refuses what the format does not take, before the package is asked. */
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

/** The format of an entry, with the user's epoch and the like. */
export function makeFormat(entry: Entry, values: ReadonlyMap<string, Typed>, command: string): AnyFormat {
  const context = { command, choices: entry.format, values };
  const settings = settle(values, entry.format, command);
  const format = attempt(() => entry.make(settings), context);
  refuseNoNumbers(context);
  return format;
}

/** Reads the texts of a format's IDs, in the radix that the user may have named. */
export function parserOf(
  format: AnyFormat,
  { text: choices }: Entry,
  values: ReadonlyMap<string, Typed>,
  command: string,
): (text: string) => Id {
  const { radix } = settle(values, choices, command) as { radix?: number };
  // A radix that no text can have is the command line's fault, not that of each ID.
  if (radix !== undefined) attempt(() => format.parse("0", radix), { command, choices, values });
  return (text) => format.parse(text, radix);
}

/** Values without some that are not for the package. */
export function without<T>(values: ReadonlyMap<string, T>, ...names: readonly string[]): Map<string, T> {
  return new Map([...values].filter(([name]) => !names.includes(name)));
}
