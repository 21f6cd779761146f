/** `graupel convert`: writes IDs in another form. */
import { type AnyFormat, type AnyId, sno } from "../index.js";
import { answerAll, type Reader } from "./answers.js";
import { quote, read, UsageError } from "./arguments.js";
import { readingChoices } from "./choices.js";
import { formatArgument, makeFormat, parserOf, refuseOthers, without } from "./format.js";
import { didYouMean } from "./nearest.js";

interface Form {
  readonly about: string;
  of(format: AnyFormat, id: AnyId): string | number[];
}

const hex: Form["of"] = (format, id) => Buffer.from(format.toBytes(id)).toString("hex");
const binary: Form["of"] = (format, id) => format.toBigInt(id).toString(2).padStart(format.layout.bits, "0");

/** The forms of `--to`. */
export const forms: ReadonlyMap<string, Form> = new Map<string, Form>([
  ["text", { about: "the format's own text", of: (format, id) => format.format(id) }],
  ["decimal", { about: "the integer", of: (format, id) => String(format.toBigInt(id)) }],
  ["hex", { about: "the bytes, two digits each", of: hex }],
  ["base36", { about: "the integer in base 36", of: (format, id) => format.toBigInt(id).toString(36) }],
  ["binary", { about: "every bit, with leading zeros", of: binary }],
  ["bytes", { about: "the bytes as a JSON array", of: (format, id) => [...format.toBytes(id)] }],
  ["uuid", { about: "the 16 characters as a UUID; only sno", of: (_, id) => sno.toUUID(id as string) }],
]);

export async function convert(args: readonly string[]): Promise<number> {
  const given = read(args, { own: [{ name: "to" }], of: readingChoices });
  const [facts, ...ids] = formatArgument(given.positionals);
  const options = without(given.values, "to");
  refuseOthers(options, readingChoices(facts), facts.name);
  const form = formOf(given.values.get("to")?.text, facts.name);
  const format = makeFormat(facts, options);
  const parse = parserOf(format, facts, options);
  const converted = (text: string): string | number[] => form.of(format, parse(text));
  const reader: Reader = {
    json: (text) => ({ [form.name]: converted(text) }),
    show: (text) => {
      const value = converted(text);
      return typeof value === "string" ? value : JSON.stringify(value);
    },
    gap: "",
  };
  const [typedFormat = ""] = given.positionals;
  return answerAll(["convert", typedFormat], ids, given, reader);
}

function formOf(name: string | undefined, format: string): Form & { name: string } {
  const names = [...forms.keys()];
  if (name === undefined) throw new UsageError(`to what? --to takes ${names.join(", ")}`);
  const form = forms.get(name);
  if (!form) {
    const hint = didYouMean(name, names) || `; there are ${names.join(", ")}`;
    throw new UsageError(`--to: unknown form ${quote(name)}${hint}`);
  }
  if (name === "uuid" && format !== sno.name) {
    throw new UsageError(`--to uuid is only for ${sno.name}, not for ${format}`);
  }
  return { name, ...form };
}
