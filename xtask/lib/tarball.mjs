// Packs the package for publication. It is assembled in a separate directory, because the
// repository's package.json also describes the repository.

import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { withAddresses, withoutAddresses } from "./addresses.mjs";
import { entries, withCore } from "./entries.mjs";
import { npm, root, run } from "./process.mjs";

/** Assembles the package in `directory`, from the repository at `from`. */
async function assemble(directory, from, homepage) {
  const write = (path, text) => {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  };
  const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
  const filter = (path) => basename(path) !== "demo.js";
  for (const path of ["dist", "LICENSE"])
    cpSync(join(from, path), join(directory, path), { recursive: true, filter });
  const manifest = JSON.parse(readFileSync(join(from, "package.json"), "utf8"));
  const { private: _, scripts, budgets, workspaces, devDependencies, ...published } = manifest;
  write("package.json", json(published));
  for (const [path, stub] of stubs()) write(join(path, "package.json"), json(stub));
  const readme = readFileSync(join(from, "README.md"), "utf8");
  const site = homepage ?? published.homepage;
  write("README.md", site === undefined ? withoutAddresses(readme) : await withAddresses(readme, site));
}

/**
 * Returns a package.json for each entry's path, for resolvers that ignore `exports`: Browserify and
 * Jest 27 read `main`, Parcel reads `module`, Metro reads `react-native`, and TypeScript's "node10"
 * reads `types`.
 */
function stubs() {
  const all = [...entries.keys(), ...withCore.map((name) => `pure/${name}`)].filter(
    (name) => name !== "index",
  );
  return all.map((name) => {
    const path = name.replace(/\/index$/, "");
    const place = (ending, room = "") =>
      `${"../".repeat(path.split("/").length)}dist/${room}${name}${ending}`;
    const native = withCore.includes(name) && { "react-native": place(".js", "pure/") };
    return [path, { main: place(".cjs"), module: place(".js"), ...native, types: place(".d.ts") }];
  });
}

/**
 * Packs the package into an empty directory. Resolves to the tarball's path. `options`: the options
 * of `run`; `cwd` is the repository. `homepage`: replaces the one in package.json.
 */
export async function packInto(into, { homepage, cwd = root, ...options } = {}) {
  rmSync(into, { recursive: true, force: true });
  mkdirSync(into, { recursive: true });
  const directory = mkdtempSync(join(tmpdir(), "graupel-pack-"));
  try {
    await assemble(directory, cwd, homepage);
    await run(npm, ["pack", "--pack-destination", into], { ...options, cwd: directory });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  return join(into, readdirSync(into)[0]);
}

/** Unpacks a tarball into an empty directory, as an installation would. */
export async function unpackInto(directory, tarball) {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  await run("tar", ["-xzf", tarball, "-C", directory, "--strip-components=1"]);
}
