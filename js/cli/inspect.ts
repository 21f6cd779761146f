/** `graupel inspect`: shows the fields of IDs, as a drawing or as JSON. */
import { type AnyFormat, type AnyId, type Candidate, identify } from "../index.js";
import { answerAll, type Reader, TextError } from "./answers.js";
import { type Arguments, read, UsageError } from "./arguments.js";
import { readingChoices } from "./choices.js";
import { draw, rank } from "./draw.js";
import { formatOption, namedFormat } from "./format.js";
import { fromOption, readerOf } from "./forms.js";
import { columnsOf, paintFor } from "./terminal.js";

export async function inspect(args: readonly string[]): Promise<number> {
  const given = read(args, { own: [formatOption, fromOption], of: readingChoices });
  return answerAll(["inspect"], given.positionals, given, readerFor(given));
}

function readerFor({ flags, values }: Arguments): Reader {
  const named = namedFormat(values, [formatOption, fromOption], readingChoices);
  const from = values.get(fromOption.name);
  if (named === undefined) {
    if (from !== undefined) throw new UsageError(`${from.as} needs --format`);
    return candidates;
  }
  const { format, facts, options } = named;
  const parse = readerOf(format, facts, from, options);
  if (flags.has("json")) failForAmbiguousKeys(format);
  const paint = paintFor(process.stdout);
  return {
    json: (text) => contents(format, parse(text)),
    // Read the width each time, because the terminal may have been resized.
    show: (text) => draw(format, parse(text), paint, columnsOf(process.stdout)),
    gap: "\n",
  };
}

const ownKeys = ["input", "format", "text", "integer", "hex", "error"];

/** A field of a custom layout must not overwrite another property of the JSON. */
function failForAmbiguousKeys({ layout }: AnyFormat): void {
  const clash = layout.fields.find((field) => ownKeys.includes(field.name))?.name;
  if (clash !== undefined) {
    throw new UsageError(`--fields: with --json, no field can be called "${clash}"`);
  }
}

function contents(format: AnyFormat, id: AnyId): object {
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
    candidates: found(text).map(({ name, text, integer, reason, timestamp, time }) => ({
      name,
      text,
      integer: String(integer),
      reason,
      timestamp,
      time,
    })),
  }),
  show: (text) => rank(text, found(text), paintFor(process.stdout)),
  gap: "\n",
};

function found(text: string): readonly Candidate[] {
  const list = identify(text);
  if (list.length === 0) throw new TextError("NO_CANDIDATE", "not an ID of any format");
  return list;
}
