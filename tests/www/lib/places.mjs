// Where everything is that a run makes: under the build directory.

import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { fromRoot, targetDir } from "../../../xtask/lib/process.mjs";

/** This room. */
export const here = fromRoot("tests", "www");

/** Pictures of the pages; those of failed tests are in the folder `failed`. */
export const pictures = join(targetDir, "www-screenshots");

const require = createRequire(import.meta.url);

/** A file of a tool. */
export const toolFile = (name) => require.resolve(name);

/** A tool as a module. */
export const importTool = (name) => import(pathToFileURL(toolFile(name)));
