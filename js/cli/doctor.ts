/**
 * `graupel doctor`: sends IDs through the user's module, which writes and reads them, and reports
 * what came back.
 */
import type { AnyFormat, AnyId } from "../index.js";
import { twitter } from "../index.js";
import { quote, read, UsageError } from "./arguments.js";
import { type Finding, findingOf, type Outcome } from "./came-back.js";
import { formatChoices } from "./choices.js";
import { formatOption, namedFormat } from "./format.js";
import { write } from "./output.js";
import { paintFor, printable, printableJson, type Style } from "./terminal.js";
import { answerOf, type Requirement, type UserModule, withModule } from "./user-module.js";

/** Writes an ID, reads it back, and returns the value that was read. */
type RoundTrip = (id: AnyId) => unknown;

/**
 * Further exports of a module: other paths to the database and back, in which a library may round.
 */
const WAYS = { json: " in JSON", relation: " as a relation", condition: " in a condition", default: "" };

type TripModule = UserModule & { readonly default: RoundTrip } & {
  readonly [Way in keyof typeof WAYS]?: RoundTrip;
};

const trip: Requirement = {
  is: (value) => typeof value === "function",
  what: "function that writes an ID, and returns what it reads",
};

const textFlag = { name: "text" };

/** One ID that is sent. */
interface Probe {
  readonly name: string;
  readonly sent: AnyId;
}

interface Result extends Probe, Finding {
  readonly back?: unknown;
}

export async function doctor(args: readonly string[]): Promise<number> {
  const { flags, values, positionals } = read(args, {
    own: [formatOption],
    ownFlags: [textFlag],
    of: formatChoices,
  });
  const [path, more] = positionals;
  if (path === undefined)
    throw new UsageError("doctor needs a module that writes and reads an ID, such as ./db.mjs");
  if (more !== undefined) throw new UsageError(`expected one module, also got ${quote(more)}`);
  const named = namedFormat(values, [formatOption], formatChoices);
  return withModule(path, trip, async (module: TripModule) => {
    const natural = named?.format ?? exported(module) ?? twitter;
    const format = flags.has(textFlag.name) ? natural.text : natural;
    let failed = false;
    let tick = Date.now();
    for (const [way, words] of Object.entries(WAYS)) {
      const roundTrip = module[way as keyof typeof WAYS];
      if (typeof roundTrip !== "function") continue;
      for (const { name, sent } of probesOf(format, tick, way === "default")) {
        const result = await examined(format, { name: name + words, sent }, roundTrip);
        // A failure in the format's last year does not need a fix now.
        failed ||= result.state === "changed" && name !== LAST;
        await write(flags.has("json") ? jsonOf(format, result) : shown(result));
      }
      tick += 2 * format.layout.tickMs;
    }
    return failed ? 1 : 0;
  });
}

/** The format that the module exports. */
function exported({ format }: TripModule): AnyFormat | undefined {
  if (format === undefined) return undefined;
  const { range, parse } = Object(format) as Partial<AnyFormat>;
  if (typeof range === "function" && typeof parse === "function") return format as AnyFormat;
  throw new Error("the module's format is not a format of graupel");
}

const LAST = "the last ID of the format";

/**
 * The IDs to send: an ID of a busy tick, with ones in all fields below the time; the first ID of a
 * tick, with zeros there, which survives rounding and is what a quiet test generates; and the last
 * ID of the format. They ascend, because a module may read the row with the largest ID, so the last
 * ID is sent last.
 */
function probesOf(format: AnyFormat, now: number, withLast: boolean): Probe[] {
  const { tickMs } = format.layout;
  const { min, max } = format.range(now, now + tickMs);
  const [low, high] = [format.toBigInt(min), format.toBigInt(max)];
  return [
    { name: "an ID of a busy tick", sent: format.fromBigInt(low + ((((high - low) * 2n) / 3n) | 1n)) },
    { name: "the first ID of a tick", sent: format.range(now + tickMs).min },
    ...(withLast ? [{ name: LAST, sent: format.range().max }] : []),
  ];
}

async function examined(format: AnyFormat, probe: Probe, roundTrip: RoundTrip): Promise<Result> {
  try {
    // The function may throw synchronously.
    const back = await answerOf("the module's function", Promise.resolve(probe.sent).then(roundTrip));
    return { ...probe, back, ...findingOf(format, probe.sent, back) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ...probe, state: "changed", means: `an error: ${message}` };
  }
}

/** A value as a literal in code. */
function literal(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "string") return quote(value);
  if (typeof value === "number" || value === undefined || value === null) return `${value}`;
  return Object.prototype.toString.call(value);
}

const STYLES: Readonly<Record<Outcome, Style>> = { whole: "green", other: "yellow", changed: "red" };

function shown({ name, sent, back, state, means }: Result): string {
  const paint = paintFor(process.stdout);
  return `${name}\n  sent       ${literal(sent)}\n  came back  ${printable(literal(back), 200)}\n  ${paint(
    STYLES[state],
    state.padEnd(9),
  )}  ${printable(means, 400)}\n`;
}

function jsonOf(format: AnyFormat, { name, sent, back, state, means }: Result): string {
  return `${printableJson({
    probe: name,
    sent: format.format(sent),
    back: literal(back),
    type: typeof back,
    state,
    means,
  })}\n`;
}
