/** Parses the arguments of a command strictly, with hints in its errors. */
import { parseArgs } from "node:util";
import { type FormatFacts, type FormatName, facts } from "../facts.js";
import { didYouMean, nearest } from "./nearest.js";

/** Wrong usage of the command line: exit status 2. */
export class UsageError extends Error {}

/** The names of an option. */
export interface OptionName {
  readonly name: string;
  readonly short?: string;
}

/**
 * The value of an option or argument, with its name as typed, for errors: `-n`, `--count`, `FROM`.
 */
export interface Typed {
  readonly as: string;
  readonly text: string;
}

/** The values of options, by the option's name. */
export type TypedValues = ReadonlyMap<string, Typed>;

export interface Arguments {
  /** Options without a value: the typed form by name. */
  readonly flags: ReadonlyMap<string, string>;
  readonly values: TypedValues;
  readonly positionals: readonly string[];
}

/** Options without a value that every command has. */
export const commonFlags: readonly OptionName[] = [
  { name: "help", short: "h" },
  { name: "version", short: "V" },
  { name: "json" },
];

/** The options that a command takes. */
export interface Takes {
  /** The command's own options without a value. */
  readonly ownFlags?: readonly OptionName[];
  /** The command's own options with a value. */
  readonly own?: readonly OptionName[];
  /** The options for a format. If the command line names a format, only these are suggested. */
  of(format: FormatFacts): readonly OptionName[];
  /** Whether a number such as -5 is an argument rather than an option. */
  readonly negatives?: boolean;
}

/**
 * Reads the arguments of a command. A repeated option is an error, because one of its values would
 * be ignored.
 */
export function read(
  args: readonly string[],
  { ownFlags = [], own = [], of, negatives = false }: Takes,
): Arguments {
  const choices = [...own, ...Object.values(facts).flatMap(of)];
  const known = [...commonFlags, ...ownFlags];
  const withoutValue = byTyped(known);
  const withValue = byTyped(choices);
  const flags = new Map<string, string>();
  const values = new Map<string, Typed>();
  const positionals: string[] = [];
  let unknown: string | undefined;
  let unknownAt = -1;
  for (const token of tokensOf(args, known, choices)) {
    if (token.kind === "positional") positionals.push(token.value);
    // Report the group of letters that contains the first unknown one.
    if (token.kind !== "option" || token.index === unknownAt) continue;
    const { name, rawName: as, value } = token;
    if (withValue.has(as)) {
      const text = textOf(token);
      if (text === undefined) {
        const reason = value === undefined ? "" : `; ${quote(value)} looks like an option`;
        throw new UsageError(`${as} needs a value${reason}`);
      }
      if (values.has(name)) throw new UsageError(`${as} was given twice`);
      values.set(name, { as, text });
    } else if (withoutValue.has(as)) {
      if (value !== undefined) throw new UsageError(`${as} takes no value, got ${quote(value)}`);
      flags.set(name, as);
    } else {
      unknownAt = token.index;
      const typed = as.startsWith("--") ? as : (args[unknownAt] ?? as);
      if (negatives && isNumber(typed)) positionals.push(typed);
      else unknown ??= typed;
    }
  }
  if (unknown !== undefined) {
    const format = [values.get("format")?.text ?? "", ...positionals].map(factsOf).find((one) => one);
    throw unknownOption(unknown, [...known, ...own, ...(format ? of(format) : choices)]);
  }
  return { flags, values, positionals };
}

/** The facts of a format by its typed name. */
export const factsOf = (name: string): FormatFacts | undefined =>
  Object.hasOwn(facts, name) ? facts[name as FormatName] : undefined;

/**
 * The tokens by the usual rules, with grouped letters separated. An option takes the next argument
 * as its value.
 */
function tokensOf(args: readonly string[], flags: readonly OptionName[], valued: readonly OptionName[]) {
  const declared = (type: "boolean" | "string", options: readonly OptionName[]) =>
    options.map(({ name, short }) => [name, short === undefined ? { type } : { type, short }] as const);
  const options = Object.fromEntries([...declared("boolean", flags), ...declared("string", valued)]);
  return parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true }).tokens;
}

/** The typed forms of options. A field called `v` does not become `-v`. */
const byTyped = (options: readonly OptionName[]): ReadonlySet<string> =>
  new Set(options.flatMap(({ name, short }) => [`--${name}`, ...(short ? [`-${short}`] : [])]));

/**
 * The value of an option. A following argument that looks like an option is not a value; a negative
 * number is.
 */
function textOf({ value, inlineValue }: { value: string | undefined; inlineValue: boolean | undefined }) {
  const isValue = inlineValue || value === "-" || !value?.startsWith("-") || isNumber(value);
  return isValue ? value : undefined;
}

const isNumber = (arg: string): boolean => /^-\.?\d/.test(arg);

/** The error for an unknown option. */
export function unknownOption(typed: string, known: readonly OptionName[]): UsageError {
  const words = known.flatMap(({ name, short }) => (short ? [name, short] : [name]));
  const near = nearest(typed.replace(/^-+/, ""), words);
  const dashes = near?.length === 1 ? "-" : "--";
  const suggestion = near === undefined ? "" : `; did you mean ${dashes}${near}?`;
  return new UsageError(`unknown option ${quote(typed)}${suggestion}`);
}

/** The error for an unknown name. `what`: the start of the message. */
export function unknownName(what: string, typed: string, known: readonly string[]): UsageError {
  const hint = didYouMean(typed, known) || `; expected one of ${known.join(", ")}`;
  return new UsageError(`${what} ${quote(typed)}${hint}`);
}

/** A text in quotes, for errors. */
export const quote = (text: string): string => JSON.stringify(text);

/**
 * The value of one option, before the others are parsed. The fields of a custom layout become
 * options, so the layout is needed first.
 */
export function peek(args: readonly string[], name: string): Typed | undefined {
  for (const token of tokensOf(args, [], [{ name }])) {
    const text = token.kind === "option" && token.rawName === `--${name}` ? textOf(token) : undefined;
    if (text !== undefined) return { as: `--${name}`, text };
  }
  return undefined;
}
