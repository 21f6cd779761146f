/** `graupel compose`: makes an ID from its fields. */
import { GraupelError, type LayoutField } from "../index.js";
import { quote, read, UsageError } from "./arguments.js";
import { jsonLine } from "./json.js";
import { write } from "./output.js";
import { type Context, refusing } from "./refusals.js";
import { type AnyFormat, allNames, type Choice, type Entry, lookUp, toKebab } from "./registry.js";
import {
  fittingFormat,
  formatArgument,
  layoutChoices,
  makeFormat,
  optionsOfAll,
  parseSettings,
  refuseOthers,
  unique,
} from "./settings.js";

const command = "compose";

/** The options for the time of the ID. */
export const timeChoices: readonly Choice[] = [
  { name: "time", kind: "time", value: "TIME", about: "Unix ms or ISO time of the ID" },
  { name: "timestamp", kind: "time", value: "TIME", about: "the same" },
  { name: "ticks", kind: "number", value: "N", about: "the time as ticks since the epoch" },
];

/** An option for each field, except the time. */
function fieldChoices(fields: readonly LayoutField[]): Choice[] {
  return fields.slice(1).map(({ name, bits }) => ({
    name: toKebab(name),
    key: name,
    kind: "number",
    value: "N",
    about: `0 to ${2 ** bits - 1}`,
  }));
}

/** The options for the fields of a format; of a custom layout, for the field that each has. */
export const usualFields = ({ facts: { fields } }: Entry): Choice[] =>
  fields === null
    ? [{ name: "sequence", kind: "number", value: "N", about: "the sequence" }]
    : fieldChoices(fields);

export async function compose(args: readonly string[]): Promise<number> {
  const custom = layoutChoices(args, timeChoices, command);
  const allFields = allNames.map(lookUp).flatMap((entry) => (entry ? usualFields(entry) : []));
  const all = unique([...timeChoices, ...optionsOfAll(({ format }) => format), ...allFields, ...custom]);
  const { flags, values, positionals } = read(command, args, all, {
    fitting: fittingFormat((entry) => [...entry.format, ...timeChoices, ...usualFields(entry), ...custom]),
  });
  const { entry, rest } = formatArgument(positionals, command);
  if (rest[0] !== undefined) {
    throw new UsageError(`one format and no further argument, not also ${quote(rest[0])}`, command);
  }

  const format = makeFormat(entry, values, command);
  const fields = [...timeChoices, ...fieldChoices(format.layout.fields)];
  refuseOthers(values, [...entry.format, ...fields], entry.name, command);
  const context = { command, choices: fields, values, format };
  if (!timeChoices.some(({ name }) => values.has(name))) {
    throw new UsageError("which time? It takes --time TIME or --ticks N", command);
  }
  const given = parseSettings(values, fields, command) as Record<string, number>;
  const text = format.format(refusing(() => composed(format, given, context), context));
  await write(`${flags.has("json") ? jsonLine(format, text) : text}\n`);
  return 0;
}

function composed(
  format: AnyFormat,
  given: Record<string, number>,
  { values }: Context,
): string | number | bigint {
  try {
    return format.compose(given);
  } catch (error) {
    if (!GraupelError.is(error) || error.code !== "CONFLICT") throw error;
    const times = timeChoices.flatMap(({ name }) => values.get(name) ?? []);
    const said = times.map(({ as, text }) => `${as} ${text}`).join(" and ");
    throw new UsageError(`${said} are not the same tick; one of them is enough`, command);
  }
}
