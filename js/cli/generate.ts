/** `graupel generate`: IDs, a line each. */
import { helpFlag, jsonFlag, read, toCount, UsageError, versionFlag } from "./arguments.js";
import { Buffered } from "./output.js";
import { type AnyFormat, type Choice, policies, registry, type Settings, type Source } from "./registry.js";
import { attempt, entryOf, layoutChoices, refuseOthers, settle, unique } from "./settings.js";

const command = "generate";
const count = { name: "count", short: "n" };
const flags = [helpFlag, versionFlag, jsonFlag];
const choices = unique([
  ...[...registry.values()].flatMap((entry) => [...entry.format, ...entry.generator]),
  ...policies,
]);
/** What an option means beside a layout of one's own; another format's `--worker-id` is free to be a field. */
const own = registry.get("snowflake")?.format ?? [];
const taken = new Set([count, ...flags, ...policies, ...own].map((option) => option.name));

export async function generate(args: readonly string[]): Promise<number> {
  const fields = layoutChoices(args, taken, command);
  const { flags: given, values, positionals } = read(command, args, flags, [count, ...choices, ...fields]);
  const [name, ...more] = positionals;
  if (name === undefined) throw new UsageError("which format?", command);
  if (more.length > 0) {
    throw new UsageError(`one format at a time, not also ${JSON.stringify(more[0])}`, command);
  }

  const entry = entryOf(name, command);
  const options = new Map([...values].filter(([option]) => option !== count.name));
  const n = toCount(count.name, values.get(count.name) ?? "1", command);
  const ofGenerator = [...entry.generator, ...fields, ...policies];
  const accepted: Choice[] = [...entry.format, ...ofGenerator];
  refuseOthers(options, accepted, name, command);

  const formatSettings = settle(options, entry.format, command);
  const settings = settle(options, ofGenerator, command);
  const format = attempt(() => entry.make(formatSettings), accepted, command);
  const source = attempt(() => entry.source(format, settings), accepted, command);
  const checked: Source = (k) => attempt(() => source(k), accepted, command);

  const batch = batchSize(format, settings);
  const json = given.has("json");
  const out = new Buffered();
  try {
    for (let left = n; left > 0; ) {
      const ids = checked(Math.min(left, batch));
      for (const id of ids) await out.line(json ? jsonLine(format, id) : id);
      left -= ids.length;
    }
  } finally {
    // What could be made before an error is an answer too.
    await out.flush();
  }
  return 0;
}

/**
 * How many IDs to ask for at once. The bound on waiting is for each call, so a batch is what some 16 ms can
 * hold, which leaves room even where random steps use a tick up early. Whoever sets the bound means an ID.
 */
function batchSize({ capacity, layout }: AnyFormat, { maxWaitMs }: Settings): number {
  if (maxWaitMs !== undefined) return 1;
  return Math.max(1, Math.min(4096, Math.floor((capacity * 16) / layout.tickMs)));
}

/** A JSON number where the format's IDs are numbers, a string everywhere else. */
function jsonLine(format: AnyFormat, text: string): string {
  return typeof format.parse(text) === "number" ? text : JSON.stringify(text);
}
