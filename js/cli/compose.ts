/** `graupel compose`: makes an ID from its fields. */
import type { FormatFacts } from "../facts.js";
import { type AnyFormat, type AnyId, GraupelError } from "../index.js";
import { quote, read, type TypedValues, UsageError } from "./arguments.js";
import { type Choice, fieldChoices, formatChoices, timeChoices, usualFields } from "./choices.js";
import { failForOthers, formatArgument, layoutChoices, makeFormat, optionsFrom } from "./format.js";
import { jsonLine } from "./json.js";
import type { Options } from "./make.js";
import { withOptionNames } from "./option-errors.js";
import { write } from "./output.js";

export async function compose(args: readonly string[]): Promise<number> {
  const custom = layoutChoices(args, timeChoices, "all");
  const { flags, values, positionals } = read(args, {
    of: (one: FormatFacts): Choice[] => [
      ...formatChoices(one),
      ...timeChoices,
      ...usualFields(one),
      ...custom,
    ],
  });
  const [facts, more] = formatArgument(positionals);
  if (more !== undefined) throw new UsageError(`expected one format, also got ${quote(more)}`);

  const format = makeFormat(facts, values);
  const choices = [...timeChoices, ...fieldChoices(format.layout.fields)];
  failForOthers(values, [...formatChoices(facts), ...choices], facts.name);
  if (!timeChoices.some(({ name }) => values.has(name))) {
    throw new UsageError("compose needs a time: --time TIME or --ticks N");
  }
  const fields = optionsFrom(values, choices);
  const id = withOptionNames(() => composed(format, fields, values), { choices, values, format });
  const text = format.format(id);
  await write(`${flags.has("json") ? jsonLine(format, text) : text}\n`);
  return 0;
}

function composed(format: AnyFormat, fields: Options, values: TypedValues): AnyId {
  try {
    return format.compose(fields);
  } catch (error) {
    if (!GraupelError.is(error) || error.code !== "CONFLICT") throw error;
    const times = timeChoices.flatMap(({ name }) => values.get(name) ?? []);
    const said = times.map(({ as, text }) => `${as} ${text}`).join(" and ");
    throw new UsageError(`${said} are different ticks; pass only one of them`);
  }
}
