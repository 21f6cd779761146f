/** `graupel convert`: writes IDs in another form. */
import { answerAll, type Reader } from "./answers.js";
import { read, type Typed, UsageError } from "./arguments.js";
import { readingChoices } from "./choices.js";
import { failForOthers, formatArgument, makeFormat, without } from "./format.js";
import { formOf, forms, fromOption, readerOf } from "./forms.js";

export async function convert(args: readonly string[]): Promise<number> {
  const given = read(args, { own: [fromOption, { name: "to" }], of: readingChoices });
  const [facts, ...ids] = formatArgument(given.positionals);
  const options = without(given.values, ["from", "to"]);
  failForOthers(options, readingChoices(facts), facts.name);
  const [from, to] = [given.values.get("from"), given.values.get("to")];
  const format = makeFormat(facts, options);
  const form = formOf(to ?? whereto(from), format);
  const parse = readerOf(format, facts, from, options);
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

/** The form to write. With `--from`, it is the format's own text by default. */
function whereto(from: Typed | undefined): Typed {
  if (from === undefined) throw new UsageError(`convert needs --to: ${[...forms.keys()].join(", ")}`);
  return { as: "--to", text: "text" };
}
