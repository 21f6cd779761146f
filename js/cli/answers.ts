/** Answers many IDs in order: the arguments or, without arguments, the lines of standard input. */
import { fstatSync } from "node:fs";
import { GraupelError } from "../index.js";
import type { Arguments } from "./arguments.js";
import { type Line, lineOf, lines } from "./lines.js";
import { Buffered, complain } from "./output.js";
import { unwrap } from "./pasted.js";
import { printable, printableJson } from "./terminal.js";

/** The answers of a command to the text of an ID. */
export interface Reader {
  /** The properties of the answer as JSON, without the input. */
  json(text: string): object;
  /** The answer for people. */
  show(text: string): string;
  /** The text between two answers for people. */
  readonly gap: string;
}

/** The error for a text that the command line rejects without calling the package. */
export class TextError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Answers each ID in order. A bad text is reported in its place, and does not stop the others.
 * `start`: the arguments before the IDs, for suggestions. Returns the exit status.
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
      if (tooLong !== undefined)
        throw new TextError("LENGTH", `a line of ${tooLong} bytes is too long for an ID`);
      if (asJson) return out.line(printableJson({ input: text, ...reader.json(text) }));
      const shown = gap + reader.show(text);
      gap = reader.gap;
      return out.line(shown);
    } catch (error) {
      if (!isAboutText(error)) throw error;
      failed = true;
      const { code, message } = error;
      const id = tooLong === undefined ? meant(text, reader) : undefined;
      const suggestion = id && [...commandLine(start, given), inShell(id)].join(" ");
      if (asJson) return out.line(printableJson({ input: text, error: { code, message, suggestion } }));
      // Flush, so that earlier answers appear before the error.
      return out.flush().then(() => {
        complain(`"${printable(text, 64)}": ${message}`);
        if (suggestion) complain(`did you mean: ${suggestion}`);
      });
    }
  };

  for await (const group of ids.length > 0 ? [ids.map(lineOf)] : standardInput()) {
    for (const line of group) await answer(line);
    // Answer at once, for input that is typed or arrives slowly.
    await out.flush();
  }
  return failed ? 1 : 0;
}

const isAboutText = (error: unknown): error is GraupelError | TextError =>
  error instanceof TextError || GraupelError.is(error);

/** The ID inside a pasted text, if this command can read it. */
function meant(text: string, reader: Reader): string | undefined {
  const id = unwrap(text);
  if (id === undefined) return undefined;
  try {
    reader.json(id);
    return id;
  } catch (error) {
    if (isAboutText(error)) return undefined;
    throw error;
  }
}

/**
 * The same command without its IDs. Needs no shell quotes, because the package has accepted the
 * values.
 */
function commandLine(start: readonly string[], { flags, values }: Arguments): string[] {
  const options = [...values.values()].flatMap(({ as, text }) => [as, text]);
  return ["graupel", ...start, ...flags.values(), ...options];
}

/** An ID as an argument. Only the form `bytes` has characters with a meaning in shells. */
const inShell = (id: string): string => (/^[\w-]+$/.test(id) ? id : `'${id}'`);

function standardInput(): AsyncIterable<Line[]> {
  // Node reads a directory as an empty file.
  if (fstatSync(0).isDirectory()) throw new Error("standard input is a directory");
  if (process.stdin.isTTY) complain("reading IDs from the terminal, one per line");
  return lines(process.stdin);
}
