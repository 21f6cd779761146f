/** `graupel inspect`: IDs taken apart, for people or as JSON. */
import { fstatSync } from "node:fs";
import { type Candidate, GraupelError, identify } from "../index.js";
import { type Arguments, helpFlag, jsonFlag, read, UsageError, versionFlag } from "./arguments.js";
import { draw, rank } from "./draw.js";
import { type Line, lineOf, lines } from "./lines.js";
import { Buffered, complain } from "./output.js";
import { type AnyFormat, type Choice, type Id, registry } from "./registry.js";
import { attempt, entryOf, refuseOthers, settle, unique } from "./settings.js";
import { type Paint, paintFor, printable } from "./terminal.js";

const command = "inspect";
const flags = [helpFlag, versionFlag, jsonFlag];
const formatChoice = { name: "format", short: "f" };
const choices = unique([...registry.values()].flatMap((entry) => [...entry.format, ...entry.text]));

/** Why a text is no ID, in its place among the others. */
interface Refusal {
  readonly error: { readonly code: string; readonly message: string };
}

/** What one way of reading makes of a text: a line of JSON, or a picture. */
interface Reader {
  json(text: string): object;
  picture(text: string, paint: Paint): string;
}

export async function inspect(args: readonly string[]): Promise<number> {
  const given = read(command, args, flags, [formatChoice, ...choices]);
  const reader = readerFor(given);
  const asJson = given.flags.has("json");
  const paint = paintFor(process.stdout);
  const out = new Buffered();
  let failed = false;
  let first = true;

  const answer = ({ text, tooLong }: Line): Promise<void> | undefined => {
    try {
      if (tooLong !== undefined) throw new Refused("LENGTH", `a line of ${tooLong} bytes is no ID`);
      if (asJson) return out.line(JSON.stringify({ input: text, ...reader.json(text) }));
      const picture = reader.picture(text, paint);
      const gap = first ? "" : "\n";
      first = false;
      return out.line(gap + picture);
    } catch (error) {
      if (!(error instanceof Refused || GraupelError.is(error))) throw error;
      failed = true;
      const refusal: Refusal = { error: { code: error.code, message: error.message } };
      if (asJson) return out.line(JSON.stringify({ input: text, ...refusal }));
      // What came before it is shown before it.
      return out.flush().then(() => complain(`"${printable(text, 64)}": ${error.message}`));
    }
  };

  for await (const group of given.positionals.length > 0
    ? [given.positionals.map(lineOf)]
    : standardInput()) {
    for (const line of group) await answer(line);
    // Whoever types, or feeds us slowly, sees each answer at once.
    await out.flush();
  }
  return failed ? 1 : 0;
}

/** The text is no ID for a reason that the package did not have to find. */
class Refused extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

function standardInput(): AsyncIterable<Line[]> {
  // Node would take a directory for an empty file.
  if (fstatSync(0).isDirectory()) throw new Error("standard input is a directory");
  if (process.stdin.isTTY) complain("reading IDs from the terminal, one a line");
  return lines(process.stdin);
}

function readerFor({ flags, values }: Arguments): Reader {
  const options = new Map(values);
  const name = options.get(formatChoice.name);
  options.delete(formatChoice.name);
  if (name === undefined) {
    const [other] = options.keys();
    if (other !== undefined) throw new UsageError(`--${other} needs --format`, command);
    return candidates;
  }

  const entry = entryOf(name, command);
  const accepted: Choice[] = [...entry.format, ...entry.text];
  refuseOthers(options, accepted, name, command);
  const settings = settle(options, entry.format, command);
  const format = attempt(() => entry.make(settings), accepted, command);
  const { radix } = settle(options, entry.text, command) as { radix?: number };
  if (radix !== undefined) attempt(() => checkRadix(format, radix), accepted, command);
  if (flags.has("json")) refuseAmbiguousKeys(format);
  return {
    json: (text) => facts(format, format.parse(text, radix)),
    picture: (text, paint) => draw(format, format.parse(text, radix), paint),
  };
}

/** A radix that no text can have is the command line's fault, not that of each ID. */
function checkRadix(format: AnyFormat, radix: number): void {
  format.parse("0", radix);
}

const ownKeys = ["input", "format", "text", "integer", "hex", "error"];

/** A field of a custom layout could hide what stands beside the fields. */
function refuseAmbiguousKeys({ layout }: AnyFormat): void {
  const clash = layout.fields.find((field) => ownKeys.includes(field.name))?.name;
  if (clash !== undefined) {
    throw new UsageError(`--fields: with --json, no field can be called "${clash}"`, command);
  }
}

function facts(format: AnyFormat, id: Id): object {
  return {
    format: format.name,
    text: format.format(id),
    integer: String(format.toBigInt(id)),
    hex: Buffer.from(format.toBytes(id)).toString("hex"),
    ...format.inspect(id),
  };
}

/** Without a format: which ones it could be. */
const candidates: Reader = {
  json: (text) => ({
    candidates: found(text).map(({ name, text, integer, timestamp, time }) => ({
      name,
      text,
      integer: String(integer),
      timestamp,
      time,
    })),
  }),
  picture: (text, paint) => rank(text, found(text), paint),
};

function found(text: string): readonly Candidate[] {
  const list = identify(text);
  if (list.length === 0) throw new Refused("NO_CANDIDATE", "no format has such a text");
  return list;
}
