/** Runs programs in the Bun version that tests/everywhere pins. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

// @ts-expect-error: no types
import { fetched } from "../../everywhere/lib/tools.mjs";
import { project } from "./guide.ts";

/** Runs a file of the user's project. Returns its output. */
export async function runInBun(...argv: readonly string[]): Promise<string> {
  const bun = (await fetched("bun", "bin/bun")) as string;
  return (await promisify(execFile)(bun, ["run", ...argv], { cwd: project, maxBuffer: 1 << 24 })).stdout;
}
