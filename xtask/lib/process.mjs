// Runs other programs, and reports failures in one sentence.

import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), "..", "..");
export const fromRoot = (...parts) => join(root, ...parts);

/** Writes a file, and makes its folder. */
export function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Cargo's target directory. */
export const targetDir = resolve(root, process.env.CARGO_TARGET_DIR ?? "target");

/**
 * An error for the user. It is printed without a stack trace, because its cause is outside the
 * script.
 */
export class Refusal extends Error {}

/** A program failed: its exit code was not 0, or a signal terminated it. */
export class Failed extends Error {
  constructor(line, code, output) {
    super(`${line} ended with ${typeof code === "number" ? `exit code ${code}` : code}`);
    this.code = code;
    this.output = output;
  }
}

/** A program is not installed. */
export class Absent extends Error {
  constructor(program) {
    super(`${program} is not installed`);
  }
}

const onWindows = process.platform === "win32";

/** The npm that runs this script, or else the npm in the PATH. */
export const npm =
  basename(process.env.npm_execpath ?? "") === "npm-cli.js" ? process.env.npm_execpath : "npm";

/** A JavaScript program of a package in node_modules, to run with this Node. */
export const tool = (path) => fromRoot("node_modules", path);

function commandLine(program, args) {
  if (/\.m?js$/.test(program) || program.startsWith(fromRoot("node_modules"))) {
    return [process.execPath, [program, ...args], false];
  }
  // On Windows, npm is a batch file, which only a shell can start. The arguments here contain no
  // special characters.
  return [program, args, onWindows && program === "npm"];
}

/** The process groups that are still running, by the ID of their leader. */
const groups = new Set();

/** Sends a signal to all processes of a group. */
export function signalGroup(pid, signal) {
  try {
    process.kill(onWindows ? pid : -pid, signal);
  } catch {
    groups.delete(pid);
  }
  if (signal === "SIGKILL") groups.delete(pid);
}

// Programs that this process started end with it.
process.once("exit", () => {
  for (const pid of groups) signalGroup(pid, "SIGTERM");
});

/** Starts a program in its own process group, so that its children can be ended with it. */
export function startGroup(file, args, options) {
  const child = spawn(file, args, { ...options, detached: !onWindows });
  if (child.pid !== undefined) groups.add(child.pid);
  return child;
}

/** Ends a group. Its processes get a few seconds to clean up. */
export async function endGroup(pid) {
  signalGroup(pid, "SIGTERM");
  for (const since = performance.now(); groups.has(pid) && performance.now() - since < 3000; ) {
    await new Promise((done) => setTimeout(done, 20));
    signalGroup(pid, 0);
  }
  if (groups.has(pid)) signalGroup(pid, "SIGKILL");
}

/**
 * Runs a program in the repository. Resolves to its standard output, which is empty with `show`,
 * because the output is then printed directly. Rejects with `Absent` or `Failed`. Calls `onText`
 * with everything that the program prints. `seconds`: the time limit.
 */
export function run(program, args, options = {}) {
  const { cwd = root, env = {}, show = false, seconds, onText = () => {} } = options;
  const [file, words, shell] = commandLine(program, args);
  return new Promise((done, fail) => {
    const output = show ? "inherit" : "pipe";
    const stdio = ["ignore", output, output];
    const child = startGroup(file, words, { cwd, shell, env: { ...process.env, ...env }, stdio });
    let out = "";
    let all = "";
    const hear = (text) => {
      all += text;
      onText(text);
    };
    child.stdout?.setEncoding("utf8").on("data", (text) => {
      out += text;
      hear(text);
    });
    child.stderr?.setEncoding("utf8").on("data", hear);
    let limit;
    const endLate = () => {
      limit = `its limit of ${seconds} s`;
      void endGroup(child.pid);
    };
    const late = seconds && setTimeout(endLate, seconds * 1000);
    child.on("error", (error) => fail(error.code === "ENOENT" ? new Absent(program) : error));
    child.on("close", (code, signal) => {
      clearTimeout(late);
      groups.delete(child.pid);
      if (code === 0) done(out);
      else fail(new Failed([basename(program), ...args].join(" "), limit ?? code ?? signal, all));
    });
  });
}

/** Like `run`, but resolves to undefined if the program is absent or fails. */
export async function tryRun(program, args, options) {
  try {
    return await run(program, args, options);
  } catch (error) {
    if (error instanceof Absent || error instanceof Failed) return undefined;
    throw error;
  }
}

/**
 * Runs `main` if Node was started with the given module. Converts errors to messages and exit
 * codes.
 */
export async function runAsProgram(moduleUrl, main) {
  if (process.argv[1] === undefined || resolve(process.argv[1]) !== fileURLToPath(moduleUrl)) return;
  // Without a listener, a signal ends this process without the event "exit".
  process.once("SIGINT", () => process.exit(130));
  process.once("SIGTERM", () => process.exit(143));
  // npm passes its signal to a shell, which may exit without passing it on. Without npm, the parent
  // may exit and leave this process to run.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event !== undefined)
    setInterval(() => process.ppid === parent || process.exit(143), 500).unref();
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    if (error instanceof Failed && error.output !== "") process.stderr.write(`${error.output.trimEnd()}\n`);
    const known =
      [Refusal, Failed, Absent].some((kind) => error instanceof kind) || /^ERR_PARSE_ARGS/.test(error.code);
    console.error(known ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
}
