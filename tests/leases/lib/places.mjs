// Where everything is that a run makes: under the build directory, and in one temporary folder.

import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { fromRoot } from "../../../xtask/lib/process.mjs";
import { libraries } from "../../everywhere/lib/tools.mjs";
import { atExit } from "./leave.mjs";

/** This room. */
export const here = fromRoot("tests", "leases");

/** The clients of stores. */
export const tools = libraries("stores");

/** A client as a module. */
export function importTool(name) {
  const require = createRequire(join(tools, "package.json"));
  return import(pathToFileURL(require.resolve(name)));
}

/** An entry of the package, as it is built. */
export const importBuilt = (entry) => import(pathToFileURL(fromRoot("dist", `${entry}.js`)));

/** A new folder. Goes with the process that asked for it. */
export function temporary(what) {
  const folder = mkdtempSync(join(tmpdir(), `graupel-${what}-`));
  atExit(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
