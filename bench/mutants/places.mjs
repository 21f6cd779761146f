// Copies of the project, in which mutants run.

import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { root, targetDir } from "../../xtask/lib/process.mjs";

/** Everything that is made here. */
export const home = join(targetDir, "mutants");

const LEFT_OUT = new Set(["node_modules", "target", ".git"]);

/**
 * A new copy of the project, as the build has left it, with the tests of a checkout. Its tools are those of the project. `built`: what it needs of
 * the build directory; that of an earlier copy is kept, so that cargo has less to compile. Returns a function for paths in the copy.
 */
export function copyProject(name, testsFrom, built) {
  const directory = join(home, name);
  const into = (...parts) => join(directory, ...parts);
  mkdirSync(into("target"), { recursive: true });
  for (const entry of readdirSync(directory)) {
    if (entry !== "target") rmSync(into(entry), { recursive: true });
  }
  const filter = (path) => !LEFT_OUT.has(basename(path));
  for (const entry of readdirSync(root)) {
    if (LEFT_OUT.has(entry)) continue;
    const from = entry === "tests" ? join(testsFrom, "tests") : join(root, entry);
    cpSync(from, into(entry), { recursive: true, filter });
  }
  // One by one: a link to a workspace, or to the package itself, leads into the copy.
  mkdirSync(into("node_modules"));
  for (const entry of readdirSync(join(root, "node_modules"))) {
    const from = join(root, "node_modules", entry);
    symlinkSync(lstatSync(from).isSymbolicLink() ? readlinkSync(from) : from, into("node_modules", entry));
  }
  for (const path of built) {
    const [from, to] = [join(targetDir, path), into("target", path)];
    // With times, by which cargo sees that nothing has changed.
    const options = { recursive: true, preserveTimestamps: true };
    if (existsSync(from) && !existsSync(to)) cpSync(from, to, options);
  }
  return into;
}

/** A module of a copy: it finds the copy's files, not those of the project. */
export const moduleOf = (into, ...path) => import(pathToFileURL(into(...path)));
