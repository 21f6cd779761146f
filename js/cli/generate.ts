/** `graupel generate`: prints new IDs, one per line. */
import type { FormatFacts } from "../facts.js";
import type { AnyFormat, AnyGenerator } from "../index.js";
import { quote, read, UsageError } from "./arguments.js";
import {
  type Choice,
  declaredLayout,
  fieldsOf,
  formatChoices,
  generatorChoices,
  numberChoice,
  policies,
} from "./choices.js";
import { failForOthers, formatArgument, layoutChoices, makeFormat, optionsFrom, without } from "./format.js";
import { jsonLine } from "./json.js";
import type { Options } from "./make.js";
import { withOptionNames } from "./option-errors.js";
import { Buffered } from "./output.js";
import { toCount } from "./values.js";

const countChoice: Choice = { ...numberChoice("count"), short: "n" };

/** Generates the next n IDs as text. */
type Source = (n: number) => string[];

export async function generate(args: readonly string[]): Promise<number> {
  const fields = layoutChoices(args, [countChoice, ...generatorChoices(declaredLayout), ...policies]);
  const forGenerator = (one: FormatFacts): Choice[] => [...generatorChoices(one), ...fields, ...policies];
  const of = (one: FormatFacts): Choice[] => [...formatChoices(one), ...forGenerator(one)];
  const { flags, values, positionals } = read(args, { own: [countChoice], of });
  const [facts, more] = formatArgument(positionals);
  if (more !== undefined) throw new UsageError(`expected one format, also got ${quote(more)}`);

  const n = toCount(values.get(countChoice.name) ?? { as: "-n", text: "1" });
  const context = { choices: of(facts), values: without(values, [countChoice.name]) };
  failForOthers(context.values, context.choices, facts.name);

  const format = makeFormat(facts, context.values);
  const options = optionsFrom(context.values, forGenerator(facts));
  const source = withOptionNames(() => sourceOf(format, options, fieldsOf(facts, "call")), context);

  const batch = batchSize(format, options);
  const json = flags.has("json");
  const out = new Buffered();
  try {
    for (let left = n; left > 0; ) {
      const ids = withOptionNames(() => source(Math.min(left, batch)), context);
      for (const id of ids) await out.line(json ? jsonLine(format, id) : id);
      left -= ids.length;
    }
  } finally {
    // Print the IDs that were generated before an error.
    await out.flush();
  }
  return 0;
}

/** `calls`: the options that are arguments of each call. */
function sourceOf(format: AnyFormat, options: Options, calls: readonly string[]): Source {
  const [call, others] = [true, false].map((isCall) =>
    Object.entries(options).filter(([name]) => calls.includes(name) === isCall),
  ) as [[string, unknown][], [string, unknown][]];
  // Check now, because `-n 0` generates no ID that would check them.
  if (call.length > 0) format.with(format.range().min, Object.fromEntries(call));
  const generator: AnyGenerator & { nextManyText(n: number, ...call: unknown[]): string[] } =
    format.generator(Object.fromEntries(others));
  const values = call.map(([, value]) => value);
  return (n) => generator.nextManyText(n, ...values);
}

/**
 * The number of IDs in one call. `maxWaitMs` limits each call, so a batch holds the IDs of about 16
 * ms, which leaves time for random steps that fill a tick early. If the user sets the limit, it
 * applies to a single ID.
 */
function batchSize({ capacity, layout }: AnyFormat, { maxWaitMs }: Options): number {
  if (maxWaitMs !== undefined) return 1;
  return Math.max(1, Math.min(4096, Math.floor((capacity * 16) / layout.tickMs)));
}
