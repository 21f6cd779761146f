/** The command line, taken apart: strictly, and with a hint where it is wrong. */
import { parseArgs } from "node:util";
import type { Choice } from "./registry.js";

/** The command line cannot be understood: exit status 2. */
export class UsageError extends Error {
  /** The command whose help says more, or nothing for the program's own. */
  readonly command: string | undefined;

  constructor(message: string, command?: string) {
    super(message);
    this.command = command;
  }
}

/** An option without a value. */
export interface Flag {
  readonly name: string;
  readonly short?: string;
}

export interface Arguments {
  readonly flags: ReadonlySet<string>;
  /** Values by the option's name, as they were typed. */
  readonly values: ReadonlyMap<string, string>;
  readonly positionals: readonly string[];
}

export const helpFlag: Flag = { name: "help", short: "h" };
export const versionFlag: Flag = { name: "version", short: "V" };
export const jsonFlag: Flag = { name: "json" };

/** Reads the arguments of a command. An option may be given once: of two values, one would be ignored. */
export function read(
  command: string,
  args: readonly string[],
  flags: readonly Flag[],
  choices: Iterable<Pick<Choice, "name" | "short">>,
): Arguments {
  const options: Record<string, { type: "boolean" | "string"; short?: string }> = {};
  for (const { name, short } of flags) options[name] = { type: "boolean", ...(short && { short }) };
  for (const { name, short } of choices) options[name] = { type: "string", ...(short && { short }) };

  const { tokens, positionals } = parse(command, args, options);
  const given = new Set<string>();
  const values = new Map<string, string>();
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    if (token.value !== undefined && given.has(token.name)) {
      throw new UsageError(`--${token.name} is given twice`, command);
    }
    given.add(token.name);
    if (token.value !== undefined) values.set(token.name, token.value);
  }
  return { flags: new Set([...given].filter((name) => !values.has(name))), values, positionals };
}

function parse(
  command: string,
  args: readonly string[],
  options: Record<string, { type: "boolean" | "string"; short?: string }>,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true, tokens: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code?.startsWith("ERR_PARSE_ARGS_")) throw error;
    // The first sentence says what is wrong; the others are about quoting.
    const [sentence = message] = message.split(/\.\s/);
    throw new UsageError(sentence.charAt(0).toLowerCase() + sentence.slice(1), command);
  }
}

/**
 * The value of one option, whatever the others are: a custom layout must be known before the options that
 * it brings with it can be.
 */
export function peek(args: readonly string[], name: string): string | undefined {
  const { tokens } = parseArgs({
    args: [...args],
    options: { [name]: { type: "string" } },
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind === "option" && token.name === name && token.value !== undefined) return token.value;
  }
  return undefined;
}

/** Turns a typed value into the one that the package takes. What it must be beyond its kind, the package says. */
export function convert(choice: Choice, text: string, command: string): unknown {
  switch (choice.kind) {
    case "number":
      return toNumber(choice.name, text, command);
    case "time":
      return toTime(choice.name, text, command);
    case "fields":
      return toFields(choice.name, text, command);
    case "word":
      return text;
  }
}

function toNumber(name: string, text: string, command: string): number {
  if (!/^-?\d+(\.\d+)?$/.test(text)) {
    throw new UsageError(`--${name} takes a number, not ${JSON.stringify(text)}`, command);
  }
  return Number(text);
}

/** A count of things to make. */
export function toCount(name: string, text: string, command: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(count)) {
    throw new UsageError(`--${name} takes a whole number from 0, not ${JSON.stringify(text)}`, command);
  }
  return count;
}

const isoTime = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z)?$/;

function toTime(name: string, text: string, command: string): number {
  if (/^-?\d+$/.test(text)) return Number(text);
  const time = isoTime.test(text) ? Date.parse(text) : Number.NaN;
  // A day that its month does not have would be taken as one of the next month.
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(text.slice(0, 10))) {
    const message = `--${name} takes Unix milliseconds or a time such as 2024-01-01 or 2024-01-01T12:00:00Z`;
    throw new UsageError(`${message}, not ${JSON.stringify(text)}`, command);
  }
  return time;
}

/** `time:41,region:4,sequence:12`, high to low. */
export function toFields(name: string, text: string, command: string): Record<string, number> {
  const fields = new Map<string, number>();
  for (const part of text.split(",")) {
    const [, field, bits] = /^([^:]+):(\d+)$/.exec(part) ?? [];
    if (field === undefined || bits === undefined) {
      const message = `--${name} takes names and widths such as time:41,region:4,sequence:12`;
      throw new UsageError(`${message}, not ${JSON.stringify(part)}`, command);
    }
    if (fields.has(field)) throw new UsageError(`--${name} declares ${JSON.stringify(field)} twice`, command);
    // An object lists names of digits first, wherever they stood.
    if (/^\d+$/.test(field)) throw new UsageError(`--${name}: ${field} is not a name`, command);
    fields.set(field, Number(bits));
  }
  return Object.fromEntries(fields);
}
