// Where everything is that a run makes: under the build directory, so that nothing is left elsewhere.

import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fromRoot, targetDir } from "../../../xtask/lib/process.mjs";

/** This room. */
export const here = fromRoot("tests", "everywhere");

export const everywhere = join(targetDir, "everywhere");

/** A user's project: the package is installed here, and each row has a folder of its own in it. */
export const project = join(everywhere, "project");

/** The package, as a user has it. */
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

/** A file of a tool of a workspace: what is not in a folder of its own stands with all others. */
const inWorkspace =
  (name) =>
  (...path) => {
    const own = join(everywhere, name, "node_modules", ...path);
    return existsSync(own) ? own : tool(...path);
  };

/** A file of Cloudflare's tools, which need older versions than the others. */
export const inCloudflare = inWorkspace("cloudflare");

/** Where the frameworks are, which together take a gigabyte. */
export const frameworks = join(everywhere, "frameworks");

/** A file of the tools of yesterday, which some projects still use. */
export const inOlder = inWorkspace("older");
