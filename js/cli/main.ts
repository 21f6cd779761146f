#!/usr/bin/env node
/** The command line: runs a command and reports its errors. */
import { readFileSync } from "node:fs";
import { commonFlags, quote, UsageError, unknownOption } from "./arguments.js";
import { compose } from "./compose.js";
import { convert } from "./convert.js";
import { doctor } from "./doctor.js";
import { formats } from "./formats.js";
import { generate } from "./generate.js";
import { help } from "./help.js";
import { inspect } from "./inspect.js";
import { lease } from "./lease.js";
import { didYouMean } from "./nearest.js";
import { complain, guardStreams, write } from "./output.js";
import { range } from "./range.js";

const commands: ReadonlyMap<string, (args: readonly string[]) => Promise<number>> = new Map([
  ["generate", generate],
  ["inspect", inspect],
  ["convert", convert],
  ["compose", compose],
  ["range", range],
  ["formats", formats],
  ["doctor", doctor],
  ["lease", lease],
]);

const [name, ...rest] = process.argv.slice(2);

async function main(): Promise<number> {
  if (name === undefined) {
    process.stderr.write(help() ?? "");
    return 2;
  }
  const run = commands.get(name);
  if (run) return asked(rest, name) ?? run(rest);
  if (name === "help") return show(help(rest[0]), rest[0]);
  if (name === "version") return show(version());
  const answered = asked([name]);
  if (answered) return answered;
  const alone = commonFlags.filter((flag) => flag.name !== "json");
  throw name.startsWith("-") ? unknownOption(name, alone) : unknownCommand(name);
}

const unknownCommand = (name: string): UsageError =>
  new UsageError(
    `unknown command ${quote(name)}${didYouMean(name, [...commands.keys(), "help", "version"])}`,
  );

/** Answers `--help` and `--version` anywhere among the options, even if other options are wrong. */
function asked(args: readonly string[], command?: string): Promise<number> | undefined {
  const end = args.indexOf("--");
  const options = new Set(end === -1 ? args : args.slice(0, end));
  if (options.has("--help") || options.has("-h")) return show(help(command));
  if (options.has("--version") || options.has("-V")) return show(version());
  return undefined;
}

async function show(text: string | undefined, command?: string): Promise<number> {
  if (text === undefined) throw unknownCommand(command ?? "");
  await write(text);
  return 0;
}

function version(): string {
  const file = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return `${(JSON.parse(file) as { version: string }).version}\n`;
}

function report(error: unknown): number {
  if (error instanceof UsageError) {
    complain(error.message);
    complain(`try: graupel ${name !== undefined && commands.has(name) ? `${name} ` : ""}--help`);
    return 2;
  }
  // Print only the message of other errors: a stack trace does not help the user.
  complain(error instanceof Error ? error.message : String(error));
  return 1;
}

guardStreams();
// Do not call `process.exit`, because output may still be pending.
process.exitCode = await main().catch(report);
