/** `graupel range`: prints the lowest and the highest ID of a time interval. */
import { type AnyFormat, type AnyId, GraupelError, type Range } from "../index.js";
import { quote, read, UsageError } from "./arguments.js";
import { formatChoices } from "./choices.js";
import { failForOthers, formatArgument, makeFormat } from "./format.js";
import { jsonId } from "./json.js";
import { lifeOf } from "./option-errors.js";
import { write } from "./output.js";
import { toTime } from "./values.js";

/** The argument for an open end. */
const open = "-";

export async function range(args: readonly string[]): Promise<number> {
  const { flags, values, positionals } = read(args, { of: formatChoices, negatives: true });
  const [facts, from, to, more] = formatArgument(positionals);
  if (from === undefined || to === undefined) {
    throw new UsageError("range needs two times, FROM and TO; use - for an open end");
  }
  if (more !== undefined) throw new UsageError(`expected two times, also got ${quote(more)}`);
  failForOthers(values, formatChoices(facts), facts.name);
  const format = makeFormat(facts, values);

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

/** The error codes of an invalid interval. */
const invalid: ReadonlySet<string> = new Set(["TYPE", "RANGE", "CONFLICT", "BEFORE_EPOCH", "END_OF_LIFE"]);

function bounds(format: AnyFormat, from: string, to: string): Range<AnyId> {
  const start = from === open ? undefined : toTime({ as: "FROM", text: from });
  const end = to === open ? undefined : toTime({ as: "TO", text: to });
  try {
    return format.range(start, end);
  } catch (error) {
    if (!GraupelError.is(error) || !invalid.has(error.code)) throw error;
    const got = `got ${from} and ${to}`;
    if (start !== undefined && end !== undefined && start >= end) {
      throw new UsageError(`FROM must be before TO, ${got}`);
    }
    throw new UsageError(`FROM and TO: expected times of ${format.name}, ${lifeOf(format)}; ${got}`);
  }
}
