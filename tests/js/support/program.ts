/** Runs programs in a separate process, where they import the package like a user's program. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { testsJs } from "./places.ts";

const run = promisify(execFile);

/** Far longer than any program takes; only an endless wait lasts this long. */
const ENDLESS_MS = 120_000;

/** Runs a module, given as text, and returns the JSON that it prints. */
export async function told(program: string): Promise<unknown> {
  const args = ["--input-type=module", "--eval", program];
  const { stdout } = await run(process.execPath, args, {
    cwd: testsJs,
    timeout: ENDLESS_MS,
    killSignal: "SIGKILL",
  });
  return JSON.parse(stdout);
}
