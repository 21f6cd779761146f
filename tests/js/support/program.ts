/** Programs in a process of their own, which import the package as a user's do. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { testsJs } from "./places.ts";

const run = promisify(execFile);

/** Far above what any program takes: only an endless wait takes this long. */
const ENDLESS_MS = 120_000;

/** The JSON that a program writes, a module's text. */
export async function told(program: string): Promise<unknown> {
  const args = ["--input-type=module", "--eval", program];
  const { stdout } = await run(process.execPath, args, {
    cwd: testsJs,
    timeout: ENDLESS_MS,
    killSignal: "SIGKILL",
  });
  return JSON.parse(stdout);
}
