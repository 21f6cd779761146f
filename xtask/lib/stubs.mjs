// Writes the stubs: files of each entry's name at the root of the package, for resolvers that do not read `exports`. Git ignores
// them, and the build writes them, so that whatever packs the package after a build finds them.
//
//   sno.js            CommonJS: Browserify and Jest 27, which take no ES modules; their `graupel` is CommonJS too
//   sno.mjs           Parcel by default, which prefers it: its `graupel` is an ES module, and a second copy would be bundled
//   sno.native.js     Metro without `exports`, which prefers it, in either ending: React Native has no WebAssembly
//   sno.native.mjs
//   sno.d.ts          TypeScript's "node10"

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fromRoot } from "./process.mjs";

/** Name and text of each stub. */
function stubs() {
  const { exports } = JSON.parse(readFileSync(fromRoot("package.json"), "utf8"));
  return Object.entries(exports).flatMap(([name, conditions]) => {
    if (name === "." || conditions.import === undefined) return [];
    const { import: module, require: commonJs, "react-native": native } = conditions;
    const from = (path) => `"${path.replace(".", name.slice(2).includes("/") ? ".." : ".")}"`;
    const all = (path) => `export * from ${from(path)};\n`;
    return [
      [`${name}.js`, `module.exports = require(${from(commonJs.default)});\n`],
      [`${name}.mjs`, all(module.default)],
      [`${name}.d.ts`, all(module.types.replace(/\.d\.ts$/, ".js"))],
      ...(native === undefined
        ? []
        : ["js", "mjs"].map((ending) => [`${name}.native.${ending}`, all(native.default)])),
    ];
  });
}

/** Their paths. */
export const stubPaths = () => stubs().map(([name]) => fromRoot(name));

export function writeStubs() {
  for (const [name, text] of stubs()) {
    const path = fromRoot(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}
