/** `graupel generate`: prints new IDs, one a line. */
import { quote, read, UsageError } from "./arguments.js";
import { jsonLine } from "./json.js";
import { Buffered } from "./output.js";
import { refuseNoNumbers, refusing } from "./refusals.js";
import { type AnyFormat, type Choice, type Entry, policies, type Settings, type Source } from "./registry.js";
import {
  fittingFormat,
  formatArgument,
  layoutChoices,
  makeFormat,
  optionsOfAll,
  parseSettings,
  refuseOthers,
  without,
} from "./settings.js";
import { toCount } from "./values.js";

const command = "generate";
const countChoice: Choice = { name: "count", short: "n", kind: "number", value: "N", about: "how many" };

export async function generate(args: readonly string[]): Promise<number> {
  const fields = layoutChoices(args, [countChoice, ...policies], command);
  const ofGenerator = (entry: Entry): Choice[] => [...entry.generator, ...fields, ...policies];
  const all = [countChoice, ...optionsOfAll((entry) => [...entry.format, ...ofGenerator(entry)])];
  const { flags, values, positionals } = read(command, args, all, {
    fitting: fittingFormat((entry) => [...entry.format, ...ofGenerator(entry), countChoice]),
  });
  const { entry, rest } = formatArgument(positionals, command);
  if (rest[0] !== undefined) {
    throw new UsageError(`one format at a time, not also ${quote(rest[0])}`, command);
  }

  const n = toCount(values.get(countChoice.name) ?? { as: "-n", text: "1" }, command);
  const options = without(values, countChoice.name);
  const choices = [...entry.format, ...ofGenerator(entry)];
  refuseOthers(options, choices, entry.name, command);

  const format = makeFormat(entry, options, command);
  const settings = parseSettings(options, ofGenerator(entry), command);
  const context = { command, choices, values: options };
  const source = refusing(() => entry.source(format, settings), context);
  refuseNoNumbers(context);
  const checked: Source = (k) => refusing(() => source(k), context);

  const batch = batchSize(format, settings);
  const json = flags.has("json");
  const out = new Buffered();
  try {
    for (let left = n; left > 0; ) {
      const ids = checked(Math.min(left, batch));
      for (const id of ids) await out.line(json ? jsonLine(format, id) : id);
      left -= ids.length;
    }
  } finally {
    // Print the IDs that were generated before an error.
    await out.flush();
  }
  return 0;
}

/**
 * The number of IDs in one call. `maxWaitMs` bounds each call, so a batch holds what fits in about 16 ms: random steps may
 * use a tick up early, and there must be room for that. A user who sets the bound means a single ID.
 */
function batchSize({ capacity, layout }: AnyFormat, { maxWaitMs }: Settings): number {
  if (maxWaitMs !== undefined) return 1;
  return Math.max(1, Math.min(4096, Math.floor((capacity * 16) / layout.tickMs)));
}
