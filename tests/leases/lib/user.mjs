// Servers that refuse to run as root.

import { execFileSync } from "node:child_process";
import { chownSync, existsSync } from "node:fs";

/** The first of these files that exists; undefined if none does. */
export const firstOf = (...files) => files.find((file) => existsSync(file));

/** The beginning of a command line that runs it as this user, who then owns the folder. Without root: as who one is. */
export function userOf(name, directory) {
  if (process.getuid() !== 0) return [];
  const number = (flag) => Number(execFileSync("id", [flag, name], { encoding: "utf8" }));
  chownSync(directory, number("-u"), number("-g"));
  return ["setpriv", `--reuid=${name}`, `--regid=${name}`, "--clear-groups"];
}
