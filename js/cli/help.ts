/** The help texts. What they list comes from the registry. */
import { type Choice, policies, registry } from "./registry.js";

const column = 32;

function optionLine(option: string, about: string): string {
  return `  ${option.padEnd(column - 2)}${about}`;
}

function choiceLines(choices: readonly Choice[]): string[] {
  return choices.map(({ name, value, about }) => optionLine(`--${name} ${value}`, about));
}

/** The options of each format, under its name, where it has options of its own. */
function byFormat(
  pick: (entry: {
    format: readonly Choice[];
    generator: readonly Choice[];
    text: readonly Choice[];
  }) => readonly Choice[],
): string[] {
  return [...registry.values()].flatMap((entry) => {
    const lines = choiceLines(pick(entry));
    return lines.length > 0 ? ["", `${entry.name}:`, ...lines] : [];
  });
}

function formatNames(): string[] {
  const names = [...registry.keys()];
  return [`  ${names.slice(0, 7).join(", ")},`, `  ${names.slice(7).join(", ")}`];
}

const common = [optionLine("--help, -h", "this text"), optionLine("--version, -V", "the version")];

const texts: Readonly<Record<string, () => string[]>> = {
  "": () => [
    "graupel makes, reads and checks the IDs of the Snowflake family.",
    "",
    "Usage: graupel <command> [options]",
    "",
    "Commands:",
    optionLine("generate <format>", "make IDs, a line each"),
    optionLine("inspect [ID ...]", "take IDs apart, or say whose they could be"),
    optionLine("formats", "list the formats and their facts"),
    optionLine("help [command]", "explain a command and its options"),
    optionLine("version", "print the version"),
    "",
    "Formats:",
    ...formatNames(),
    "",
    "Options of every command:",
    ...common,
    "",
    "Try:",
    "  graupel generate sno -n 3",
    "  graupel inspect 175928847299117063",
    "  graupel inspect --format discord 175928847299117063",
  ],
  generate: () => [
    "Usage: graupel generate <format> [-n N] [--json] [options]",
    "",
    "Makes IDs and prints them, a line each.",
    "",
    "Formats:",
    ...formatNames(),
    "",
    "Options:",
    optionLine("--count N, -n N", "how many; 1 if left out"),
    optionLine("--json", "JSON: numbers where they are safe, or strings"),
    ...common,
    "",
    "Every format:",
    ...choiceLines(policies),
    ...byFormat(({ format, generator }) => [...format, ...generator]),
    "",
    "A layout of your own takes its fixed fields as options: --region 3 --worker 5.",
    "Exit status: 0 done, 1 no further ID could be made, 2 wrong usage.",
  ],
  inspect: () => [
    "Usage: graupel inspect [--format FORMAT] [--json] [options] [ID ...]",
    "",
    "Takes IDs apart. Without IDs it reads them from standard input, one a line.",
    "Without a format it lists the formats that each could belong to.",
    "",
    "Formats:",
    ...formatNames(),
    "",
    "Options:",
    optionLine("--format FORMAT, -f FORMAT", "how to read the IDs"),
    optionLine("--json", "one JSON object a line"),
    ...common,
    ...byFormat(({ format, text }) => [...format, ...text]),
    "",
    "An ID that cannot be read is reported in its place, and the others go on.",
    "Exit status: 0 all were read, 1 some were not, 2 wrong usage.",
  ],
  formats: () => [
    "Usage: graupel formats [--json]",
    "",
    "Lists the formats: width in bits, epoch, last date, IDs per tick of one",
    "generator, length of a tick, and the text: its base and its characters.",
    "What is yours to choose says so; a life of your own epoch is given in years.",
    "",
    "Options:",
    optionLine("--json", "one JSON object a line; null is yours to choose"),
    ...common,
  ],
};

/** The help of a command, or of the program. */
export function help(command = ""): string | undefined {
  const lines = Object.hasOwn(texts, command) ? texts[command]?.() : undefined;
  return lines && `${lines.join("\n")}\n`;
}
