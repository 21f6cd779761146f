/**
 * Runs the command line of the unpacked package: in a thread, or in a process if a test is about
 * its pipes or its exit.
 */
import assert from "node:assert/strict";
import { type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import wordsOfFormats from "../../../js/cli/words.json" with { type: "json" };
import { packageDirectory, root } from "../support/places.ts";

export const manifest = JSON.parse(readFileSync(join(packageDirectory, "package.json"), "utf8")) as {
  version: string;
  bin: { graupel: string };
};

export const commands: readonly string[] = [
  "generate",
  "inspect",
  "convert",
  "compose",
  "range",
  "formats",
  "lease",
];

/**
 * The names of the formats in the order of their lists. A custom layout comes after the Snowflake
 * dialects.
 */
export const names: readonly string[] = Object.keys(wordsOfFormats.formats);

const program = join(packageDirectory, manifest.bin.graupel);
export const demo = join(root, "dist/cli/demo.js");

interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const { NO_COLOR: _no, FORCE_COLOR: _force, NODE_OPTIONS: _options, ...environment } = process.env;

export function start(args: readonly string[], options: SpawnOptions = {}, node: readonly string[] = []) {
  return spawn(process.execPath, [...node, program, ...args], { env: environment, ...options });
}

export async function outcome(child: ReturnType<typeof start>): Promise<Outcome> {
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout?.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => err.push(chunk));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() };
}

function startThread(): Worker {
  const started = new Worker(new URL("thread.mjs", import.meta.url), {
    workerData: { program: pathToFileURL(program).href },
    env: environment,
    execArgv: [],
  });
  started.unref();
  return started;
}

let thread = startThread();
let last: Promise<unknown> = Promise.resolve();

/** The environment of a command. */
export interface Around {
  /** The width of the terminal on standard output: undefined if the terminal does not know it. */
  readonly columns?: number | undefined;
  /** Environment variables. */
  readonly COLUMNS?: string | undefined;
  readonly KIND?: string | undefined;
}

/**
 * Runs a command in the thread, one at a time. The command's standard streams must be text, and it
 * must end by itself. If the thread ends, the next command gets a new one.
 */
export function run(
  args: readonly string[],
  input: string | Buffer = "",
  { COLUMNS, KIND, ...terminal }: Around = {},
): Promise<Outcome> {
  const ended = last.then(async () => {
    thread.ref();
    const output = "columns" in terminal ? { isTTY: true, ...terminal } : {};
    thread.postMessage({ args, input, output, env: { ...environment, COLUMNS, KIND } });
    try {
      const [{ fault, ...outcome }] = await once(thread, "message");
      assert.equal(fault, undefined, args.join(" "));
      return outcome as Outcome;
    } catch (error) {
      thread = startThread();
      throw error;
    } finally {
      thread.unref();
    }
  });
  last = ended.catch(() => {});
  return ended;
}

export const words = (line: string): string[] => line.split(" ").filter(Boolean);
export const linesOf = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));
export const json = (text: string): Record<string, unknown>[] =>
  linesOf(text).map((line) => JSON.parse(line));
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with a control character.
export const withoutColour = (text: string): string => text.replace(/\x1b\[\d+m/g, "");
export const width = (text: string): number =>
  Math.max(...linesOf(withoutColour(text)).map((l) => [...l].length));

export async function succeeds(
  args: readonly string[],
  input?: string | Buffer,
  around?: Around,
): Promise<string> {
  const { code, out, err } = await run(args, input, around);
  assert.deepEqual({ code, err }, { code: 0, err: "" }, args.join(" "));
  return out;
}
