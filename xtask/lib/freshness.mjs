// Skips the steps of the build whose inputs and outputs have the same content as last time.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fromRoot, root, targetDir, write } from "./process.mjs";

const FILE = join(targetDir, "build-steps.json");

/** All files at or below a path, sorted, because the order of a directory listing is undefined. */
const filesOf = (path) =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .sort()
        .flatMap((name) => filesOf(join(path, name)))
    : [path];

/** A hash of names and contents; undefined if something is missing. */
function hashOf(paths) {
  if (!paths.every((path) => existsSync(path))) return undefined;
  const hash = createHash("sha256");
  for (const file of paths.flatMap(filesOf)) {
    const content = readFileSync(file);
    hash.update(`\0${relative(root, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

function recall() {
  try {
    return JSON.parse(readFileSync(FILE, "utf8"));
  } catch {
    return {}; // there was no build yet, or the file is incomplete
  }
}

/** Calls `work` unless the step is up to date. The build scripts are an input of every step. */
export async function unlessFresh({ title, inputs, outputs }, work) {
  const given = hashOf([fromRoot("xtask", "build.mjs"), fromRoot("xtask", "lib"), ...inputs]);
  const known = recall()[title];
  if (known?.given === given && known.made !== undefined && known.made === hashOf(outputs)) return;
  await work();
  const made = hashOf(outputs);
  write(FILE, JSON.stringify({ ...recall(), [title]: { given, made } }));
}
