/**
 * The help texts of help.json, in which `{name}` stands for a shared part or for a list made from
 * the facts.
 */
import type { FormatFacts } from "../facts.js";
import {
  type Choice,
  formatChoices,
  generatorChoices,
  listed,
  policies,
  readingChoices,
  timeChoices,
  usualFields,
} from "./choices.js";
import { forms } from "./forms.js";
import texts from "./help.json" with { type: "json" };
import { timesWithin } from "./values.js";

const line = (option: string, about: string): string => `  ${option.padEnd(30)}${about}`;

const choiceLines = (choices: readonly Choice[]): string[] =>
  choices.map(({ name, value, about }) => line(`--${name} ${value}`, about));

/** The options of each format that has any, below its name. */
function byFormat(of: (format: FormatFacts) => readonly Choice[]): string[] {
  return listed.flatMap((format) => {
    const lines = choiceLines(of(format));
    return lines.length > 0 ? ["", `${format.name}:`, ...lines] : [];
  });
}

/** Breaks a text into lines of at most `width` columns. */
function wrap(text: string, width: number, indent = ""): string[] {
  const found: string[] = [];
  for (const word of text.split(" ")) {
    const last = found.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) found.push(`${found.pop()} ${word}`);
    else found.push(indent + word);
  }
  return found;
}

/** The parts of the texts, by name. */
const parts: Readonly<Record<string, () => readonly string[]>> = {
  common: () => texts.parts.common,
  badIds: () => texts.parts.badIds,
  formats: () => wrap(listed.map(({ name }) => name).join(", "), 78, "  "),
  forms: () => [...forms].map(([name, { about }]) => line(name, about)),
  time: () => wrap(`A time is ${timesWithin()}.`, 80),
  times: () => choiceLines(timeChoices),
  policies: () => choiceLines(policies),
  optionsToGenerate: () => byFormat((format) => [...formatChoices(format), ...generatorChoices(format)]),
  optionsToRead: () => byFormat(readingChoices),
  optionsToCompose: () =>
    byFormat((format) => [...formatChoices(format), ...(format.fields ? usualFields(format) : [])]),
  optionsToRange: () => byFormat(formatChoices),
};

/** The help of a command, or the general help. */
export function help(command = ""): string | undefined {
  const commands: Readonly<Record<string, readonly string[]>> = texts.commands;
  if (!Object.hasOwn(commands, command)) return undefined;
  const lines = commands[command]?.flatMap((text) => parts[/^\{(\w+)\}$/.exec(text)?.[1] ?? ""]?.() ?? text);
  return `${lines?.join("\n")}\n`;
}
