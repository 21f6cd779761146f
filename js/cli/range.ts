/** `graupel range`: prints the lowest and the highest ID of a time interval. */
import { GraupelError, type Range } from "../index.js";
import { quote, read, UsageError } from "./arguments.js";
import { jsonId } from "./json.js";
import { write } from "./output.js";
import { lifeOf } from "./refusals.js";
import type { AnyFormat, Id } from "./registry.js";
import { fittingFormat, formatArgument, makeFormat, optionsOfAll, refuseOthers } from "./settings.js";
import { toTime } from "./values.js";

const command = "range";
const choices = optionsOfAll(({ format }) => format);
/** The argument for an open end. */
const open = "-";

export async function range(args: readonly string[]): Promise<number> {
  const { flags, values, positionals } = read(command, args, choices, {
    negatives: true,
    fitting: fittingFormat(({ format }) => format),
  });
  const { entry, rest } = formatArgument(positionals, command);
  const [from, to, more] = rest;
  if (from === undefined || to === undefined) {
    throw new UsageError("from when, to when? Two times are needed; - leaves an end open", command);
  }
  if (more !== undefined) throw new UsageError(`two times at most, not also ${quote(more)}`, command);
  refuseOthers(values, entry.format, entry.name, command);
  const format = makeFormat(entry, values, command);

  const { min, max } = bounds(format, from, to);
  const texts = [min, max].map((id) => format.format(id));
  if (flags.has("json")) {
    const [low, high] = texts.map((text) => jsonId(format, text));
    await write(`${JSON.stringify({ min: low, max: high })}\n`);
  } else {
    await write(texts.map((text) => `${text}\n`).join(""));
  }
  return 0;
}

/** Error codes of a refused interval. */
const refusals: ReadonlySet<string> = new Set(["TYPE", "RANGE", "CONFLICT", "BEFORE_EPOCH", "END_OF_LIFE"]);

function bounds(format: AnyFormat, from: string, to: string): Range<Id> {
  const start = from === open ? undefined : toTime({ as: "FROM", text: from }, command);
  const end = to === open ? undefined : toTime({ as: "TO", text: to }, command);
  try {
    return format.range(start, end);
  } catch (error) {
    if (!GraupelError.is(error) || !refusals.has(error.code)) throw error;
    const got = `got ${from} and ${to}`;
    if (start !== undefined && end !== undefined && start >= end) {
      throw new UsageError(`FROM must be before TO, ${got}`, command);
    }
    throw new UsageError(`FROM and TO: expected times of ${format.name}, ${lifeOf(format)}; ${got}`, command);
  }
}
