// The paths of a run's files. All are below the build directory, so that a run leaves nothing
// elsewhere.

import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fromRoot, targetDir } from "../../../xtask/lib/process.mjs";

/** The folder tests/everywhere. */
export const here = fromRoot("tests", "everywhere");

export const everywhere = join(targetDir, "everywhere");

/** A user's project: the package is installed here, and each row has its own folder in it. */
export const project = join(everywhere, "project");

/** The package as a user installs it. */
export const installed = join(project, "node_modules", "graupel");

/** The ES module of an entry, as `exports` names it. */
export function moduleOf(entry) {
  const { exports } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  const path = entry.replace("graupel", ".");
  const found = exports[path] ?? exports[path.replace(/[^/]+$/, "*")];
  return found.default.replace("*", basename(path));
}

/** A file of a tool that package.json pins. */
export const tool = (...path) => join(everywhere, "node_modules", ...path);

/**
 * A file of the old tools that some projects still use. npm hoists packages that need no folder of
 * their own.
 */
export const inOlder = (...path) => {
  const own = join(everywhere, "older", "node_modules", ...path);
  return existsSync(own) ? own : tool(...path);
};
