/** `graupel inspect`: shows the fields of IDs, as a drawing or as JSON. */
import { type Candidate, identify } from "../index.js";
import { answerAll, type Reader, Refused } from "./answers.js";
import { type Arguments, read, UsageError } from "./arguments.js";
import { draw, rank } from "./draw.js";
import { type AnyFormat, type Id, lookUp } from "./registry.js";
import { entryOf, makeFormat, optionsOfAll, parserOf, refuseOthers, without } from "./settings.js";
import { columnsOf, paintFor } from "./terminal.js";

const command = "inspect";
const formatChoice = { name: "format", short: "f" };
const choices = [formatChoice, ...optionsOfAll(({ format, text }) => [...format, ...text])];

export async function inspect(args: readonly string[]): Promise<number> {
  const given = read(command, args, choices, {
    fitting: ({ values }) => {
      const entry = lookUp(values.get(formatChoice.name)?.text ?? "");
      return entry && [formatChoice, ...entry.format, ...entry.text];
    },
  });
  return answerAll([command], given.positionals, given, readerFor(given));
}

function readerFor({ flags, values }: Arguments): Reader {
  const name = values.get(formatChoice.name)?.text;
  const options = without(values, formatChoice.name);
  if (name === undefined) {
    const [other] = options.values();
    if (other !== undefined) throw new UsageError(`${other.as} needs --format`, command);
    return candidates;
  }

  const entry = entryOf(name, command);
  refuseOthers(options, [...entry.format, ...entry.text], name, command);
  const format = makeFormat(entry, options, command);
  const parse = parserOf(format, entry, options, command);
  if (flags.has("json")) refuseAmbiguousKeys(format);
  const paint = paintFor(process.stdout);
  return {
    json: (text) => facts(format, parse(text)),
    // Ask for the width each time: the terminal may have been resized.
    show: (text) => draw(format, parse(text), paint, columnsOf(process.stdout)),
    gap: "\n",
  };
}

const ownKeys = ["input", "format", "text", "integer", "hex", "error"];

/** A field of a custom layout must not overwrite another property of the JSON. */
function refuseAmbiguousKeys({ layout }: AnyFormat): void {
  const clash = layout.fields.find((field) => ownKeys.includes(field.name))?.name;
  if (clash !== undefined) {
    throw new UsageError(`--fields: with --json, no field can be called "${clash}"`, command);
  }
}

function facts(format: AnyFormat, id: Id): object {
  return {
    format: format.name,
    text: format.format(id),
    integer: String(format.toBigInt(id)),
    hex: Buffer.from(format.toBytes(id)).toString("hex"),
    ...format.inspect(id),
  };
}

/** Without `--format`: lists the possible formats. */
const candidates: Reader = {
  json: (text) => ({
    candidates: found(text).map(({ name, text, integer, timestamp, time }) => ({
      name,
      text,
      integer: String(integer),
      timestamp,
      time,
    })),
  }),
  show: (text) => rank(text, found(text), paintFor(process.stdout)),
  gap: "\n",
};

function found(text: string): readonly Candidate[] {
  const list = identify(text);
  if (list.length === 0) throw new Refused("NO_CANDIDATE", "no format has such a text");
  return list;
}
