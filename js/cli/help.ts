/** The help texts. What they list comes from the registry. */
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

/** The options of each format, under its name, where it has options of its own. */
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
  "An ID that cannot be read is reported in its place, and the others go on. One in",
  "quotes, in <@...>, or with a comma, spaces or an n around it is not read either;",
  "the report has the command that reads it.",
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
    "graupel makes, reads and checks the IDs of the Snowflake family.",
    "",
    "Usage: graupel <command> [options]",
    "",
    "Commands:",
    optionLine("generate <format>", "make IDs, a line each"),
    optionLine("inspect [ID ...]", "take IDs apart, or say whose they could be"),
    optionLine("convert <format> [ID ...]", "write IDs as hex, decimal, bytes and the like"),
    optionLine("compose <format>", "put an ID together from its fields"),
    optionLine("range <format> FROM TO", "the bounds of a time for BETWEEN min AND max"),
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
    "",
    "Examples:",
    "  graupel generate sno -n 3 --metabyte 3 --partition 7",
    "  graupel generate nanoflake --epoch 2025-01-31 --generator-id 5",
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
    ...badIds,
    "Terminals of fewer than 75 columns get rows of 16 or 8 bits, down to 40 columns;",
    "COLUMNS, where it is set, is taken for the width.",
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
    "Writes IDs in another form, a line each. Without IDs it reads them from",
    "standard input, one a line.",
    "",
    "Forms:",
    ...[...forms].map(([name, { about }]) => optionLine(name, about)),
    "",
    "Formats:",
    ...formatNames(),
    "",
    "Options:",
    optionLine("--to FORM", "one of the forms above"),
    optionLine("--json", "one JSON object a line: the input and the form"),
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
    "Puts an ID together from its time and its fields, and prints it.",
    "",
    ...timeHelp,
    "",
    "Options:",
    ...choiceLines(timeChoices),
    optionLine("--json", "JSON: a number where it is safe, or a string"),
    ...common,
    ...byFormat((entry) => [...entry.format, ...(hasOwnLayout(entry) ? [] : usualFields(entry))]),
    "",
    "One of --time, --timestamp and --ticks is enough; of several, all must agree.",
    "Every field is needed, but sno's tick-tock. A layout of your own takes its",
    "fields as options, sequence included; snowflake-si's widths change its ranges.",
    "Exit status: 0 done, 2 wrong usage, such as a field outside its range.",
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
    "Prints the lowest and the highest ID of a time, a line each: every ID from FROM",
    "up to, not including, TO is BETWEEN min AND max, both included.",
    "",
    ...timeHelp,
    "Instead of FROM or TO, - leaves that end open.",
    "",
    "Formats:",
    ...formatNames(),
    "",
    "Options:",
    optionLine("--json", 'one JSON object: {"min": ..., "max": ...}'),
    ...common,
    ...byFormat(({ format }) => format),
    "",
    "Decimal and base 36 texts do not sort as their IDs: compare them as integers.",
    "Exit status: 0 done, 2 wrong usage, such as a time that the format cannot have.",
    "",
    "Examples:",
    "  graupel range discord 2025-01-31 2025-02-01",
    "  graupel range sno 2025-01-31T12:00:00Z -",
    "  graupel range snowflake-si --epoch 2024-01-01 1738281600000 1738368000000",
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
