/** From typed options to a format and its generator, with the package's objections in the user's words. */
import { GraupelError } from "../index.js";
import { convert, peek, toFields, UsageError } from "./arguments.js";
import { type Choice, type Entry, lookUp, registry, type Settings, toCamel, toKebab } from "./registry.js";

/** The entry of a format, by the name that was typed. */
export function entryOf(name: string, command: string): Entry {
  const entry = lookUp(name);
  if (entry) return entry;
  throw new UsageError(
    `unknown format ${JSON.stringify(name)}; there are ${[...registry.keys()].join(", ")}`,
    command,
  );
}

/** Options by name, each once: several formats share some. */
export function unique(choices: Iterable<Choice>): Choice[] {
  return [...new Map([...choices].map((choice) => [choice.name, choice])).values()];
}

/** The options that a custom layout brings with it: one for each of its fixed fields. */
export function layoutChoices(
  args: readonly string[],
  taken: ReadonlySet<string>,
  command: string,
): Choice[] {
  const list = peek(args, "fields");
  if (list === undefined) return [];
  const choices = new Map<string, Choice>();
  for (const field of Object.keys(toFields("fields", list, command))) {
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
  values: ReadonlyMap<string, string>,
  choices: readonly Choice[],
  command: string,
): Settings {
  const settings: Settings = {};
  for (const choice of choices) {
    const text = values.get(choice.name);
    if (text !== undefined) settings[choice.key ?? toCamel(choice.name)] = convert(choice, text, command);
  }
  return settings;
}

/** Refuses what the format does not take, before the package is asked. */
export function refuseOthers(
  values: ReadonlyMap<string, string>,
  accepted: readonly Choice[],
  format: string,
  command: string,
): void {
  const names = accepted.map((choice) => choice.name);
  for (const name of values.keys()) {
    if (names.includes(name)) continue;
    const instead = names.length > 0 ? `takes ${names.map((n) => `--${n}`).join(", ")}` : "takes none";
    throw new UsageError(`--${name} is no option of ${format}, which ${instead}`, command);
  }
}

/** Codes that mean: a value on the command line is wrong. The others tell of the clock and the machine. */
const mistaken: ReadonlySet<string> = new Set([
  "TYPE",
  "RANGE",
  "CONFLICT",
  "UNKNOWN_OPTION",
  "UNKNOWN_FIELD",
]);

/** Does something with the user's values, and names the option if the package refuses one. */
export function attempt<T>(action: () => T, choices: readonly Choice[], command: string): T {
  try {
    return action();
  } catch (error) {
    if (!GraupelError.is(error) || !mistaken.has(error.code)) throw error;
    throw new UsageError(inOptions(error, choices), command);
  }
}

/** The package's message, about the option instead of the argument that it became. */
function inOptions({ code, field, message }: GraupelError, choices: readonly Choice[]): string {
  // `fields.region` is a part of `fields`.
  const [argument] = field?.split(".") ?? [];
  const choice = choices.find(({ name, key }) => (key ?? toCamel(name)) === argument);
  if (!choice) return message;
  // Such as a machine where the layout leaves no bits for one.
  if (code === "UNKNOWN_OPTION") return `--${choice.name} has no meaning with these options`;
  const said =
    argument === field && message.startsWith(`${field}: `) ? message.slice(`${field}: `.length) : message;
  return `--${choice.name}: ${said.replace(/got undefined$/, "got nothing")}`;
}
