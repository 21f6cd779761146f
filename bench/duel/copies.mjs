// Makes a second copy of every package in a temporary directory, like an installation with two
// versions of a dependency.

import { copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { fromRoot, targetDir } from "../../xtask/lib/process.mjs";

const directory = join(targetDir, "duel");
const second = join(directory, "second");
const loader = fromRoot("bench", "duel", "load.mjs");

/**
 * Makes the copies. Node finds their dependencies in node_modules further up, in the repository.
 */
export async function makeCopies(contestants) {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(second, { recursive: true });
  copyFileSync(loader, join(second, "load.mjs"));
  // The copies need a package scope of their own. In graupel's scope, "graupel" would mean the
  // repository.
  writeFileSync(join(second, "package.json"), `${JSON.stringify({ private: true, type: "module" })}\n`);
  for (const name of new Set(contestants.map((contestant) => contestant.package))) {
    const to = join(second, "node_modules", name);
    mkdirSync(dirname(to), { recursive: true });
    if (name === "graupel") {
      mkdirSync(to);
      cpSync(fromRoot("package.json"), join(to, "package.json"));
      cpSync(fromRoot("dist"), join(to, "dist"), { recursive: true });
    } else {
      cpSync(fromRoot("node_modules", name), to, { recursive: true });
    }
  }
}

/** Returns functions that import a package: the installed one and, if `isCopied`, its copy. */
export async function loaders(isCopied) {
  const files = isCopied ? [loader, join(second, "load.mjs")] : [loader];
  return Promise.all(files.map(async (file) => (await import(pathToFileURL(file))).load));
}
