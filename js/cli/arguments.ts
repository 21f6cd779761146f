/** Parses the arguments of a command strictly, with hints in its errors. */
import { nearest } from "./nearest.js";
import { type OptionName, tokens } from "./tokens.js";

/** Wrong usage of the command line: exit status 2. */
export class UsageError extends Error {
  /** The command whose help the error suggests; undefined for the general help. */
  readonly command: string | undefined;

  constructor(message: string, command?: string) {
    super(message);
    this.command = command;
  }
}

/** The value of an option or argument, with its name as typed, for errors: `-n`, `--count`, `FROM`. */
export interface Typed {
  readonly as: string;
  readonly text: string;
}

export interface Arguments {
  /** Options without a value: name to the form that was typed. */
  readonly flags: ReadonlyMap<string, string>;
  /** Options with a value, by name. */
  readonly values: ReadonlyMap<string, Typed>;
  readonly positionals: readonly string[];
}

/** Options without a value that every command has. */
export const commonFlags: readonly OptionName[] = [
  { name: "help", short: "h" },
  { name: "version", short: "V" },
  { name: "json" },
];

export interface Reading {
  /** Whether a number such as -5 is an argument rather than an option. */
  readonly negatives?: boolean;
  /** The options that fit the rest of the command line: only they are suggested. */
  readonly fitting?: (given: Arguments) => readonly OptionName[] | undefined;
}

/** Reads the arguments of a command. Refuses a repeated option, because one of its values would be ignored. */
export function read(
  command: string,
  args: readonly string[],
  choices: readonly OptionName[],
  { negatives, fitting }: Reading = {},
): Arguments {
  const flags = new Map<string, string>();
  const values = new Map<string, Typed>();
  const positionals: string[] = [];
  let unknown: string | undefined;
  for (const { kind, name, typed, value, instead } of tokens(args, commonFlags, choices, negatives)) {
    if (kind === "positional") positionals.push(typed);
    else if (kind === "unknown") unknown ??= typed;
    else if (kind === "flag") {
      if (value !== undefined) throw new UsageError(`${typed} takes no value, got ${quote(value)}`, command);
      flags.set(name, typed);
    } else {
      if (value === undefined) {
        const reason = instead === undefined ? "" : `; ${quote(instead)} looks like an option`;
        throw new UsageError(`${typed} needs a value${reason}`, command);
      }
      if (values.has(name)) throw new UsageError(`${typed} is given twice`, command);
      values.set(name, { as: typed, text: value });
    }
  }
  const given = { flags, values, positionals };
  if (unknown !== undefined) {
    throw unknownOption(unknown, [...commonFlags, ...(fitting?.(given) ?? choices)], command);
  }
  return given;
}

/** The error for an unknown option. */
export function unknownOption(typed: string, known: readonly OptionName[], command?: string): UsageError {
  const words = known.flatMap(({ name, short }) => (short ? [name, short] : [name]));
  const near = nearest(typed.replace(/^-+/, ""), words);
  const dashes = near?.length === 1 ? "-" : "--";
  const suggestion = near === undefined ? "" : `; did you mean ${dashes}${near}?`;
  return new UsageError(`unknown option ${quote(typed)}${suggestion}`, command);
}

/** A text in quotes, for errors. */
export const quote = (text: string): string => JSON.stringify(text);

/**
 * The value of one option, before the others are parsed. A custom layout must be known first, because its fields become
 * options.
 */
export function peek(args: readonly string[], name: string): Typed | undefined {
  for (const { kind, typed, value } of tokens(args, [], [{ name }])) {
    if (kind === "valued" && value !== undefined) return { as: typed, text: value };
  }
  return undefined;
}
