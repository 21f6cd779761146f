/** Turns errors of the package into errors about the options that the user typed. */
import { type AnyFormat, GraupelError } from "../index.js";
import { type Typed, type TypedValues, UsageError } from "./arguments.js";
import type { Choice } from "./choices.js";
import { isoTime } from "./times.js";
import { declarations, shown, timesWithin } from "./values.js";

/** The typed values, and the options that they belong to. */
export interface Context {
  readonly choices: readonly Choice[];
  /** The typed values, by name of the option. */
  readonly values: TypedValues;
  /** The format of the user's times. Without it, an error about a time is about the clock. */
  readonly format?: AnyFormat;
}

/**
 * Codes that mean a wrong value on the command line. Other codes are about the clock or the
 * machine.
 */
const mistaken: ReadonlySet<string> = new Set([
  "TYPE",
  "RANGE",
  "CONFLICT",
  "UNKNOWN_OPTION",
  "UNKNOWN_FIELD",
]);

/** Codes that mean a time outside the format's life. */
const outside: ReadonlySet<string> = new Set(["BEFORE_EPOCH", "END_OF_LIFE"]);

/**
 * Runs `action` with the user's values. If the package rejects a value, the error names its option.
 */
export function withOptionNames<T>(action: () => T, context: Context): T {
  try {
    return action();
  } catch (error) {
    if (!GraupelError.is(error)) throw error;
    const { code, field } = error;
    const { format } = context;
    const time = outside.has(code) && format && timeTyped(field, context);
    if (time) throw new UsageError(outsideLife(time, code, format));
    if (mistaken.has(code)) throw new UsageError(inOptions(error, context));
    throw new Error(inOptionNames(error.message, context.choices), { cause: error });
  }
}

/** The package's message, rewritten for the option instead of the argument. */
function inOptions(error: GraupelError, { choices, values }: Context): string {
  const { code, field, range, value } = error;
  // A typed option is explained by `--help`, not by the list of codes.
  const message = error.message.replace(` [${code}]`, "");
  // `fields.region` belongs to the option `fields`.
  const [argument, part] = field?.split(".") ?? [];
  const choice = choices.find(({ key }) => key === argument);
  if (!choice) return inOptionNames(message, choices);

  const { kind, name } = choice;
  const typed = values.get(name);
  const isMissing = typed === undefined && value === undefined;
  const as = typed?.as ?? `--${name}`;
  const about = isMissing ? `${as} is missing` : as;
  const got = typed ? `, got ${shown(typed.text)}` : "";
  // For example a machine ID, if the layout has no bits for it.
  if (code === "UNKNOWN_OPTION") return `${as} cannot be used with these options`;
  if (kind === "time" && code !== "CONFLICT") return `${about}: expected ${timesWithin(range)}${got}`;
  if (kind === "fields" && code === "TYPE") return `${about}: expected ${declarations}${got}`;
  if (code === "RANGE" && range) {
    const { min, max } = range;
    if (part) return `${as}: expected ${min} to ${max} bits for ${part}, got ${value}`;
    if (kind === "number") return `${about}: expected a whole number from ${min} to ${max}${got}`;
    if (kind === "duration") return `${about}: expected a number from ${min} to ${max}${got}`;
  }
  const said = message.startsWith(`${field}: `) ? message.slice(`${field}: `.length) : message;
  return `${about}: ${inOptionNames(said, choices).replace(/, got undefined$/, "")}`;
}

/** Replaces the package's names with the names of options: `maxWaitMs` with `--max-wait-ms`. */
function inOptionNames(message: string, choices: readonly Choice[]): string {
  const names = new Map(choices.map(({ name, key }) => [key, name]));
  return message.replace(/[a-z]\w*[A-Z]\w*/g, (word) => (names.has(word) ? `--${names.get(word)}` : word));
}

/** The time that an error is about: the named option, or another option for the time. */
function timeTyped(field: string | undefined, { values }: Context): Typed | undefined {
  const names = [field ?? "", "time", "timestamp", "ticks"];
  return names.map((name) => values.get(name)).find((typed) => typed !== undefined);
}

/** The message for a time outside the format's life. */
function outsideLife({ as, text }: Typed, code: string, format: AnyFormat): string {
  const side = code === "BEFORE_EPOCH" ? "before the first time" : "after the last time";
  return `${as}: ${text} is ${side} of ${format.name}; expected a time ${lifeOf(format)}`;
}

/** The times that a format can express, as text. */
export function lifeOf({ epoch, endOfLife, layout }: AnyFormat): string {
  const [first, end] = [epoch, endOfLife + layout.tickMs].map(isoTime);
  return `from ${first} to before ${end}`;
}
