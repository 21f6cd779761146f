/** Runs the command line of the unpacked package: in a thread, or in a process where a test needs its pipes and signals. */
import assert from "node:assert/strict";
import { type SpawnOptions, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Worker } from "node:worker_threads";
import { packageDirectory, root } from "../support/places.ts";

export const manifest = JSON.parse(readFileSync(join(packageDirectory, "package.json"), "utf8")) as {
  version: string;
  bin: { graupel: string };
};
const program = join(packageDirectory, manifest.bin.graupel);
export const demo = join(root, "dist/cli/demo.js");

export interface Outcome {
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

/** In a thread, which starts in half the time of a process. The command must read its input, or the thread never ends. */
export async function run(args: readonly string[], input: string | Buffer = ""): Promise<Outcome> {
  const streams = { stdin: true, stdout: true, stderr: true };
  const worker = new Worker(program, { argv: [...args], env: environment, execArgv: [], ...streams });
  if (input.length > 0) worker.stdin?.write(input);
  worker.stdin?.end();
  const ended = new Promise<number>((resolve, reject) => {
    worker.on("error", reject);
    worker.on("exit", resolve);
  });
  const [code, out, err] = await Promise.all([ended, text(worker.stdout), text(worker.stderr)]);
  return { code, out, err };
}

export const linesOf = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));
export const json = (text: string): Record<string, unknown>[] =>
  linesOf(text).map((line) => JSON.parse(line));
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one.
export const withoutColour = (text: string): string => text.replace(/\x1b\[\d+m/g, "");
export const width = (text: string): number =>
  Math.max(...linesOf(withoutColour(text)).map((l) => [...l].length));

export async function succeeds(args: readonly string[], input?: string | Buffer): Promise<string> {
  const { code, out, err } = await run(args, input);
  assert.deepEqual({ code, err }, { code: 0, err: "" }, args.join(" "));
  return out;
}

/** Wrong usage: nothing on standard output, the reason and a hint on standard error, status 2. */
export async function refuses(args: readonly string[], reason: RegExp): Promise<void> {
  const { code, out, err } = await run(args);
  assert.deepEqual({ code, out }, { code: 2, out: "" }, `${args.join(" ")}: ${err}`);
  assert.match(err, reason);
  assert.match(err, /^graupel: try: graupel .*--help$/m);
  assert.doesNotMatch(err, /^\s+at /m, "a stack trace");
}
