// The Node versions that the bench runs on, as pinned in tests/everywhere. This process replaces
// the version with the same major number.

import { fetched, pinned, Skipped } from "../../tests/everywhere/lib/tools.mjs";

const LINES = ["20", "24"];

async function runtime(line) {
  if (process.versions.node.startsWith(`${line}.`))
    return { version: process.versions.node, program: process.execPath };
  const version = pinned(`node-${line}`);
  try {
    return { version, program: await fetched(`node-${line}`, "bin/node") };
  } catch (error) {
    if (!(error instanceof Skipped)) throw error;
    return { version, missing: error.message };
  }
}

/**
 * Each version with its program, or with the reason why the program is missing. `line`: only this
 * major version, such as "24".
 */
export async function runtimes(line = "") {
  const found = [];
  for (const one of LINES) if (line === "" || one === line) found.push(await runtime(one));
  return found;
}
