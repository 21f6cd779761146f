// Writes the stubs that only the tarball has: a file of each entry's name at the root of the package, for resolvers that do not read
// `exports` (TypeScript's "node10", Parcel by default, older Metro). Run by npm before and after packing.
//
//     node xtask/stubs.mjs [--remove]

import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { fromRoot, runAsProgram } from "./lib/process.mjs";

/** Path and text of each stub. `.native.js` is for Metro, which prefers it: React Native has no WebAssembly. */
function stubs() {
  const { exports } = JSON.parse(readFileSync(fromRoot("package.json"), "utf8"));
  return Object.entries(exports).flatMap(([name, conditions]) => {
    if (name === "." || conditions.import === undefined) return [];
    const { import: module, "react-native": native } = conditions;
    const up = name.slice(2).includes("/") ? ".." : ".";
    const all = (path) => `export * from "${path.replace(".", up)}";\n`;
    return [
      [`${name}.js`, all(module.default)],
      [`${name}.d.ts`, all(module.types.replace(/\.d\.ts$/, ".js"))],
      ...(native === undefined ? [] : [[`${name}.native.js`, all(native.default)]]),
    ];
  });
}

function main() {
  const { values } = parseArgs({ options: { remove: { type: "boolean", default: false } } });
  for (const [name, text] of stubs()) {
    const path = fromRoot(name);
    if (values.remove) {
      rmSync(path, { force: true });
    } else {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  }
  if (values.remove && existsSync(fromRoot("pure"))) rmdirSync(fromRoot("pure"));
}

await runAsProgram(import.meta.url, main);
