// Writes the declarations that the package ships, each once, as CommonJS. ES modules may import
// these, too, while CommonJS may not import the declarations of an ES module. So the declaration of
// an ES module re-exports that of CommonJS. If that one imports a peer, it is repeated instead,
// because the peer may have other types for ES modules.

import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path/posix";
import { entries, withCore } from "./entries.mjs";
import { write } from "./process.mjs";

/** An import or export of another declaration. */
const IMPORTED = /\b(from |import\(|import )"(\.[^"]+)\.js"/g;
/** An import of another package. */
const FOREIGN = /^import .* from "[^.]/m;
/** The comment about a whole file, which no editor shows. */
const HEADER = /^\/\*\*(?:[^*]|\*(?!\/))*\*\/\n(?=import|export (?:type )?[{*]|\/\*\*)/;

/**
 * Writes the declarations to `dist`. `from`: the folder with the compiler's declaration of each
 * source.
 */
export function declare(dist, from) {
  const places = new Map([...entries].map(([name, source]) => [source.replace(/^js\/|\.ts$/g, ""), name]));
  const placeOf = (file) => places.get(file) ?? `types/${file}`;
  const reached = new Set(places.keys());
  for (const file of reached) {
    const text = readFileSync(join(from, `${file}.d.ts`), "utf8");
    const moved = text.replace(IMPORTED, (_, before, path) => {
      const other = join(dirname(file), path);
      reached.add(other);
      const there = relative(dirname(placeOf(file)), placeOf(other));
      return `${before}"${there.startsWith(".") ? "" : "./"}${there}.cjs"`;
    });
    const own = moved.replace(HEADER, "");
    write(join(dist, `${placeOf(file)}.d.cts`), own);
    const name = places.get(file);
    const again = `export * from "./${name?.split("/").at(-1)}.cjs";\n`;
    if (name) write(join(dist, `${name}.d.ts`), FOREIGN.test(own) ? own : again);
  }
  for (const name of withCore)
    for (const kind of ["ts", "cts"])
      write(join(dist, "pure", `${name}.d.${kind}`), `export * from "../${name}.cjs";\n`);
}
