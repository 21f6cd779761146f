/** The answers to many IDs, each in its place: those of the command line, or else the lines of standard input. */
import { fstatSync } from "node:fs";
import { GraupelError } from "../index.js";
import type { Arguments } from "./arguments.js";
import { type Line, lineOf, lines } from "./lines.js";
import { Buffered, complain } from "./output.js";
import { unwrap } from "./pasted.js";
import { printable } from "./terminal.js";

/** What a command makes of the text of an ID. */
export interface Reader {
  /** What stands in a line of JSON, beside the text itself. */
  json(text: string): object;
  /** What people see. */
  show(text: string): string;
  /** What stands between two answers for people. */
  readonly gap: string;
}

/** The text is no ID for a reason that the package did not have to find. */
export class Refused extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Answers each ID. A text that is none is reported in its place, and the others go on. `start`: the arguments before
 * the IDs, such as the command. Returns the exit status.
 */
export async function answerAll(
  start: readonly string[],
  ids: readonly string[],
  given: Arguments,
  reader: Reader,
): Promise<number> {
  const asJson = given.flags.has("json");
  const out = new Buffered();
  let failed = false;
  let gap = "";

  const answer = ({ text, tooLong }: Line): Promise<void> | undefined => {
    try {
      if (tooLong !== undefined) throw new Refused("LENGTH", `a line of ${tooLong} bytes is no ID`);
      if (asJson) return out.line(JSON.stringify({ input: text, ...reader.json(text) }));
      const shown = gap + reader.show(text);
      gap = reader.gap;
      return out.line(shown);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      failed = true;
      const { code, message } = error;
      const id = tooLong === undefined ? meant(text, reader) : undefined;
      const suggestion = id && [...commandLine(start, given), id].join(" ");
      if (asJson) return out.line(JSON.stringify({ input: text, error: { code, message, suggestion } }));
      // What came before it is shown before it.
      return out.flush().then(() => {
        complain(`"${printable(text, 64)}": ${message}`);
        if (suggestion) complain(`did you mean: ${suggestion}`);
      });
    }
  };

  for await (const group of ids.length > 0 ? [ids.map(lineOf)] : standardInput()) {
    for (const line of group) await answer(line);
    // Whoever types, or feeds us slowly, sees each answer at once.
    await out.flush();
  }
  return failed ? 1 : 0;
}

const isRefusal = (error: unknown): error is GraupelError | Refused =>
  error instanceof Refused || GraupelError.is(error);

/** The ID inside a text, if there is one that this command can read. */
function meant(text: string, reader: Reader): string | undefined {
  const id = unwrap(text);
  if (id === undefined) return undefined;
  try {
    reader.json(id);
    return id;
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

/** The same command, up to its IDs. Nothing in it that the package has taken needs quotes in a shell. */
function commandLine(start: readonly string[], { flags, values }: Arguments): string[] {
  const options = [...values.values()].flatMap(({ as, text }) => [as, text]);
  return ["graupel", ...start, ...flags.values(), ...options];
}

function standardInput(): AsyncIterable<Line[]> {
  // Node would take a directory for an empty file.
  if (fstatSync(0).isDirectory()) throw new Error("standard input is a directory");
  if (process.stdin.isTTY) complain("reading IDs from the terminal, one a line");
  return lines(process.stdin);
}
