// Copies of the project, in which mutants run.

import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { helper } from "../../xtask/build.mjs";
import { root, targetDir } from "../../xtask/lib/process.mjs";

/** Everything that is made here. */
export const home = join(targetDir, "mutants");

const LEFT_OUT = new Set(["node_modules", "target", ".git"]);

/**
 * A new copy of the project, as the build has left it, with the tests of a checkout. Its tools are those of the project. Returns a function
 * for paths in it.
 */
export function copyProject(name, testsFrom) {
  const directory = join(home, name);
  const into = (...parts) => join(directory, ...parts);
  const filter = (path) => !LEFT_OUT.has(basename(path));
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(into("target", "debug"), { recursive: true });
  for (const entry of readdirSync(root)) {
    if (LEFT_OUT.has(entry)) continue;
    const from = entry === "tests" ? join(testsFrom, "tests") : join(root, entry);
    cpSync(from, into(entry), { recursive: true, filter });
  }
  for (const path of [["node_modules"], ["www", "node_modules"]]) {
    const installed = join(root, ...path);
    if (existsSync(installed)) symlinkSync(installed, into(...path));
  }
  cpSync(helper, into("target", "debug", basename(helper)));
  return into;
}

/** A module of a copy: it finds the copy's files, not those of the project. */
export const moduleOf = (into, ...path) => import(pathToFileURL(into(...path)));
