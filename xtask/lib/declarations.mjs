// The declarations that the package ships: only those that an entry leads to. The others would be files that nobody can import,
// and that a compiler may look for errors in.

import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

/** The files that a declaration file imports or exports from. */
function importedBy(file) {
  const text = readFileSync(file, "utf8");
  const paths = text.matchAll(/\b(?:from |import\(|import )"(\.[^"]+)\.js"/g);
  return [...paths].map(([, path]) => join(dirname(file), `${path}.d.ts`));
}

/** Removes the declarations in `dist` that no entry leads to. `entries`: the paths of the entries' declarations. */
export function keepReachable(dist, entries) {
  const reached = new Set(entries);
  for (const file of reached) {
    if (!existsSync(file)) throw new Error(`${file} is missing`);
    for (const other of importedBy(file)) reached.add(other);
  }
  const all = readdirSync(dist, { recursive: true, withFileTypes: true });
  for (const entry of all) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && file.endsWith(".d.ts") && !reached.has(file)) rmSync(file);
  }
  const directories = all.filter((entry) => entry.isDirectory());
  for (const entry of directories.reverse()) {
    const directory = join(entry.parentPath, entry.name);
    if (readdirSync(directory).length === 0) rmdirSync(directory);
  }
}
