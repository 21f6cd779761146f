// Decides which steps of the build can be skipped: those whose inputs have the same content as last time, and whose outputs
// have not changed since.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fromRoot, root, targetDir } from "./process.mjs";

const FILE = join(targetDir, "build-steps.json");

/** Every file at or below the given paths. Sorted, because the order of a directory is not defined. */
function filesOf(paths) {
  const found = [];
  const visit = (path) => {
    if (!existsSync(path)) return;
    if (statSync(path).isDirectory()) for (const name of readdirSync(path)) visit(join(path, name));
    else found.push(path);
  };
  for (const path of paths) visit(path);
  return found.sort();
}

/** A hash of names and contents. */
function hashInputs(paths, extra) {
  const hash = createHash("sha256").update(JSON.stringify(extra));
  for (const file of filesOf(paths)) {
    const content = readFileSync(file);
    hash.update(`\0${relative(root, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

/** A hash of names, sizes and times: it notices a deleted or rewritten output, and is cheap for big files. */
function outputState(paths) {
  if (!paths.every((path) => existsSync(path))) return null;
  const rows = filesOf(paths).map((file) => {
    const { size, mtimeMs } = statSync(file);
    return [relative(root, file), size, mtimeMs];
  });
  return createHash("sha256").update(JSON.stringify(rows)).digest("hex");
}

function recall() {
  try {
    return JSON.parse(readFileSync(FILE, "utf8"));
  } catch {
    return {}; // no build yet, or the file was cut off
  }
}

function remember(name, state) {
  mkdirSync(dirname(FILE), { recursive: true });
  writeFileSync(FILE, `${JSON.stringify({ ...recall(), [name]: state }, null, 2)}\n`);
}

/**
 * Calls `work` unless the step is up to date. Resolves to whether it called it. The build scripts are an input of every
 * step.
 */
export async function unlessFresh({ name, inputs, extra = [], outputs }, work) {
  const hash = hashInputs([fromRoot("xtask", "build.mjs"), fromRoot("xtask", "lib"), ...inputs], extra);
  const known = recall()[name];
  if (known?.inputs === hash && known.outputs !== null && known.outputs === outputState(outputs))
    return false;
  await work();
  const made = outputState(outputs);
  if (made === null) throw new Error(`step ${name} did not make ${outputs.join(", ")}`);
  remember(name, { inputs: hash, outputs: made });
  return true;
}
