/** The help texts. Their lists come from the registry. */
import { timeChoices, usualFields } from "./compose.js";
import { forms } from "./convert.js";
import { type Choice, type Entry, hasOwnLayout, policies, registry } from "./registry.js";
import { timesWithin } from "./values.js";

const column = 32;

function optionLine(option: string, about: string): string {
  return `  ${option.padEnd(column - 2)}${about}`;
}

function choiceLines(choices: readonly Choice[]): string[] {
  return choices.map(({ name, value, about }) => optionLine(`--${name} ${value}`, about));
}

/** The options of each format that has any, below its name. */
function byFormat(pick: (entry: Entry) => readonly Choice[]): string[] {
  return [...registry.values()].flatMap((entry) => {
    const lines = choiceLines(pick(entry));
    return lines.length > 0 ? ["", `${entry.name}:`, ...lines] : [];
  });
}

/** All names, in as few lines as they fit into. */
function formatNames(): string[] {
  const names = [...registry.keys()];
  const lines: string[] = [];
  for (const [index, name] of names.entries()) {
    const word = index === names.length - 1 ? name : `${name},`;
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= NAMES_WIDTH)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(`  ${word}`);
  }
  return lines;
}

/** Columns that the list of names takes. */
const NAMES_WIDTH = 78;

const common = [optionLine("--help, -h", "this text"), optionLine("--version, -V", "the version")];

const badIds = [
  "An ID that cannot be read is reported in its place; the others are still read.",
  "An ID in quotes or in <@...>, or with a comma, spaces or an n around it, is",
  "refused; the error suggests the command that reads it.",
];

const timeHelp = wrap(`A time is ${timesWithin()}.`);

/** Breaks a sentence into lines. */
function wrap(sentence: string): string[] {
  const found: string[] = [];
  let line = "";
  for (const word of sentence.split(" ")) {
    if (line.length + word.length >= 80) {
      found.push(line);
      line = word;
    } else line += (line && " ") + word;
  }
  return [...found, line];
}

const texts: Readonly<Record<string, () => string[]>> = {
  "": () => [
    "graupel generates, parses and inspects the IDs of the Snowflake family.",
    "",
    "Usage: graupel <command> [options]",
    "",
    "Commands:",
    optionLine("generate <format>", "generate IDs, one a line"),
    optionLine("inspect [ID ...]", "show the fields of IDs, or possible formats"),
    optionLine("convert <format> [ID ...]", "write IDs as hex, decimal, bytes and more"),
    optionLine("compose <format>", "build an ID from its fields"),
    optionLine("range <format> FROM TO", "bounds of a time, for BETWEEN min AND max"),
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
    "  graupel convert discord --to hex 175928847299117063",
    "  graupel range discord 2025-01-31 2025-02-01",
  ],
  generate: () => [
    "Usage: graupel generate <format> [-n N] [--json] [options]",
    "",
    "Generates IDs and prints them, one a line.",
    "",
    "Formats:",
    ...formatNames(),
    "",
    "Options:",
    optionLine("--count N, -n N", "how many; the default is 1"),
    optionLine("--json", "JSON: safe numbers, or strings"),
    ...common,
    "",
    "Every format:",
    ...choiceLines(policies),
    ...byFormat(({ format, generator }) => [...format, ...generator]),
    "",
    "The fixed fields of your own layout are options: --region 3 --worker 5.",
    "Exit status: 0 success, 1 an ID could not be generated, 2 wrong usage.",
    "",
    "Examples:",
    "  graupel generate sno -n 3 --metabyte 3 --partition 7",
    "  graupel generate nanoflake --epoch 2025-01-31 --generator-id 5",
  ],
  inspect: () => [
    "Usage: graupel inspect [--format FORMAT] [--json] [options] [ID ...]",
    "",
    "Shows the fields of IDs. Without IDs it reads standard input, one ID a line.",
    "Without --format it lists the formats that each ID could belong to.",
    "",
    "Formats:",
    ...formatNames(),
    "",
    "Options:",
    optionLine("--format FORMAT, -f FORMAT", "the format of the IDs"),
    optionLine("--json", "one JSON object a line"),
    ...common,
    ...byFormat(({ format, text }) => [...format, ...text]),
    "",
    ...badIds,
    "Terminals of fewer than 75 columns get rows of 16 or 8 bits. At least 40 columns",
    "are used. The variable COLUMNS overrides the width.",
    "Exit status: 0 all were read, 1 some were not, 2 wrong usage.",
    "",
    "Examples:",
    "  graupel inspect 175928847299117063",
    "  graupel inspect --format discord --json 175928847299117063",
    "  graupel inspect --format nanoflake --epoch 2025-01-31 < ids.txt",
  ],
  convert: () => [
    "Usage: graupel convert <format> --to FORM [--json] [options] [ID ...]",
    "",
    "Writes IDs in another form, one a line. Without IDs it reads them from standard",
    "input, one a line.",
    "",
    "Forms:",
    ...[...forms].map(([name, { about }]) => optionLine(name, about)),
    "",
    "Formats:",
    ...formatNames(),
    "",
    "Options:",
    optionLine("--to FORM", "one of the forms above"),
    optionLine("--json", "one JSON object a line, with input and form"),
    ...common,
    ...byFormat(({ format, text }) => [...format, ...text]),
    "",
    ...badIds,
    "Exit status: 0 all were read, 1 some were not, 2 wrong usage.",
    "",
    "Examples:",
    "  graupel convert discord --to hex 175928847299117063",
    "  graupel convert sno --to uuid brpk4q72xwf2m63l",
    "  graupel generate ulid-flake -n 9 | graupel convert ulid-flake --to decimal",
  ],
  compose: () => [
    "Usage: graupel compose <format> --time TIME --FIELD N ... [--json] [options]",
    "",
    "Builds an ID from its time and its fields, and prints it.",
    "",
    ...timeHelp,
    "",
    "Options:",
    ...choiceLines(timeChoices),
    optionLine("--json", "JSON: a safe number, or a string"),
    ...common,
    ...byFormat((entry) => [...entry.format, ...(hasOwnLayout(entry) ? [] : usualFields(entry))]),
    "",
    "Give one of --time, --timestamp and --ticks; if you give more, they must agree.",
    "Every field is required, except sno's tick-tock. The fields of your own layout",
    "are options, sequence included. snowflake-si's widths change its ranges.",
    "Exit status: 0 success, 2 wrong usage, such as a field outside its range.",
    "",
    "Examples:",
    "  graupel compose instagram --time 2025-01-31 --shard-id 1341 --sequence 0",
    "  graupel compose snowflake --epoch 2024-01-01 --time 2025-01-31T12:00:00Z \\",
    "    --fields time:41,region:4,worker:6,sequence:12 \\",
    "    --region 3 --worker 9 --sequence 0",
  ],
  range: () => [
    "Usage: graupel range <format> FROM TO [--json] [options]",
    "",
    "Prints the lowest and the highest possible ID from the time FROM (included) to",
    "the time TO (not included), one a line: for BETWEEN min AND max in SQL.",
    "",
    ...timeHelp,
    "A - instead of FROM or TO leaves that end open.",
    "",
    "Formats:",
    ...formatNames(),
    "",
    "Options:",
    optionLine("--json", 'one JSON object: {"min": ..., "max": ...}'),
    ...common,
    ...byFormat(({ format }) => format),
    "",
    "Decimal and base 36 texts do not sort as their IDs do: compare integers.",
    "Exit status: 0 success, 2 wrong usage, such as a time outside the format's life.",
    "",
    "Examples:",
    "  graupel range discord 2025-01-31 2025-02-01",
    "  graupel range sno 2025-01-31T12:00:00Z -",
    "  graupel range snowflake-si --epoch 2024-01-01 1738281600000 1738368000000",
  ],
  formats: () => [
    "Usage: graupel formats [--json]",
    "",
    "Lists the formats: bits, epoch, last date, IDs per tick of one generator, length",
    'of a tick, and the base and the number of characters of the text. "yours" means',
    "that you choose. With your own epoch, the life is given in years.",
    "",
    "Options:",
    optionLine("--json", "one JSON object a line; null: you choose"),
    ...common,
  ],
};

/** The help of a command, or the general help. */
export function help(command = ""): string | undefined {
  const lines = Object.hasOwn(texts, command) ? texts[command]?.() : undefined;
  return lines && `${lines.join("\n")}\n`;
}
